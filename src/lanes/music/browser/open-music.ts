/** Music on the workstation: its replica, its place in the run, and what the pages may ask of it. */
import { sha256 } from '#adapters/llm/executor-ports.ts';
import { probeBlob } from '#adapters/media/probe.ts';
import type { BrowserLane, Replica, RunPlace, Workstation } from '#adapters/browser/lane-browser.ts';
import { readReplicaState } from '#adapters/browser/meta.ts';
import { loadOnce } from '#core/load-once.ts';
import type { JobStore } from '#core/run/job-store.ts';
import { laneRun } from '#core/run/lane-run.ts';
import { createCatalogClient } from '#lanes/music/http/catalog-client.ts';
import { notePublished, tendProfile, resetProfile, restoreProfile } from '#lanes/music/core/learning/learn.ts';
import { createMusicRun } from '#lanes/music/core/run/music-run.ts';
import type { MusicTypes } from '#lanes/music/core/types.ts';
import {
  noteSaidLost,
  forgetSaidLost,
  leaveLost,
  lostResults,
  noteLost,
  noteLostAudio,
  noteRestart,
  restartPending,
} from './lost-results.ts';
import { keepPicture, type PictureBlobs, type WantedCover } from './chosen-cover.ts';
import { browserMedia, type BrowserMediaDeps } from './media.ts';
import { IndexSource } from './replica/catalog-index.ts';
import { dexieCatalog } from './replica/dexie-catalog.ts';
import { startBeside } from '#adapters/browser/worker-beside.ts';
import { transcoderOf } from './transcoder-pool.ts';
import { answered, ok, type Result } from '#core/result.ts';
import { coverJobs, publishAgain } from '#core/run/commands.ts';
import { matchOpenAgain } from '#core/run/match-again.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { Clock } from '#core/ports.ts';
import { createReplica, type ReplicaOptions } from './replica/replica.ts';

/**
 * The replica of the catalog for sync: a copy that was begun anew shows which published results the server has lost.
 * @param again gets jobs whose audio the server asks for because it was damaged there, once the copy says so
 */
export function syncedReplica(
  db: AccessionDb,
  client: ReplicaOptions['client'],
  clock: Clock,
  again: (jobIds: readonly string[]) => Promise<unknown> = () => Promise.resolve(),
): Required<Replica> {
  let asked: string[] = [];
  const replica = createReplica({
    ...{ db, client, onRestart: () => noteRestart(db, clock) },
    onLostAudio: async (trackIds) => {
      asked = [...asked, ...(await noteLostAudio(db, clock, trackIds))];
    },
  });
  return {
    async pull(signal) {
      const pulled = await replica.pull(signal);
      const here = pulled.ok && asked.length > 0 ? ((await lostResults(db))?.here ?? []) : [];
      const jobs = asked.filter((id) => here.includes(id));
      if (pulled.ok) asked = [];
      if (jobs.length > 0) await again(jobs);
      return pulled;
    },
    async wasRestarted() {
      // Noted in the database: the pull that began anew may have been cut off, and another one have ended it.
      const restarted = await restartPending(db);
      if (restarted) await noteLost(db, clock);
      return restarted;
    },
    isComplete: async () => (await readReplicaState(db)).complete,
  };
}

export type MusicApi = ReturnType<typeof musicApi>;

export function musicApi(
  { db, clock, ids, wake, blobs }: Pick<Workstation, 'db' | 'clock' | 'ids' | 'wake'> & PictureBlobs,
  store: JobStore<MusicTypes>,
  index: Pick<IndexSource, 'search'>,
) {
  return {
    /** Catalog search in the replica, for the boxes. */
    searchCatalog: (query: string, limit: number) => answered(() => index.search(query, limit)),
    /** From now on the matcher's confidence is as shipped. `before` takes it back (`restoreProfile`). */
    resetProfile: () => answered(() => resetProfile(store, clock)),
    restoreProfile: (before: number) => answered(() => restoreProfile(store, before)),
    /** The cover of what is published of these jobs; null: each file's own. Answers how many took it, and the picture. */
    chooseCover: (jobIds: readonly string[], wanted: WantedCover | null) =>
      answered(async () => {
        const cover = wanted === null ? null : await keepPicture(blobs, wanted);
        return { files: await store.change((rows) => coverJobs(rows, { clock, ids }, jobIds, cover)), cover };
      }),
    /** Forgets what people decided about contents: the same content is asked about again. */
    forgetDecisions: () =>
      answered(async () => ({ forgotten: await store.change((rows) => rows.lanes.music.forgetAll()) })),
    /** Open questions are matched again, as after a setting of the matcher was changed. Answers of how many drops. */
    async matchAgain(): Promise<Result<{ drops: number }>> {
      const done = await answered(async () => ({ drops: await store.change((rows) => matchOpenAgain(rows)) }));
      wake();
      return done;
    },
    /** SYNC-28: publishes again what the server has lost (it was put back to an older state). The others are listed until they are left. */
    async publishAgain(): Promise<Result<{ again: number }>> {
      const lost = (await lostResults(db))?.here ?? [];
      const done = await answered(() => store.change((rows) => publishAgain(rows, { clock, ids }, lost)));
      if (!done.ok) return done;
      await forgetSaidLost(db, done.value);
      wake();
      return ok({ again: done.value.length });
    },
    /** What the server has lost is not listed any more. */
    leaveLost: () => leaveLost(db),
  };
}

const PLATFORM: Pick<BrowserMediaDeps, 'probe' | 'spawn'> = {
  probe: probeBlob,
  spawn: () => transcoderOf(startBeside('transcode')),
};

/** `platform`: what reads and converts audio. */
export function openMusic(workstation: Workstation, platform = PLATFORM): BrowserLane {
  const { db, clock, ids, timers, server, wantPull } = workstation;
  const store = workstation.store as JobStore<MusicTypes>;
  const index = new IndexSource(db);
  const client = createCatalogClient(server);
  // It was approved for this very track, and the track has nothing now: nobody has to be asked.
  const replica = syncedReplica(db, client, clock, async (jobIds) => {
    await store.change((rows) => publishAgain(rows, { clock, ids }, jobIds));
    workstation.wake();
  });
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
    const catalog = dexieCatalog(db, {
      want: wantPull,
      ...(held === undefined ? {} : { held: () => held, pull: () => replica.pull() }),
      index: () => index.get(),
    });
    const media = browserMedia({ ...platform, blobs, ...(stored ? { converted: stored } : {}) });
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
