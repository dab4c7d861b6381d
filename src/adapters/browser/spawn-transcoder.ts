import { proxy, wrap } from 'comlink';
import type { TranscodeApi } from './api.ts';
import type { TranscodeWorker } from './pipeline/transcode-stage.ts';
import { tellProgress } from './progress-channel.ts';

/** A new transcode worker; it loads its codecs when the first file comes. */
export function spawnTranscoder(): TranscodeWorker {
  // In one expression: that is how Vite sees that this file is a worker to be built, and not an asset to be copied.
  const worker = new Worker(new URL('../../../workers/transcode.worker.ts', import.meta.url), {
    type: 'module',
    name: 'transcode',
  });
  const remote = wrap<TranscodeApi>(worker);
  return {
    api: { transcode: (request, onProgress) => remote.transcode(request, proxy(onProgress)) },
    died: new Promise((say) => worker.addEventListener('error', (event) => say(new Error(event.message)))),
    terminate: () => worker.terminate(),
  };
}

/** Tells the pages how far the files in hand are. */
export function tellShares(): (shares: ReadonlyMap<string, number>) => void {
  const tell = tellProgress();
  return (shares) => tell({ type: 'converting', shares: new Map(shares) });
}
