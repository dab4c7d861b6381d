import { liveQuery } from 'dexie';
import type { AccessionDb } from '../db.ts';
import { readReplicaState, readSyncState } from '../meta.ts';

/**
 * Calls `replica` after the offline copy of the catalog changed, `online` when the server answers again, and `settings`
 * when the person set something else.
 */
export function watchSync(db: AccessionDb, call: { replica(): void; online(): void; settings(): void }): void {
  liveQuery(() => readReplicaState(db)).subscribe(() => call.replica());
  liveQuery(() => db.settings.toArray()).subscribe(() => call.settings());
  let before = false;
  liveQuery(async () => (await readSyncState(db))?.online ?? false).subscribe((online) => {
    if (online && !before) call.online();
    before = online;
  });
}
