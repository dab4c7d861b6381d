/**
 * The catalog as one file: the index that a workstation would build itself, with every field of every record. It is
 * read from the store a batch at a time while the server answers; what changes meanwhile is in the feed after
 * the cursor that was taken first.
 *
 *   rows --CompactBuilder, in slices--> pieces --sha256, gzip--> <temporary> --fsync, rename--> <name>.gz
 */
import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Built } from '#lanes/music/core/index/build.ts';
import { CATALOG_FORMAT, packCatalog } from '#lanes/music/core/index/compact-catalog.ts';
import type { Snapshot } from '#lanes/music/core/catalog.ts';
import type { DurableFiles } from '#server/lane-server.ts';
import { feedCursor, feedPosition } from '#server/store/feed.ts';
import type { Reader } from '#server/store/schema.ts';
import { CATALOG_ID, readMeta } from '#server/store/store.ts';
import { inTurns, readCatalog } from './read-catalog.ts';

/** A snapshot and its place in the feed. */
export interface Written extends Snapshot {
  seq: number;
}

const PIECE_BYTES = 1024 * 1024;

/**
 * Writes a snapshot into `directory`. Whoever sees `<name>.gz` sees all of it.
 * @throws AbortError once `signal` says so; nothing is left behind then
 */
export async function writeSnapshot(
  db: Reader,
  directory: string,
  files: Pick<DurableFiles, 'sync'>,
  signal: AbortSignal,
): Promise<Written> {
  const catalog_id = (await readMeta(db, CATALOG_ID)) ?? '';
  const seq = await feedPosition(db);
  const cursor = await feedCursor(db, catalog_id, seq);
  const { catalog, strings } = await buildIndex(db, { catalog_id, cursor }, signal);
  const pieces = packCatalog(catalog, strings);
  const temporary = join(directory, `tmp-${randomBytes(6).toString('hex')}`);
  try {
    const hash = createHash('sha256');
    await pipeline(Readable.from(cut(pieces, hash)), createGzip(), createWriteStream(temporary), { signal });
    const handle = await open(temporary, 'r+');
    await handle.sync();
    await handle.close();
    const sha256 = hash.digest('hex');
    const name = `catalog-${CATALOG_FORMAT}-${cursor.replaceAll('.', '-')}-${sha256.slice(0, 12)}`;
    const { size } = await stat(temporary);
    await rename(temporary, join(directory, `${name}.gz`));
    await files.sync(directory);
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    return {
      ...{ name, format: CATALOG_FORMAT, catalog_id, cursor, seq, bytes, sha256 },
      ...{ packed_bytes: size, tracks: catalog.tracks.id.length },
    };
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Pieces small enough that hashing one does not hold up requests. */
function* cut(pieces: readonly Uint8Array[], hash: { update(bytes: Uint8Array): unknown }): Generator<Uint8Array> {
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += PIECE_BYTES) {
      const part = piece.subarray(at, at + PIECE_BYTES);
      hash.update(part);
      yield part;
    }
}

async function buildIndex(db: Reader, about: object, signal: AbortSignal): Promise<Built> {
  const builder = await readCatalog(db, signal);
  // Few beside the catalog, and not of the index: they travel in its head.
  const requests = await db.selectFrom('download_requests').selectAll().orderBy('id').execute();
  return inTurns(builder.steps({ ...about, requests }), signal);
}
