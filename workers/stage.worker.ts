/** Takes drops in: files and archives become blobs and jobs. Its API is StageRpc (adapters/browser/api.ts). */
import { expose } from 'comlink';
import type { StageApi, StageRpc } from '#adapters/browser/api.ts';
import { openBlobStore } from '#adapters/browser/blobs/blob-store.ts';
import { endWithPage } from '#adapters/browser/end-with-page.ts';
import { freeSpace } from '#adapters/browser/blobs/free-space.ts';
import { progressSender } from '#adapters/browser/progress.ts';
import { readSettings } from '#adapters/browser/settings.ts';
import { pauseGate } from '#adapters/browser/stage/gate.ts';
import { handedDrops } from '#adapters/browser/stage/handed-drops.ts';
import { localLocks, webLocks } from '#adapters/browser/stage/locks.ts';
import { createStageService } from '#adapters/browser/stage/stage-service.ts';
import { systemClock as clock } from '#adapters/browser/system.ts';
import { toFailure } from '#core/errors.ts';
import { randomIds as ids } from '#core/ids.ts';
import { archiveLimits } from '#core/ingest/limits.ts';
import { loadOnce } from '#core/load-once.ts';
import { fail, type Result } from '#core/result.ts';
import { exampleDrop, laneIngesters } from '#lanes/browser-lanes.ts';
import { openDatabase } from '#lanes/database.ts';

const db = openDatabase();
endWithPage(db, self);
const channel = new BroadcastChannel('accession');

/** Built at the first call. */
const stage = loadOnce(async () =>
  createStageService({
    ...{ db, clock, ids, blobs: await openBlobStore(db), registry: await laneIngesters() },
    locks: 'locks' in navigator ? webLocks(navigator.locks) : localLocks(),
    ...{ gate: pauseGate(db), report: progressSender().reading, freeBytes: freeSpace },
    limits: async () => archiveLimits(await readSettings(db)),
    notify: () => channel.postMessage({ type: 'poke' }),
    example: (requestId) => exampleDrop(db, requestId),
  }),
);

/** What keeps it from being built is the answer. */
const asked = <T>(call: (api: StageApi) => Promise<Result<T>>): Promise<Result<T>> =>
  stage().then(call, (error: unknown) => fail(toFailure(error)));

const stageDrop: StageApi['stage'] = (...drop) => asked((api) => api.stage(...drop));

expose({
  ...handedDrops(stageDrop),
  stage: stageDrop,
  tryIt: (requestId) => asked((api) => api.tryIt(requestId)),
  resume: async () => (await stage()).resume(),
  cancel: async (batchId) => (await stage()).cancel(batchId),
  reopen: (...archive) => asked((api) => api.reopen(...archive)),
  leaveArchive: async (...archive) => (await stage()).leaveArchive(...archive),
  sendElsewhere: async (...sent) => (await stage()).sendElsewhere(...sent),
} satisfies StageRpc);
