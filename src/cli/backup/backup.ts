import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { AccessionError, failure } from '#core/errors.ts';
import { formerPath } from '#server/ingest/place.ts';
import type { Reader } from '#server/store/schema.ts';
import type { Store } from '#server/store/store.ts';
import { FORMAT, isCode, isOwn, REFERRED, type BackupFile, type Manifest } from './format.ts';
import { writeEnd, writeEntry } from './tar-file.ts';

/** Rows of one part: small enough to be held, and to be sent in one statement when they are put back. */
const ROWS = 500;

/** Where the files of each kind lie. */
export interface Roots {
  media: string;
  'media-former': string;
  ingestion_uploads: string;
}

/** @param uploads the `temp_dir` of accession.toml */
export const rootsOf = (data: string, uploads: string): Roots => ({
  media: join(data, 'media'),
  'media-former': join(data, 'media-former'),
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
  { say, sync }: { say: (line: string) => void; sync: (directory: string) => Promise<void> },
): Promise<Manifest> {
  if (await isThere(out)) throw refusal(`"${out}" is there already; a backup never writes over a file.`);
  const part = `${out}.part`;
  const file = await open(part, 'w', 0o600);
  try {
    const manifest = await store.snapshot(async (db) => {
      const tables = (await db.introspection.getTables()).map(({ name }) => name).filter((name) => !isOwn(name));
      const migrations = await migrationsOf(db);
      await writeJson(file, 'format.json', { format: FORMAT, migrations });
      const counts: Record<string, number> = {};
      for (const table of inOrder(tables)) counts[table] = await writeTable(file, db, table);
      return { tables: counts, files: await filesOf(db), lost: [] };
    });
    const written = await writeBlobs(file, roots, manifest);
    const whole = { ...written, lost: await stillNamed(store.db, written.lost) };
    await writeJson(file, 'manifest.json', whole);
    await writeEnd(file);
    await file.sync();
    await file.close();
    await rename(part, out);
    await sync(dirname(out));
    const rows = Object.values(whole.tables).reduce((sum, count) => sum + count, 0);
    say(`${rows} rows and ${whole.files.length} files are in ${out}`);
    for (const lost of whole.lost) say(`missing or damaged, and not in the backup: ${lost.root}/${lost.path}`);
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

function inOrder(tables: readonly string[]): string[] {
  const rest = tables.filter((name) => !REFERRED.includes(name)).sort();
  return [...REFERRED.filter((name) => tables.includes(name)), ...rest];
}

async function writeTable(file: FileHandle, db: Reader, table: string): Promise<number> {
  const key = await keyOf(db, table);
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

/** Columns that tell rows apart: every table has a key that begins with the columns it was made with. */
async function keyOf(db: Reader, table: string): Promise<string[]> {
  const known: Record<string, string[]> = KEYS;
  const key = known[table];
  if (key !== undefined) return key;
  const found = (await db.introspection.getTables()).find(({ name }) => name === table);
  const columns = found?.columns.map(({ name }) => name) ?? [];
  if (columns.includes('id')) return ['id'];
  throw new Error(`the backup does not know the key of the table ${table}`);
}

/** Keys of the tables that have no column `id`. */
const KEYS = {
  show_seasons: ['show_id', 'number'],
  show_episodes: ['show_id', 'season', 'number'],
  meta: ['key'],
  changes: ['kind', 'entity_id'],
  search_terms: ['term'],
  search_grams: ['gram', 'term'],
  search_postings: ['kind', 'entity_id', 'term'],
  tokens: ['token_hash'],
  idempotency: ['user_id', 'key'],
  placements: ['path'],
  former_media: ['path', 'sha256'],
  ingestion_review_jobs: ['review_id', 'job_id'],
  ingestion_updates: ['seq'],
  model_usage: ['user_id', 'day'],
  rate_counters: ['name'],
};

/** Every file that a row names. */
async function filesOf(db: Reader): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  const placed = db.selectFrom('tracks').select(['output_file_path as path', 'audio_sha256 as sha256']);
  for (const { path, sha256 } of await placed.where('output_file_path', 'is not', null).execute())
    if (path !== null && sha256 !== null) files.push({ root: 'media', path, sha256 });
  const former = db.selectFrom('former_media').select(['path', 'former_path', 'sha256', 'moved']);
  for (const { path, former_path, sha256, moved } of await former.execute())
    files.push(moved === 1 ? { root: 'media-former', path: former_path, sha256 } : { root: 'media', path, sha256 });
  for (const { id, sha256 } of await db.selectFrom('work_files').select(['id', 'sha256']).execute())
    files.push({ root: 'ingestion_uploads', path: id, sha256 });
  return files;
}

async function writeBlobs(file: FileHandle, roots: Roots, manifest: Manifest): Promise<Manifest> {
  const written = new Set<string>();
  const files: BackupFile[] = [];
  const lost: BackupFile[] = [];
  for (const one of manifest.files) {
    // What was replaced while the rows were read has moved since.
    const places = [join(roots[one.root], one.path), join(roots['media-former'], formerPath(one.path, one.sha256))];
    for (const place of places)
      if (!written.has(one.sha256) && (await writeBlob(file, place, one.sha256))) written.add(one.sha256);
    (written.has(one.sha256) ? files : lost).push(one);
  }
  return { ...manifest, files, lost };
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
    const hash = createHash('sha256');
    for await (const chunk of chunksOf(path)) hash.update(chunk);
    if (hash.digest('hex') !== sha256) return false;
    await writeEntry(file, `blobs/${sha256}`, size, chunksOf(path));
    return true;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}

const chunksOf = (path: string): AsyncIterable<Uint8Array> => createReadStream(path, { highWaterMark: 256 * 1024 });

async function writeJson(file: FileHandle, name: string, value: unknown): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(value));
  await writeEntry(file, name, bytes.length, [bytes]);
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

export function refusal(message: string): AccessionError {
  return new AccessionError(failure('invalid', message));
}
