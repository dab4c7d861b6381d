import type { JournalStore } from '#core/plan/rename-journal.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { Timers } from '../../http/socket.ts';
import type { AccessionDb } from '../db.ts';
import type { ModelOpener } from '../llm/model-opener.ts';

export interface RoomDeps {
  db: AccessionDb;
  timers: Timers;
  /** The person's model; called when it is to be asked. */
  models: () => Promise<ModelOpener>;
  journal: JournalStore;
  clock: Clock;
  /** UUIDs. */
  ids: Ids;
  /** `navigator.platform`. */
  platform: string;
}
