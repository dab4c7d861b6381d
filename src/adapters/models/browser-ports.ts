import { AccessionError, failure } from '#core/errors.ts';
import { randomIds } from '#core/ids.ts';
import type { AccessionDb } from '../browser/db.ts';
import { readSettings } from '../browser/settings.ts';
import { systemClock } from '../browser/system.ts';
import { createModelQueryStore } from '../browser/token.ts';
import { readMachine } from './machine.ts';
import type { ManagerPorts } from './manager-ports.ts';
import { cachePartStore } from './part-store-cache.ts';
import { opfsPartStore } from './part-store-opfs.ts';
import { databaseRows } from './rows.ts';

/** The model manager's world in a worker of a browser. */
export function browserPorts(db: AccessionDb): ManagerPorts {
  const stores = { webllm: cachePartStore(), wllama: opfsPartStore() };
  return {
    rows: databaseRows(db),
    store: (engine) => stores[engine],
    // No cookies, and not through the browser's own cache: gigabytes would be kept twice.
    fetch: (url, init) =>
      fetch(url, { ...init, cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer' }),
    alone: async (name, signal, work) => {
      if (!('locks' in navigator)) return work();
      return navigator.locks.request(name, { signal }, work);
    },
    clock: systemClock,
    ids: randomIds,
    machine: () => readMachine(navigator, self.crossOriginIsolated),
    free: async () => {
      const { quota, usage } = await navigator.storage.estimate();
      return quota === undefined || usage === undefined ? null : Math.max(0, quota - usage);
    },
    mirror: async () => (await readSettings(db)).llm_mirror_url,
    query: (id) => createModelQueryStore(db, id),
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(new AccessionError(failure('cancelled', 'The download was paused.')));
        });
      }),
  };
}
