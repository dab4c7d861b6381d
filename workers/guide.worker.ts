/** Reads guides, checks and mends them under guard. The RPC interface is GuideApi (lanes/guide/browser/guide-api.types.ts). */
import { expose } from 'comlink';
import { liveQuery } from 'dexie';
import { endWithPage } from '#adapters/browser/end-with-page.ts';
import { createModelOpener } from '#adapters/browser/llm/model-opener.ts';
import { spawnModel as openModel } from '#adapters/browser/llm/spawn-model.ts';
import { catalogServer } from '#adapters/browser/sync/catalog-server.ts';
import { systemClock as clock, systemTimers as timers } from '#adapters/browser/system.ts';
import { randomIds as ids } from '#core/ids.ts';
import { loadOnce } from '#core/load-once.ts';
import { openDatabase } from '#lanes/database.ts';
import { createGuideService } from '#lanes/guide/browser/guide-service.ts';
import { lifeLock } from '#lanes/guide/browser/guide-watch.ts';
import { withAirDates } from '#lanes/guide/browser/dated-videos.ts';
import { guideVideos } from '#lanes/video/browser/guide-videos.ts';

const db = openDatabase();
endWithPage(db, self);
const locks = 'locks' in navigator ? navigator.locks : null;
const models = loadOnce(async () =>
  createModelOpener({ db, clock, timers, server: (await catalogServer(db)).http, openModel }),
);

expose(
  createGuideService({
    ...{ db, clock, ids, owner: ids.next() },
    shows: () => db.shows.toArray(),
    videos: async () => withAirDates(await guideVideos(db), await db.shows.toArray()),
    onVideos: (changed) => void liveQuery(() => guideVideos(db)).subscribe({ next: changed, error: () => undefined }),
    model: async () => (await models()).model(),
    async lives(owner) {
      const held = (await locks?.query())?.held ?? [];
      return held.some(({ name }) => name === lifeLock(owner));
    },
    // Never let go of: it ends with the worker.
    hold: (name) =>
      new Promise((has) => {
        if (locks === null) has();
        else void locks.request(name, () => new Promise<never>(() => has()));
      }),
    alone: (name, work) => (locks === null ? work() : locks.request(name, work)),
    wait: (ms) => new Promise((over) => void timers.set(over, ms)),
  }),
);
