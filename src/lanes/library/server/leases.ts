/**
 * Who indexes a folder. Several processes share the folders:
 *
 *   due --take--> held for LEASE_MS --hold, with each change--> held on --finish--> due again later
 *                   `--(nobody holds it any more: its process is gone)--> due
 *
 * Whoever holds a folder changes its rows only in transactions that still find the lease its own.
 */
import type { Clock, Ids } from '#core/ports.ts';
import { failed } from '#core/errors.ts';
import type { Store } from '#server/store/store.ts';
import type { Tx } from '#server/store/schema.ts';
import type { LibraryFolderTable } from './tables.ts';

/** How long a folder stays somebody's without a word, milliseconds. */
export const LEASE_MS = 60_000;

export interface Lease {
  folder: LibraryFolderTable;
  id: string;
  taken_at: number;
}

/** Takes the folder that waits longest, or null. @param of those that this process may read; removed ones are anybody's */
export async function takeFolder(
  store: Store,
  { clock, ids }: { clock: Clock; ids: Ids },
  of: readonly string[],
): Promise<Lease | null> {
  const now = clock.now();
  const due = (db: Store['db']) =>
    db
      .selectFrom('library_folders')
      .selectAll()
      .where('due_at', '<=', now)
      .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
      .where((eb) => eb.or([eb('removed', '=', 1), eb('id', 'in', [...of, ''])]))
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst();
  // Most of the time there is none, and nobody has to wait for a look.
  if ((await due(store.db)) === undefined) return null;
  return store.write(async (tx) => {
    const folder = await due(tx);
    if (folder === undefined) return null;
    const id = ids.next();
    const held = { lease_id: id, lease_until: now + LEASE_MS, found: 0, done: 0, reading: '' };
    await tx.updateTable('library_folders').set(held).where('id', '=', folder.id).execute();
    return { folder, id, taken_at: now };
  });
}

/** What a process of this name held that was killed is free again: it has only one at a time. */
export async function freeFolders(store: Store, holder: string): Promise<void> {
  await store.write((tx) =>
    tx
      .updateTable('library_folders')
      .set({ lease_id: null, lease_until: null })
      .where('lease_id', 'like', `${holder}.%`)
      .execute(),
  );
}

/** Holds the folder on, and says how far it is. Throws AccessionError `cancelled` where it is another's by now. */
export async function holdFolder(
  tx: Tx,
  { folder, id }: Lease,
  clock: Clock,
  said: Partial<Pick<LibraryFolderTable, 'found' | 'done' | 'reading'>>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('library_folders')
    .set({ lease_until: clock.now() + LEASE_MS, ...said })
    .where('id', '=', folder.id)
    .where('lease_id', '=', id)
    .executeTakeFirst();
  if (Number(numUpdatedRows) === 0) throw failed('cancelled', 'Another process indexes this folder by now.');
}

/** Gives the folder back. `everyMs`: until it is looked through again; sooner, where somebody asked for it meanwhile. */
export async function finishFolder(
  tx: Tx,
  { folder, id, taken_at }: Lease,
  clock: Clock,
  everyMs: number,
  said: Partial<Pick<LibraryFolderTable, 'error' | 'left_out' | 'completed_at'>>,
): Promise<void> {
  const row = tx.selectFrom('library_folders').select('due_at').where('id', '=', folder.id).where('lease_id', '=', id);
  const now = await row.executeTakeFirst();
  if (now === undefined) return;
  const due_at = now.due_at > taken_at ? now.due_at : clock.now() + everyMs;
  await tx
    .updateTable('library_folders')
    .set({ lease_id: null, lease_until: null, reading: '', due_at, ...said })
    .where('id', '=', folder.id)
    .execute();
}
