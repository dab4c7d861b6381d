import type { JournalStore } from '#core/plan/rename-journal.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { AccessionDb } from '../db.ts';

export interface RoomDeps {
  db: AccessionDb;
  journal: JournalStore;
  clock: Clock;
  /** UUIDs. */
  ids: Ids;
  /** `navigator.platform`. */
  platform: string;
}
