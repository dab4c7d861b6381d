import type { Connection } from '#core/sync/connection.ts';
import type { AccessionDb } from '../db.ts';
import { readSyncState, type SyncState } from '../meta.ts';

/** The time of the last contact is written at most this often, or every answer would wake every page. */
const CONTACT_GRAIN_MS = 15_000;

/**
 * Writes the meta row `sync` from what is known now. `nextOutboxTry` is when the next waiting item is due,
 * null when none waits for a time. Writes nothing when nothing changed that a person could see.
 */
export async function saveSyncState(
  db: AccessionDb,
  connection: Connection,
  nextOutboxTry: number | null,
): Promise<void> {
  await db.transaction('rw', [db.outbox, db.meta], async () => {
    // Counted, not read: it is asked at each write, and a long time offline fills the outbox.
    const [all, parked, oldest] = await Promise.all([
      db.outbox.count(),
      db.outbox.where('state').equals('parked').count(),
      db.outbox
        .orderBy('created_at')
        .filter((item) => item.state !== 'parked')
        .first(),
    ]);
    const waiting = all - parked;
    const tries = [connection.next_try_at, waiting > 0 ? nextOutboxTry : null].filter((at) => at !== null);
    const before = await readSyncState(db);
    const state: SyncState = {
      online: connection.state === 'ok',
      state: connection.state,
      message: connection.message,
      waiting,
      oldest_waiting_at: oldest?.created_at ?? null,
      // An earlier session's counts until this one has its own.
      last_contact_at: connection.last_contact_at ?? before?.last_contact_at ?? null,
      next_try_at: tries.length > 0 ? Math.min(...tries) : null,
    };
    if (before !== null && same(before, state)) return;
    await db.meta.put({ key: 'sync', value: state });
  });
}

function same(a: SyncState, b: SyncState): boolean {
  const contact = Math.abs((a.last_contact_at ?? 0) - (b.last_contact_at ?? 0)) < CONTACT_GRAIN_MS;
  return contact && JSON.stringify({ ...a, last_contact_at: 0 }) === JSON.stringify({ ...b, last_contact_at: 0 });
}
