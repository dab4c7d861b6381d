import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { failed } from '#core/errors.ts';
import { randomIds } from '#core/ids.ts';
import type { Result } from '#core/result.ts';
import { openProvider } from '../../llm/providers/providers.ts';
import { readMachine } from '../../models/machine.ts';
import type { ModelDraft, ModelSession } from '../../models/model-api.ts';
import type { ManagerPorts } from '../../models/parts.ts';
import { freeSpace } from '../blobs/free-space.ts';
import type { AccessionDb } from '../db.ts';
import { readSettings } from '../settings.ts';
import { catalogServer } from '../sync/catalog-server.ts';
import { systemClock, systemTimers } from '../system.ts';
import { createModelKeyStore, createModelQueryStore } from '../token.ts';
import { databaseRows, titleOfModel } from './model-rows.ts';
import { cachePartStore } from './part-store-cache.ts';
import { opfsPartStore } from './part-store-opfs.ts';

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
    free: freeSpace,
    mirror: async () => (await readSettings(db)).llm_mirror_url,
    query: (id) => createModelQueryStore(db, id),
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(failed('cancelled', 'The download was paused.'));
        });
      }),
  };
}

/** The provider of what is being typed into the settings page, or of what is stored when that is null. */
export async function providerOfDraft(
  db: AccessionDb,
  draft: ModelDraft | null,
  session: () => ModelSession,
): Promise<Result<LlmProvider>> {
  const settings =
    draft === null
      ? await readSettings(db)
      : {
          llm_provider: draft.provider,
          llm_base_url: draft.base_url,
          llm_model: draft.model,
          llm_context_length: draft.context_length,
        };
  return openProvider(settings, {
    clock: systemClock,
    timers: systemTimers,
    server: (await catalogServer(db)).http,
    key: async (origin) => draft?.key ?? createModelKeyStore(db, origin).get(),
    openModel: session,
    titleOf: (id) => titleOfModel(db, id),
    forCheck: true,
  });
}
