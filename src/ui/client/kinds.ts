/** Workers that a page starts, for itself or for a worker that needs one. */

// Each in one expression: that is how Vite sees that the file is a worker to be built, and not an asset to be copied.
export const newTranscoder = (): Worker =>
  new Worker(new URL('../../../workers/transcode.worker.ts', import.meta.url), { type: 'module', name: 'transcode' });
export const newModelWorker = (): Worker =>
  new Worker(new URL('../../../workers/model.worker.ts', import.meta.url), { type: 'module', name: 'model' });
