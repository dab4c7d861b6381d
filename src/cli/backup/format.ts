/**
 * A backup is one tar file, the same for both stores:
 *
 *   format.json                   what follows, to be refused early
 *   tables/<name>/<part>.jsonl    the rows of one moment, one JSON object a line
 *   blobs/<sha256>                audio, PDFs and waiting uploads, each content once
 *   manifest.json                 rows and files; last, so that a file that was cut off has none
 */
import { byteReader } from '#server/http/stream.ts';
import * as v from 'valibot';
import type { KeptFile } from '#server/lane-server.ts';
import type { FileHandle } from 'node:fs/promises';
import { tarHeader } from '#core/ingest/tar-header.ts';
import { MEDIA_ROOTS } from '#core/ports.ts';

export const FORMAT = 1;

export const HeadSchema = v.object({
  format: v.literal(FORMAT, 'the backup is of another format'),
  /** Names of the migrations that made its tables. */
  migrations: v.array(v.string()),
});

export const FileSchema = v.object({
  root: v.picklist([...MEDIA_ROOTS, 'ingestion_uploads'] satisfies KeptFile['root'][]),
  /** Under the root. */
  path: v.string(),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});
export type BackupFile = v.InferOutput<typeof FileSchema>;

export const ManifestSchema = v.object({
  tables: v.record(v.string(), v.number()),
  files: v.array(FileSchema),
  /** Files that were gone or not what the catalog says of them; they are not in the backup. */
  lost: v.array(FileSchema),
});
export type Manifest = v.InferOutput<typeof ManifestSchema>;

/** How many rows a backup has. */
export function rowsOf({ tables }: Manifest): number {
  return Object.values(tables).reduce((sum, count) => sum + count, 0);
}

/** The columns that tell the rows of a table apart. Of two tables that which the other refers to comes first. */
export type Tables = Readonly<Record<string, readonly string[]>>;

/** The server's own; each lane has further ones. */
export const TABLES: Tables = {
  ingestion_jobs: ['id'],
  ingestion_reviews: ['id'],
  users: ['id'],
  work_batches: ['id'],
  work_documents: ['batch_id', 'part'],
  work_files: ['id'],
  learned: ['user_id', 'lane', 'kind', 'key'],
  audit: ['id'],
  catalog_imports: ['id'],
  changes: ['kind', 'entity_id'],
  damage: ['root', 'path'],
  feed_counter: ['id'],
  feed_marks: ['seq'],
  idempotency: ['user_id', 'key'],
  ingestion_review_jobs: ['review_id', 'job_id'],
  ingestion_steps: ['id'],
  ingestion_updates: ['seq'],
  invites: ['id'],
  meta: ['key'],
  mirror_marks: ['mark'],
  model_requests: ['id'],
  model_usage: ['user_id', 'day'],
  rate_counters: ['name'],
  search_grams: ['gram', 'term'],
  search_postings: ['kind', 'entity_id', 'term'],
  search_terms: ['term'],
  tokens: ['token_hash'],
};

/** Kysely's own. */
export const isOwn = (table: string): boolean => table.startsWith('kysely_');

/** Plain tar files (ustar) of a few kinds of entries with short names, so that `tar tf` reads a backup, too. */

const BLOCK = 512;

/** @param size bytes that `chunks` has. Throws when it has another number of them. */
export async function writeEntry(
  file: FileHandle,
  name: string,
  size: number,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  await file.write(header(name, size));
  let written = 0;
  for await (const chunk of chunks) {
    await file.write(chunk);
    written += chunk.length;
  }
  if (written !== size) throw new Error(`${name} changed while it was read: ${written} bytes, not ${size}`);
  await file.write(Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK));
}

/** The two empty blocks that end a tar file. */
export async function writeEnd(file: FileHandle): Promise<void> {
  await file.write(Buffer.alloc(2 * BLOCK));
}

function header(name: string, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, 100);
  block.write('0000600\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((all, byte) => all + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

export interface TarEntry {
  name: string;
  size: number;
  /** To be read to its end before the next entry is asked for. */
  chunks: AsyncIterable<Uint8Array>;
}

/** Why a backup is none. */
export class UnreadableBackup extends Error {}

/** Throws UnreadableBackup when the file ends before it should or holds something else. */
export async function* readEntries(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const bytes = byteReader(source, () => new UnreadableBackup('it ends too early: it is not whole'));
  for (;;) {
    const block = await bytes.take(BLOCK);
    if (block.every((byte) => byte === 0)) return;
    const found = tarHeader(block);
    if (found === null) throw new UnreadableBackup('it is no tar file, or a damaged one');
    const { size } = found;
    yield { name: Buffer.from(found.name).toString('utf8'), size, chunks: bytes.stream(size) };
    await bytes.take((BLOCK - (size % BLOCK)) % BLOCK);
  }
}
