/** Reads folders of videos and renames what is in them. The door is VideoApi (adapters/browser/video/video-api.types.ts). */
import { expose } from 'comlink';
import { catalogServer } from '#adapters/browser/catalog-server.ts';
import { AccessionDb } from '#adapters/browser/db.ts';
import { createModelOpener } from '#adapters/browser/llm/model-opener.ts';
import { systemClock as clock, systemTimers as timers } from '#adapters/browser/system.ts';
import { dexieJournalStore } from '#adapters/browser/video/journal-store.ts';
import { createVideoRoom } from '#adapters/browser/video/room.ts';
import { spawnModel as openModel } from '#adapters/models/spawn-model.ts';
import { randomUuids } from '#core/plan/uuid.ts';

const db = new AccessionDb();

expose(
  createVideoRoom({
    db,
    journal: dexieJournalStore(db, navigator.locks),
    clock,
    timers,
    ids: randomUuids,
    platform: navigator.platform,
    models: async () => createModelOpener({ db, clock, timers, server: (await catalogServer(db)).http, openModel }),
  }),
);
