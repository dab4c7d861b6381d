/** Reads folders into the library and searches it. The RPC interface is LibraryApi (lanes/library/browser/library-api.types.ts). */
import { expose } from 'comlink';
import { createSHA256 } from 'hash-wasm';
import { endWithPage } from '#adapters/browser/end-with-page.ts';
import { openKeptFiles } from '#adapters/browser/kept-files.ts';
import { systemClock as clock, systemTimers as timers } from '#adapters/browser/system.ts';
import { randomIds as ids } from '#core/ids.ts';
import { loadOnce } from '#core/load-once.ts';
import { laneCores } from '#lanes/browser-lanes.ts';
import { workerRegistry } from '#lanes/library/browser/worker-registry.ts';
import { openDatabase } from '#lanes/database.ts';
import { createLibraryService } from '#lanes/library/browser/library-service.ts';

const db = openDatabase();
endWithPage(db, self);
const hasher = loadOnce(() => createSHA256());

const registry = loadOnce(async () => workerRegistry(await laneCores()));

expose(
  createLibraryService({
    ...{ db, clock, ids, registry, files: loadOnce(() => openKeptFiles(db, 'library')) },
    timers: { set: (run, ms) => timers.set(run, ms), clear: (timer) => timers.clear(timer) },
    hash: async (bytes) => (await hasher()).init().update(bytes).digest('hex'),
    alone: (name, work) => ('locks' in navigator ? navigator.locks.request(name, work) : work()),
  }),
);
