import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { AccessionError, failed, isCode } from '#core/errors.ts';
import type { LaneServer, NamedKeptFile } from '#server/lane-server.ts';
import type { Reader } from '#server/store/schema.ts';
import type { Store } from '#server/store/store.ts';
import {
  FORMAT,
  isOwn,
  rowsOf,
  TABLES,
  type BackupFile,
  type Manifest,
  type Tables,
  writeEnd,
  writeEntry,
} from './format.ts';

/** Rows of one part: small enough to be held, and to be sent in one statement when they are put back. */
const ROWS = 500;

/** Where the files of each kind lie. */
export type Roots = Record<BackupFile['root'], string>;

export interface BackupUsing {
  lanes: readonly LaneServer[];
  /** One line, to the terminal's output. */
  say: (line: string) => void;
  /** Makes the names in a directory last. */
  sync: (directory: string) => Promise<void>;
}

/** @param uploads the `temp_dir` of accession.toml */
export const rootsOf = (data: string, uploads: string): Roots => ({
  media: join(data, 'media'),
  'media-former': join(data, 'media-former'),
  'documents/contents': join(data, 'documents', 'contents'),
  ingestion_uploads: uploads,
});

/**
 * Writes everything that the server keeps into one new file, while it runs: the rows of one moment, and the files
 * that they name. Throws AccessionError where the file is there already; half a backup never has its name.
 */
export async function backup(
  store: Store,
  roots: Roots,
  out: string,
  { say, sync, lanes }: BackupUsing,
): Promise<Manifest> {
  if (existsSync(out)) throw refusal(`"${out}" is there already; a backup never writes over a file.`);
  const part = `${out}.part`;
  const file = await open(part, 'w', 0o600);
  try {
    const { tables, named } = await store.snapshot(async (db) => {
      const known: Tables = Object.assign({}, ...lanes.map((lane) => lane.tables), TABLES);
      const derived = new Set(lanes.flatMap((lane) => lane.derived ?? []));
      const there = (await db.introspection.getTables())
        .map(({ name }) => name)
        .filter((name) => !isOwn(name) && !derived.has(name));
      const stray = there.find((name) => known[name] === undefined);
      if (stray !== undefined) throw new Error(`the backup does not know the key of the table ${stray}`);
      const migrations = await migrationsOf(db);
      await writeJson(file, 'format.json', { format: FORMAT, migrations });
      const counts: Record<string, number> = {};
      for (const [table, key] of Object.entries(known))
        if (there.includes(table)) counts[table] = await writeTable(file, db, table, key);
      return { tables: counts, named: await filesOf(db, lanes) };
    });
    const { files, lost } = await writeBlobs(file, roots, named);
    const whole: Manifest = { tables, files, lost: await stillNamed(store.db, lost) };
    await writeJson(file, 'manifest.json', whole);
    await writeEnd(file);
    await file.sync();
    await file.close();
    await rename(part, out);
    await sync(dirname(out));
    say(`${rowsOf(whole)} rows and ${whole.files.length} files are in ${out}`);
    for (const { root, path } of whole.lost) say(`missing or damaged, and not in the backup: ${root}/${path}`);
    return whole;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}

/** Rows after `after` in the order of the key. */
async function nextRows(
  db: Reader,
  table: string,
  key: readonly string[],
  after: Record<string, unknown> | null,
): Promise<Record<string, unknown>[]> {
  const order = sql.join(key.map((name) => sql.ref(name)));
  const from = after === null ? sql`` : sql`where (${order}) > (${sql.join(key.map((name) => sql.val(after[name])))})`;
  const all = sql<
    Record<string, unknown>
  >`select * from ${sql.table(table)} ${from} order by ${order} limit ${sql.lit(ROWS)}`;
  return (await all.execute(db)).rows;
}

/** Names of the migrations that a database has been through, oldest first. */
export async function migrationsOf(db: Reader): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}

async function writeTable(file: FileHandle, db: Reader, table: string, key: readonly string[]): Promise<number> {
  let after: Record<string, unknown> | null = null;
  let count = 0;
  for (let part = 0; ; part += 1) {
    const rows = await nextRows(db, table, key, after);
    const last = rows.at(-1);
    if (last === undefined) return count;
    const lines = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    await writeEntry(file, `tables/${table}/${part}.jsonl`, lines.length, [lines]);
    count += rows.length;
    after = last;
  }
}

async function filesOf(db: Reader, lanes: readonly LaneServer[]): Promise<NamedKeptFile[]> {
  const files: NamedKeptFile[] = [];
  for (const lane of lanes) for await (const file of lane.files?.(db) ?? []) files.push(file);
  for (const { id, sha256 } of await db.selectFrom('work_files').select(['id', 'sha256']).execute())
    files.push({ root: 'ingestion_uploads', path: id, sha256 });
  return files;
}

async function writeBlobs(
  file: FileHandle,
  roots: Roots,
  named: readonly NamedKeptFile[],
): Promise<Pick<Manifest, 'files' | 'lost'>> {
  const written = new Set<string>();
  const files: BackupFile[] = [];
  const lost: BackupFile[] = [];
  for (const { moved, size: _size, ...one } of named) {
    for (const place of moved === undefined ? [one] : [one, moved])
      if (!written.has(one.sha256) && (await writeBlob(file, join(roots[place.root], place.path), one.sha256)))
        written.add(one.sha256);
    (written.has(one.sha256) ? files : lost).push(one);
  }
  return { files, lost };
}

/** Uploads that were worked on to their end while the backup was written are not lost: their files were let go. */
async function stillNamed(db: Reader, lost: readonly BackupFile[]): Promise<BackupFile[]> {
  const named: BackupFile[] = [];
  for (const one of lost) {
    const row = db.selectFrom('work_files').select('id').where('id', '=', one.path);
    if (one.root !== 'ingestion_uploads' || (await row.executeTakeFirst()) !== undefined) named.push(one);
  }
  return named;
}

/** Reads it twice: what is not what its name says is left out. */
async function writeBlob(file: FileHandle, path: string, sha256: string): Promise<boolean> {
  try {
    const { size } = await stat(path);
    if ((await hashOf(path)) !== sha256) return false;
    await writeEntry(file, `blobs/${sha256}`, size, chunksOf(path));
    return true;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}

const chunksOf = (path: string): AsyncIterable<Uint8Array> => createReadStream(path, { highWaterMark: 256 * 1024 });

/** SHA-256 of a file, hex. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunksOf(path)) hash.update(chunk);
  return hash.digest('hex');
}

async function writeJson(file: FileHandle, name: string, value: unknown): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(value));
  await writeEntry(file, name, bytes.length, [bytes]);
}

export function refusal(message: string): AccessionError {
  return failed('invalid', message);
}
