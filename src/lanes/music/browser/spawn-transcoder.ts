import { proxy, wrap } from 'comlink';
import type { TranscodeApi } from '#adapters/browser/api.ts';
import type { TranscodeWorker } from './transcoder-pool.ts';

/** A new transcode worker; it loads its codecs when the first file comes. */
export function spawnTranscoder(): TranscodeWorker {
  // In one expression: that is how Vite sees that this file is a worker to be built, and not an asset to be copied.
  const worker = new Worker(new URL('../../../../workers/transcode.worker.ts', import.meta.url), {
    type: 'module',
    name: 'transcode',
  });
  const remote = wrap<TranscodeApi>(worker);
  return {
    api: { transcode: (request, onProgress) => remote.transcode(request, proxy(onProgress)) },
    died: new Promise((resolve) => worker.addEventListener('error', (event) => resolve(new Error(event.message)))),
    terminate: () => worker.terminate(),
  };
}
