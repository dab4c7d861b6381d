/** Takes drops in: files and archives become blobs and jobs. The door is StageDoor (adapters/browser/api.ts). */
import { expose } from 'comlink';
import { openBlobStore } from '#adapters/browser/blob-store.ts';
import type { StageApi, StageDoor } from '#adapters/browser/api.ts';
import { AccessionDb } from '#adapters/browser/db.ts';
import { freeSpace } from '#adapters/browser/free-space.ts';
import { readSettings } from '#adapters/browser/settings.ts';
import { tellReading } from '#adapters/browser/progress-channel.ts';
import { createStage } from '#adapters/browser/stage.ts';
import { pauseGate } from '#adapters/browser/stage/gate.ts';
import { handedDrops } from '#adapters/browser/stage/handed-drops.ts';
import { localLocks, webLocks } from '#adapters/browser/stage/locks.ts';
import { toFailure } from '#core/errors.ts';
import { randomIds } from '#core/ids.ts';
import { createMusicRegistry } from '#core/ingest/ingesters/index.ts';
import { archiveLimits } from '#core/ingest/limits.ts';
import { fail, type Result } from '#core/result.ts';

const db = new AccessionDb();
const channel = new BroadcastChannel('accession');

async function build(): Promise<StageApi> {
  return createStage({
    db,
    blobs: await openBlobStore(db),
    clock: { now: () => Date.now() },
    ids: randomIds,
    registry: createMusicRegistry(),
    locks: 'locks' in navigator ? webLocks(navigator.locks) : localLocks(),
    ...{ gate: pauseGate(db), tell: tellReading() },
    limits: async () => archiveLimits(await readSettings(db)),
    freeBytes: freeSpace,
    notify: () => channel.postMessage({ type: 'poke' }),
    makeDemoAlbum: async (...wanted) => (await import('#adapters/media/demo-album.ts')).makeDemoAlbum(...wanted),
  });
}

let built: Promise<StageApi> | undefined;
/** Built once, on the first call. */
const stage = (): Promise<StageApi> => (built ??= build());

/** What keeps the stage from being built is the answer. */
const asked = <T>(call: (api: StageApi) => Promise<Result<T>>): Promise<Result<T>> =>
  stage().then(call, (error: unknown) => fail(toFailure(error)));

const stageDrop: StageApi['stage'] = (...drop) => asked((api) => api.stage(...drop));

const door: StageDoor = {
  ...handedDrops(stageDrop),
  stage: stageDrop,
  tryIt: (requestId) => asked((api) => api.tryIt(requestId)),
  resume: async () => (await stage()).resume(),
  cancel: async (batchId) => (await stage()).cancel(batchId),
  reopen: (...archive) => asked((api) => api.reopen(...archive)),
  leaveArchive: async (...archive) => (await stage()).leaveArchive(...archive),
};

expose(door);
