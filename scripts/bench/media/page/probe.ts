/// <reference lib="dom" />
import { wrap } from 'comlink';
import type { Prober } from './probe-worker.ts';

export const probeOrders = {
  /** Probes files of the app's storage in a new worker, as after a start of the app. */
  async probeFiles(files: { name: string; sha256: string }[]): ReturnType<Prober['probe']> {
    const worker = new Worker(new URL('./probe-worker.ts', import.meta.url), { type: 'module' });
    try {
      return await wrap<Prober>(worker).probe(files);
    } finally {
      worker.terminate();
    }
  },
};
