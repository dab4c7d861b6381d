import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { constants, copyFile, link, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { sql } from 'kysely';
import * as v from 'valibot';
import { isCode, messageOf } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import { COMMAND_LINE, writeAudit } from '#server/audit/audit.ts';
import { ADMIN_USER } from '#server/auth/tokens.ts';
import type { LaneServer } from '#server/lane-server.ts';
import { chunks } from '#server/store/rows.ts';
import type { Tx } from '#server/store/schema.ts';
import { CATALOG_ID, readMeta, writeMeta, type Store } from '#server/store/store.ts';
import { hashOf, migrationsOf, refusal, type Roots } from './backup.ts';
import {
  HeadSchema,
  isOwn,
  ManifestSchema,
  rowsOf,
  type BackupFile,
  type Manifest,
  readEntries,
  type TarEntry,
  UnreadableBackup,
} from './format.ts';

/** Written by every start, and by looking on. */
const OF_A_START: ReadonlySet<string> = new Set(['meta', 'feed_counter', 'rate_counters']);

export interface RestoreUsing {
  /** Whose tables are made from what else there is: these are left as they are. */
  lanes: readonly LaneServer[];
  newId: () => string;
  clock: Clock;
  /** Makes the names in a directory last. */
  sync: (directory: string) => Promise<void>;
}

/**
 * Puts a backup back into a store and directories that are empty, all of it or nothing: files first, hashed before they
 * count, then rows in one transaction. What is there already under a file's name has to be that file. The catalog gets
 * a new id: workstations read it anew, whatever they had seen of another past. Throws AccessionError with the reason.
 * @param data where files lie until all is known to be right
 */
export async function restore(
  store: Store,
  roots: Roots,
  data: string,
  path: string,
  { newId, clock, sync, lanes }: RestoreUsing,
): Promise<Manifest> {
  const derived = new Set(lanes.flatMap((lane) => lane.derived ?? []));
  await store.write((tx) => refuseRows(tx, derived));
  await mkdir(data, { recursive: true });
  const waiting = await mkdtemp(join(data, 'restore-'));
  const placed: string[] = [];
  const id = newId();
  try {
    // They take long, and a transaction should not.
    const manifest = await readFiles(waiting, path);
    const folders = new Set<string>();
    for (const file of manifest.files) folders.add(dirname(await putFile(roots, waiting, file, placed)));
    for (const folder of folders) await sync(folder);
    await store.write(async (tx) => {
      await refuseRows(tx, derived);
      for (const { name } of await tx.introspection.getTables())
        // Of the audit nothing is ever taken away.
        if (!isOwn(name) && !derived.has(name) && name !== 'audit')
          await sql`delete from ${sql.table(name)}`.execute(tx);
      await readRows(tx, path, manifest);
      await writeMeta(tx, CATALOG_ID, id);
      const line = {
        at: clock.now(),
        user_id: COMMAND_LINE,
        action: 'catalog.restored',
        entity_id: 'catalog',
      } as const;
      await writeAudit(tx, { ...line, details: { file: basename(path), rows: rowsOf(manifest) } });
    });
    return manifest;
  } catch (error) {
    // Where the answer was lost it may be done; where that cannot be known the next try takes the files as they are.
    const named = await readMeta(store.db, CATALOG_ID).catch(() => id);
    if (named !== id) for (const one of placed) await rm(one, { force: true });
    throw isUnreadable(error)
      ? refusal(`The backup ${path} cannot be read (${messageOf(error)}): nothing was put back. Take another one.`)
      : error;
  } finally {
    await rm(waiting, { recursive: true, force: true });
  }
}

/** What it holds is no backup's, or ends too early. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof UnreadableBackup || error instanceof SyntaxError || v.isValiError(error);

/** Anything but what a server writes before anybody did something. */
async function refuseRows(tx: Tx, derived: ReadonlySet<string>): Promise<void> {
  for (const { name } of await tx.introspection.getTables()) {
    if (isOwn(name) || derived.has(name) || OF_A_START.has(name)) continue;
    const column = name === 'tokens' ? 'user_id' : name === 'users' ? 'id' : null;
    const others = column === null ? sql`` : sql`where ${sql.ref(column)} <> ${ADMIN_USER}`;
    const { rows } = await sql`select 1 from ${sql.table(name)} ${others} limit 1`.execute(tx);
    if (rows.length > 0) throw refusal('The catalog is not empty; a backup is only put back into an empty one.');
  }
}

/** Everything but the rows; what is not whole or not right is refused. */
async function readFiles(waiting: string, path: string): Promise<Manifest> {
  const hashes = new Set<string>();
  let manifest: Manifest | null = null;
  for await (const entry of entriesOf(path)) {
    const [kind, name = ''] = entry.name.split('/');
    if (kind === 'blobs') hashes.add(await keepBlob(waiting, name, entry));
    else if (entry.name === 'manifest.json') manifest = v.parse(ManifestSchema, JSON.parse(await textOf(entry)));
    else if (kind === 'tables' || entry.name === 'format.json') for await (const _chunk of entry.chunks);
    else throw refusal(`The backup holds "${entry.name}", which is not known here.`);
  }
  if (manifest === null) throw refusal('The backup is not whole: its list is missing.');
  const gone = manifest.files.find(({ sha256 }) => !hashes.has(sha256));
  if (gone) throw refusal(`The backup is not whole: ${gone.root}/${gone.path} is missing.`);
  return manifest;
}

async function readRows(tx: Tx, path: string, manifest: Manifest): Promise<void> {
  const counts: Record<string, number> = {};
  for await (const entry of entriesOf(path)) {
    const [kind, name = ''] = entry.name.split('/');
    if (entry.name === 'format.json') await checkHead(tx, await textOf(entry));
    else if (kind === 'tables') counts[name] = (counts[name] ?? 0) + (await putRows(tx, name, await textOf(entry)));
    else break;
  }
  for (const [table, count] of Object.entries(manifest.tables))
    if ((counts[table] ?? 0) !== count) throw refusal(`The backup is not whole: rows of ${table} are missing.`);
}

const entriesOf = (path: string): AsyncGenerator<TarEntry> =>
  readEntries(createReadStream(path, { highWaterMark: 256 * 1024 }));

async function checkHead(tx: Tx, text: string): Promise<void> {
  const head = v.safeParse(HeadSchema, JSON.parse(text));
  if (!head.success) throw refusal(`This cannot be put back: ${head.issues[0].message}.`);
  const here = await migrationsOf(tx);
  if (here.join() === head.output.migrations.join()) return;
  const newest = head.output.migrations.at(-1) ?? 'none';
  throw refusal(
    `The backup was made by another version of Accession (its newest table form is ${newest}): put it back with that version, then upgrade.`,
  );
}

async function putRows(tx: Tx, table: string, text: string): Promise<number> {
  // Written by `backup`, one object a line, all of one table with the same columns.
  const rows = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const columns = Object.keys(rows[0] ?? {});
  for (const part of chunks(rows, columns.length)) {
    const names = sql.join(columns.map((name) => sql.ref(name)));
    const values = part.map((row) => sql`(${sql.join(columns.map((name) => plain(row[name])))})`);
    await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(values)}`.execute(tx);
  }
  return rows.length;
}

/** Old SQLite databases may hold the NUL character, which no store takes any more. */
function plain(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}

/** Under its hash, once it is known to be right. */
async function keepBlob(waiting: string, sha256: string, entry: TarEntry): Promise<string> {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw refusal(`The backup holds a file with the name "${sha256}".`);
  const hash = createHash('sha256');
  const file = await open(join(waiting, sha256), 'wx');
  try {
    for await (const chunk of entry.chunks) {
      hash.update(chunk);
      await file.write(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  if (hash.digest('hex') !== sha256) throw refusal(`The backup is damaged: blobs/${sha256} is not what its name says.`);
  return sha256;
}

/** Adds what it wrote to `placed`. Answers where the file is. */
async function putFile(roots: Roots, waiting: string, file: BackupFile, placed: string[]): Promise<string> {
  const root = resolve(roots[file.root]);
  const target = resolve(root, file.path);
  if (!target.startsWith(root + sep)) throw refusal(`The backup names a file outside of its place: "${file.path}".`);
  await mkdir(dirname(target), { recursive: true });
  const source = join(waiting, file.sha256);
  try {
    await link(source, target);
  } catch (error) {
    // A restore that was killed may have put it there.
    if (isCode(error, 'EEXIST') && (await hashOf(target)) === file.sha256) return target;
    if (isCode(error, 'EEXIST')) throw refusal(`"${target}" is there already; nothing is written over.`);
    if (!isCode(error, 'EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK')) throw error;
    await copyWhole(source, target);
  }
  placed.push(target);
  return target;
}

async function copyWhole(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_EXCL);
  const copy = await open(target, 'r+');
  try {
    await copy.sync();
  } finally {
    await copy.close();
  }
}

async function textOf(entry: TarEntry): Promise<string> {
  return Buffer.concat(await Array.fromAsync(entry.chunks)).toString('utf8');
}
