/** Reads folders of videos and renames what is in them. The door is VideoApi (adapters/browser/video/video-api.types.ts). */
import { expose } from 'comlink';
import { AccessionDb } from '#adapters/browser/db.ts';
import { systemClock } from '#adapters/browser/system.ts';
import { dexieJournalStore } from '#adapters/browser/video/journal-store.ts';
import { createVideoRoom } from '#adapters/browser/video/room.ts';
import { randomUuids } from '#core/plan/uuid.ts';

const db = new AccessionDb();

expose(
  createVideoRoom({
    db,
    journal: dexieJournalStore(db, navigator.locks),
    clock: systemClock,
    ids: randomUuids,
    platform: navigator.platform,
  }),
);
