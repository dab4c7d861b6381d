/** Music on the workstation: its replica, its place in the run, and what the pages may ask of it. */
import { sha256 } from '#adapters/llm/executor-ports.ts';
import { probeBlob } from '#adapters/media/probe.ts';
import type { BrowserLane, RunPlace, Workstation } from '#adapters/browser/lane-browser.ts';
import { readReplicaState } from '#adapters/browser/meta.ts';
import { loadOnce } from '#core/load-once.ts';
import type { JobStore } from '#core/run/job-store.ts';
import { laneRun } from '#core/run/lane-run.ts';
import { createCatalogClient } from '#lanes/music/http/catalog-client.ts';
import { notePublished, tendProfile, resetProfile, restoreProfile } from '#lanes/music/core/learning/learn.ts';
import { createMusicRun } from '#lanes/music/core/run/music-run.ts';
import type { MusicTypes } from '#lanes/music/core/types.ts';
import { noteSaidLost, forgetSaidLost, leaveLost, lostResults } from './lost-results.ts';
import { BrowserMedia, type BrowserMediaDeps } from './media.ts';
import { IndexSource, type CatalogHits } from './replica/catalog-index.ts';
import { DexieCatalog } from './replica/dexie-catalog.ts';
import { syncedReplica } from './replica/synced-replica.ts';
import { spawnTranscoder } from './transcoder-pool.ts';
import { toFailure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { publishAgain } from '#core/run/commands.ts';

/** What pages may ask of music in the pipeline worker. */

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

const PLATFORM: Pick<BrowserMediaDeps, 'probe' | 'spawn'> = { probe: probeBlob, spawn: spawnTranscoder };

/** `platform`: what reads and converts audio. */
export function openMusic(workstation: Workstation, platform = PLATFORM): BrowserLane {
  const { db, clock, ids, timers, server, wantPull } = workstation;
  const store = workstation.store as JobStore<MusicTypes>;
  const index = new IndexSource(db);
  const client = createCatalogClient(server);
  const replica = syncedReplica(db, client, clock);
  const engine = loadOnce(async () => {
    const { createMusicEngine } = await import('#lanes/music/agent/music-engine.ts');
    return createMusicEngine({
      ...{ clock, timers, index: () => index.get() },
      requests: () => db.requests.where('status').equals('pending').sortBy('created_at'),
      async cursor() {
        const { cursor, version } = await readReplicaState(db);
        return cursor ?? `version ${version}`;
      },
    });
  });

  function run({ store: rows, blobs, settings, stored, held }: RunPlace) {
    const catalog = new DexieCatalog(db, {
      want: wantPull,
      ...(held === undefined ? {} : { held: () => held, pull: () => replica.pull() }),
      index: () => index.get(),
    });
    const media = new BrowserMedia({ ...platform, blobs, ...(stored ? { converted: stored } : {}) });
    const profile = () => tendProfile(rows as JobStore<MusicTypes>, clock);
    return laneRun(createMusicRun({ clock, ids, catalog, media, settings, profile, sha256, engine }));
  }

  return {
    run,
    replicas: [replica],
    // Weak evidence for the local profile: where it cannot be noted nothing is lost.
    onPublished: (jobId) => void notePublished(store, clock.now(), jobId).catch(() => undefined),
    onLost: (jobIds) => noteSaidLost(db, clock, jobIds),
    api: musicApi(workstation, store, index),
  };
}
