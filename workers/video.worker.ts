/** Reads folders of videos and renames what is in them. The RPC interface is VideoApi (lanes/video/browser/video-api.types.ts). */
import { expose } from 'comlink';
import { endWithPage } from '#adapters/browser/end-with-page.ts';
import { catalogServer } from '#adapters/browser/sync/catalog-server.ts';
import { createModelOpener } from '#adapters/browser/llm/model-opener.ts';
import { systemClock as clock, systemTimers as timers } from '#adapters/browser/system.ts';
import { dexieJournalStore } from '#adapters/browser/plans/journal-store.ts';
import { openDatabase } from '#lanes/database.ts';
import { createVideoService } from '#lanes/video/browser/video-service.ts';
import { spawnModel as openModel } from '#adapters/browser/llm/spawn-model.ts';
import { randomUuids } from '#core/ids.ts';

const db = openDatabase();
endWithPage(db, self);

expose(
  createVideoService({
    db,
    journal: dexieJournalStore(db, navigator.locks),
    clock,
    timers,
    ids: randomUuids,
    platform: navigator.platform,
    models: async () => createModelOpener({ db, clock, timers, server: (await catalogServer(db)).http, openModel }),
  }),
);
