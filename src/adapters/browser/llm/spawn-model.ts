import { proxy, wrap } from 'comlink';
import type { InferenceApi, ModelSession } from '../../models/model-api.ts';

/** A new model worker. It loads an engine and its weights when the first question comes. */
export function spawnModel(): ModelSession {
  // In one expression: that is how Vite sees that this file is a worker to be built, and not an asset to be copied.
  const worker = new Worker(new URL('../../../../workers/model.worker.ts', import.meta.url), {
    type: 'module',
    name: 'model',
  });
  const remote = wrap<InferenceApi>(worker);
  return {
    api: {
      load: (choice) => remote.load(choice),
      infer: (ticket, choice, request, onText) => remote.infer(ticket, choice, request, proxy(onText)),
      embed: (choice, text) => remote.embed(choice, text),
      stop: (ticket) => remote.stop(ticket),
    },
    died: new Promise((say) => worker.addEventListener('error', (event) => say(new Error(event.message)))),
    terminate: () => worker.terminate(),
  };
}
