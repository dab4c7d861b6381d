/** What pages may ask of music in the pipeline worker. */
import type { Workstation } from '#adapters/browser/lane-browser.ts';
import { toFailure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { JobStore } from '#core/run/job-store.ts';
import { publishAgain } from '#core/run/commands.ts';
import { resetProfile, restoreProfile } from '#lanes/music/core/learning/calibrate.ts';
import type { MusicTypes } from '#lanes/music/core/types.ts';
import { forgetSaidLost, leaveLost, lostResults } from './lost-results.ts';
import type { CatalogHits, IndexSource } from './replica/catalog-index.ts';

export interface MusicApi {
  /** Catalog search in the replica, for the boxes. */
  searchCatalog(query: string, limit: number): Promise<Result<CatalogHits>>;
  /** From now on the matcher's confidence is as shipped. `before` takes it back (`restoreProfile`). */
  resetProfile(): Promise<Result<{ before: number }>>;
  restoreProfile(before: number): Promise<Result<{ answers: number }>>;
  /** Forgets what people decided about contents: the same content is asked about again. */
  forgetDecisions(): Promise<Result<{ forgotten: number }>>;
  /** SYNC-28: publishes again what the server has lost (it was put back to an older state). The others are listed until they are left. */
  publishAgain(): Promise<Result<{ again: number }>>;
  /** What the server has lost is not listed any more. */
  leaveLost(): Promise<void>;
}

export function musicApi(
  { db, clock, ids, wake }: Pick<Workstation, 'db' | 'clock' | 'ids' | 'wake'>,
  store: JobStore<MusicTypes>,
  index: Pick<IndexSource, 'search'>,
): MusicApi {
  return {
    searchCatalog: (query, limit) => answer(() => index.search(query, limit)),
    resetProfile: () => answer(() => resetProfile(store, clock)),
    restoreProfile: (before) => answer(() => restoreProfile(store, before)),
    forgetDecisions: () =>
      answer(async () => ({ forgotten: await store.change((rows) => rows.lanes.music.forgetAll()) })),
    async publishAgain() {
      const lost = (await lostResults(db))?.here ?? [];
      const done = await answer(() => store.change((rows) => publishAgain(rows, { clock, ids }, lost)));
      if (!done.ok) return done;
      await forgetSaidLost(db, done.value);
      wake();
      return ok({ again: done.value.length });
    },
    leaveLost: () => leaveLost(db),
  };
}

async function answer<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    return fail(toFailure(error));
  }
}
