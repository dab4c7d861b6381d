/** The folders of the server's library: what accession.toml names, and who sees which. */
import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Clock } from '#core/ports.ts';
import { may, SCOPES, type Principal } from '#server/auth/principal.ts';
import type { LibraryConfig } from '#server/config-file.ts';
import { HttpError } from '#server/http/http-error.ts';
import type { Store } from '#server/store/store.ts';
import type { Reader, Tx } from '#server/store/schema.ts';
import type { LibraryFolderTable, LibraryReaderTable } from './tables.ts';

/** Of a folder by its name, so that its address stays when it is moved on the disk. */
export const folderId = (name: string): string => `lf_${createHash('sha256').update(name).digest('hex').slice(0, 20)}`;

type Named = LibraryConfig['folders'][number];

const EMPTY = {
  ...{ found: 0, done: 0, reading: '', files: 0, chunks: 0, pieces: 0, words: 0, failures: 0, left_out: '{}' },
  ...{ error: null, completed_at: null, lease_id: null, lease_until: null, removed: 0 },
} as const;

/**
 * Brings the table to what accession.toml says. A folder that it no longer names is nobody's from now on. Answers how
 * many there are, those that are to be taken away included.
 */
export async function nameFolders(store: Store, clock: Clock, folders: readonly Named[]): Promise<number> {
  const ids = folders.map(({ name }) => folderId(name));
  return store.write(async (tx) => {
    const known = new Map(
      (await tx.selectFrom('library_folders').selectAll().execute()).map((row) => [row.id, row] as const),
    );
    const gone = [...known.keys()].filter((id) => !ids.includes(id));
    if (gone.length > 0)
      await tx.updateTable('library_folders').set({ removed: 1, due_at: 0 }).where('id', 'in', gone).execute();
    await tx.deleteFrom('library_readers').execute();
    for (const folder of folders) await putFolder(tx, clock, folder, known.get(folderId(folder.name)));
    return gone.length + folders.length;
  });
}

/** A folder beside those of accession.toml, for administrators; the next start of a server takes it away. Answers its id. */
export async function addFolder(store: Store, clock: Clock, folder: Pick<Named, 'name' | 'path'>): Promise<string> {
  const id = folderId(folder.name);
  await store.write(async (tx) => {
    const before = await tx.selectFrom('library_folders').selectAll().where('id', '=', id).executeTakeFirst();
    await tx.deleteFrom('library_readers').where('folder_id', '=', id).execute();
    await putFolder(tx, clock, { ...folder, readers: [] }, before);
    await tx.updateTable('library_folders').set({ due_at: clock.now() }).where('id', '=', id).execute();
  });
  return id;
}

async function putFolder(tx: Tx, clock: Clock, folder: Named, before: LibraryFolderTable | undefined): Promise<void> {
  const id = folderId(folder.name);
  const same = before?.path === folder.path && before.removed === 0;
  const now = { name: folder.name, path: folder.path, removed: 0, ...(same ? {} : { due_at: clock.now() }) };
  if (before !== undefined) await tx.updateTable('library_folders').set(now).where('id', '=', id).execute();
  else
    await tx
      .insertInto('library_folders')
      .values({ ...EMPTY, due_at: clock.now(), ...now, id })
      .execute();
  await tx.insertInto('library_readers').values(readersOf(id, folder.readers)).execute();
}

function readersOf(folder_id: string, readers: readonly string[]): LibraryReaderTable[] {
  const scopes: readonly string[] = SCOPES;
  return [...new Set(['Admin', ...readers])].map((who) => ({
    folder_id,
    kind: scopes.includes(who) ? 'scope' : 'person',
    who,
  }));
}

/** The ids of the folders that the caller sees, as SQL. */
export function seenBy(principal: Principal): RawBuilder<string> {
  const scopes = SCOPES.filter((scope) => may(principal, scope));
  const { user_id } = principal;
  return sql<string>`
    select r.folder_id from library_readers r
    where (r.kind = 'scope' and r.who in (${sql.join([...scopes, ''])}))
    or (r.kind = 'person' and (r.who = ${user_id}
      or r.who in (select u.name from users u where u.id = ${user_id} and u.removed_at is null)))`;
}

/** What the caller sees, by name. */
export async function foldersOf(db: Reader, principal: Principal): Promise<LibraryFolderTable[]> {
  return db
    .selectFrom('library_folders')
    .selectAll()
    .where('removed', '=', 0)
    .where(sql<boolean>`id in (${seenBy(principal)})`)
    .orderBy('name')
    .execute();
}

/** Throws HttpError 404 where there is none of this id that the caller sees. */
export async function folderOf(db: Reader, principal: Principal, id: string): Promise<LibraryFolderTable> {
  const row = await db
    .selectFrom('library_folders')
    .selectAll()
    .where('id', '=', id)
    .where('removed', '=', 0)
    .where(sql<boolean>`id in (${seenBy(principal)})`)
    .executeTakeFirst();
  if (row === undefined) throw noFolder(id);
  return row;
}

export const noFolder = (id: string): HttpError =>
  new HttpError('not_found', `The library has no folder "${id.slice(0, 100)}".`);
