/** Music on the workstation: its replica, its place in the run, and what the pages may ask of it. */
import { sha256 } from '#adapters/llm/executor-ports.ts';
import { probeBlob } from '#adapters/media/probe.ts';
import type { BrowserLane, RunPlace, Workstation } from '#adapters/browser/lane-browser.ts';
import { readReplicaState } from '#adapters/browser/meta.ts';
import { loadOnce } from '#core/load-once.ts';
import type { JobStore } from '#core/run/job-store.ts';
import { laneRun } from '#core/run/lane-run.ts';
import { createCatalogClient } from '#lanes/music/http/catalog-client.ts';
import { notePublished, tendProfile } from '#lanes/music/core/learning/calibrate.ts';
import { createMusicRun } from '#lanes/music/core/run/music-run.ts';
import type { MusicTypes } from '#lanes/music/core/types.ts';
import { noteSaidLost } from './lost-results.ts';
import { BrowserMedia } from './media.ts';
import { musicApi } from './music-api.ts';
import { IndexSource } from './replica/catalog-index.ts';
import { DexieCatalog } from './replica/dexie-catalog.ts';
import { syncedReplica } from './replica/synced-replica.ts';
import { spawnTranscoder } from './spawn-transcoder.ts';

export function openMusic(workstation: Workstation): BrowserLane {
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
    const media = new BrowserMedia({
      ...{ blobs, probe: probeBlob, spawn: spawnTranscoder },
      ...(stored ? { converted: stored } : {}),
    });
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
