/** Reads folders into the library and searches it. The RPC interface is LibraryApi (lanes/library/browser/library-api.types.ts). */
import { expose } from 'comlink';
import { createSHA256 } from 'hash-wasm';
import { endWithPage } from '#adapters/browser/end-with-page.ts';
import { openKeptFiles } from '#adapters/browser/kept-files.ts';
import { createModelOpener } from '#adapters/browser/llm/model-opener.ts';
import { spawnModel as openModel } from '#adapters/browser/llm/spawn-model.ts';
import { catalogServer, signedIn } from '#adapters/browser/sync/catalog-server.ts';
import { openBrowserCage } from '#adapters/toolbox/browser/browser-cage.ts';
import { declaredSources } from '#adapters/toolbox/browser/declared-sources.ts';
import { openPageNet } from '#adapters/toolbox/browser/page-net.ts';
import { systemClock as clock, systemTimers as timers } from '#adapters/browser/system.ts';
import { randomIds as ids } from '#core/ids.ts';
import { loadOnce } from '#core/load-once.ts';
import { laneCores } from '#lanes/browser-lanes.ts';
import { openDatabase } from '#lanes/database.ts';
import { browserAskers } from '#lanes/library/browser/ask-model.ts';
import { browserEmbedders } from '#lanes/library/browser/embedders.ts';
import { createLibraryService } from '#lanes/library/browser/library-service.ts';
import { openReadingThreads } from '#lanes/library/browser/reading-threads.ts';
import { openWorkerAgents } from '#lanes/library/browser/worker-agents.ts';

const db = openDatabase();
endWithPage(db, self);
const hasher = loadOnce(() => createSHA256());

const agents = loadOnce(async () => {
  const { http: server } = await catalogServer(db);
  return openWorkerAgents(db, await laneCores(), browserAskers({ db, clock, timers, server, openModel }));
});

const embedders = loadOnce(async () => {
  const { http: server } = await catalogServer(db);
  return browserEmbedders({ db, clock, server, openModel });
});

const models = loadOnce(async () =>
  createModelOpener({ db, clock, timers, server: (await catalogServer(db)).http, openModel }),
);

expose(
  createLibraryService({
    openReading: openReadingThreads,
    embedder: async (settings) => (await embedders())(settings),
    server: async () => (await catalogServer(db)).http,
    toolbox: {
      openCage: (places) => openBrowserCage(places, () => undefined),
      net: openPageNet(() => signedIn(db)),
      declared: () => declaredSources(() => signedIn(db)),
    },
    ...{ db, clock, ids, agents, models, files: loadOnce(() => openKeptFiles(db, 'library')) },
    timers: { set: (run, ms) => timers.set(run, ms), clear: (timer) => timers.clear(timer) },
    hash: async (bytes) => (await hasher()).init().update(bytes).digest('hex'),
    alone: (name, work) => ('locks' in navigator ? navigator.locks.request(name, work) : work()),
  }),
);
