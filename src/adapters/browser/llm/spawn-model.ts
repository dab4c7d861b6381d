import { proxy } from 'comlink';
import type { InferenceApi, ModelSession } from '../../models/model-api.ts';
import { remoteOf, startBeside } from '../worker-beside.ts';

/** For a worker: a new model worker. It loads an engine and its weights when the first question comes. */
export function spawnModel(): ModelSession {
  const worker = startBeside('model');
  const opened = remoteOf<InferenceApi>(worker);
  return {
    api: {
      load: async (choice) => (await opened).remote.load(choice),
      infer: async (ticket, choice, request, onText) =>
        (await opened).remote.infer(ticket, choice, request, proxy(onText)),
      embed: async (choice, text) => (await opened).remote.embed(choice, text),
      stop: async (ticket) => (await opened).remote.stop(ticket),
    },
    died: worker.died,
    terminate: worker.terminate,
  };
}
