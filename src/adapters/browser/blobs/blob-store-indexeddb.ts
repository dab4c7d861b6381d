import { writeCounted, writeHashed, type Write } from '#core/ingest/write-hashed.ts';
import type { BlobRef, Cancel } from '#core/ports.ts';
import { ownName } from '../../blob-name.ts';
import { blobRange, ownBytes } from '../../media/blob-pieces.ts';
import { defaultGrace, type BrowserBlobStore } from './blob-store.types.ts';
import type { AccessionDb, IndexedDbBlobRow, BlobPartRow } from '../db.ts';
import { missingBlob, storageFailure, isOutOfSpace } from './storage-failure.ts';
import type { Collection } from 'dexie';

/**
 * How the bytes of a blob lie in IndexedDB: as one Blob, which the browser keeps on disk and reads when it is asked,
 * or, where it refuses Blobs in rows (WebKit's private and automated sessions), as rows of bytes of one length.
 */

type BlobParts = NonNullable<IndexedDbBlobRow['parts']>;

/** What a row of `blobs` says of where its bytes are. */
type BlobPlace = Pick<IndexedDbBlobRow, 'blob' | 'parts'>;

/** Takes the bytes of one blob, one write after the other. */
interface BlobRows {
  write(chunk: Uint8Array): Promise<void> | void;
  /** Every byte is stored, or is in the Blob that is to be stored. */
  end(): Promise<BlobPlace>;
  /** Lets go of what was stored; never throws. */
  drop(): Promise<void>;
}

/** Parts are handed to the browser as Blobs of this size, which it may keep on disk. */
const BLOB_PART_BYTES = 8 * 1024 * 1024;
/** Bytes of a row: a range is read by its rows, and a row is read whole. */
const ROW_BYTES = 1024 * 1024;

/** WebKit, by its name; Chromium's browsers name it too, for the sake of old pages. */
const WEBKIT = /AppleWebKit\/(?!.*Chrom)/;

/**
 * Whether this browser keeps Blobs in rows, in this session. WebKit's private sessions refuse them, and its others lose
 * some of what they took ("I/O read operation failed", "Cannot inject key into script value", seen in WebKitGTK 2.50);
 * trying is the only way to know of the others. `agent`: the browser's name for itself.
 */
export async function keepsBlobs(db: AccessionDb, agent: string = navigator.userAgent): Promise<boolean> {
  if (WEBKIT.test(agent)) return false;
  const name = `probe-${crypto.randomUUID()}`;
  try {
    await db.files.put({ name, blob: new Blob(['?']) });
    await db.files.delete(name);
    return true;
  } catch (error) {
    // Full is not unable: what does not fit is said when it is stored.
    return isOutOfSpace(error);
  }
}

function asOneBlob(): BlobRows {
  const parts: Blob[] = [];
  let open: Uint8Array<ArrayBuffer>[] = [];
  let openBytes = 0;
  const close = (): void => {
    parts.push(new Blob(open));
    open = [];
    openBytes = 0;
  };
  return {
    write(chunk) {
      // Copied: a producer may use its buffer again before the part is closed.
      open.push(ownBytes(chunk).slice());
      openBytes += chunk.length;
      if (openBytes >= BLOB_PART_BYTES) close();
    },
    async end() {
      close();
      return { blob: new Blob(parts) };
    },
    drop: async () => undefined,
  };
}

/** `now`: milliseconds; a name says when it was begun, so that what a kill left behind is known by its age. */
function asParts(db: AccessionDb, now: number): BlobRows {
  const of = `${now}-${crypto.randomUUID()}`;
  const row = new Uint8Array(ROW_BYTES);
  let filled = 0;
  let index = 0;
  const flush = async (): Promise<void> => {
    await db.blob_parts.put({ of, index, bytes: row.slice(0, filled).buffer });
    index += 1;
    filled = 0;
  };
  return {
    async write(chunk) {
      for (let at = 0; at < chunk.length;) {
        const piece = chunk.subarray(at, at + ROW_BYTES - filled);
        row.set(piece, filled);
        filled += piece.length;
        at += piece.length;
        if (filled === ROW_BYTES) await flush();
      }
    },
    async end() {
      if (filled > 0) await flush();
      return { blob: null, parts: { of, bytes: ROW_BYTES } };
    },
    drop: () => dropParts(db, of).catch(() => undefined),
  };
}

/** The stored bytes as a Blob; where they are rows, in memory. Throws AccessionError `blob_missing`. */
async function wholeBlob(db: AccessionDb, row: IndexedDbBlobRow): Promise<Blob> {
  if (row.blob !== null) return row.blob;
  const rows: Blob[] = [];
  if (row.parts !== undefined) await partsOf(db, row.parts.of).each(({ bytes }) => rows.push(new Blob([bytes])));
  const whole = new Blob(rows);
  // It was removed while it was read.
  if (whole.size !== row.size) throw missingBlob(row.sha256);
  return whole;
}

/** Bytes [start, end) of what lies in rows, row by row. Throws AccessionError `blob_missing`. */
async function* rangeOfParts(
  db: AccessionDb,
  { sha256, size }: IndexedDbBlobRow,
  parts: BlobParts,
  start: number,
  end = size,
): AsyncGenerator<Uint8Array> {
  const stop = Math.min(end, size);
  for (let at = start; at < stop;) {
    const index = Math.floor(at / parts.bytes);
    const row = await db.blob_parts.get([parts.of, index]);
    if (row === undefined) throw missingBlob(sha256);
    const from = at - index * parts.bytes;
    const piece = new Uint8Array(row.bytes).subarray(from, from + stop - at);
    yield piece;
    at += piece.length;
  }
}

async function dropParts(db: AccessionDb, of: string): Promise<void> {
  await partsOf(db, of).delete();
}

/** Removes rows that no blob names and that were begun before `before` (milliseconds). */
async function dropStrayParts(db: AccessionDb, before: number): Promise<void> {
  const stray = new Set<string>();
  for (const [of] of await db.blob_parts.toCollection().primaryKeys())
    if (Number.parseInt(of, 10) < before) stray.add(of);
  await db.blobs.each(({ parts }) => stray.delete(parts?.of ?? ''));
  for (const of of stray) await dropParts(db, of);
}

function partsOf(db: AccessionDb, of: string): Collection<BlobPartRow, [string, number]> {
  return db.blob_parts.where('[of+index]').between([of, 0], [of, Infinity]);
}

interface Options {
  now?: () => number;
  /** False where the browser refuses Blobs in rows: the bytes are rows of their own then. */
  keepsBlobs?: boolean;
}

/** Blobs as rows of IndexedDB: where there is no OPFS (private windows, some WebKit). A row is whole or not there. */
export class IndexedDbBlobStore implements BrowserBlobStore {
  readonly kind = 'indexeddb';
  readonly #db: AccessionDb;
  readonly #now: () => number;
  readonly #keepsBlobs: boolean;

  constructor(db: AccessionDb, { now = Date.now, keepsBlobs = true }: Options = {}) {
    this.#db = db;
    this.#now = now;
    this.#keepsBlobs = keepsBlobs;
  }

  put(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel, expected?: number): Promise<BlobRef> {
    return this.#store((write) => writeHashed(chunks, write, { cancel, expected }));
  }

  keep(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel): Promise<BlobRef> {
    return this.#store(async (write) => ({ sha256: ownName(), size: await writeCounted(chunks, write, cancel) }));
  }

  async #store(work: (write: Write) => Promise<BlobRef>): Promise<BlobRef> {
    const rows = this.#keepsBlobs ? asOneBlob() : asParts(this.#db, this.#now());
    try {
      const ref = await work((chunk) => rows.write(chunk));
      const place = await rows.end();
      await this.#publish({ ...ref, ...place, stored_at: this.#now() });
      return ref;
    } catch (error) {
      await rows.drop();
      throw storageFailure(error);
    }
  }

  async size(sha256: string): Promise<number | null> {
    return (await this.#db.blobs.get(sha256))?.size ?? null;
  }

  async *read(sha256: string, start = 0, end?: number): AsyncIterable<Uint8Array> {
    const row = await this.#row(sha256);
    if (row.parts === undefined) yield* blobRange(await wholeBlob(this.#db, row), start, end);
    else yield* rangeOfParts(this.#db, row, row.parts, start, end);
  }

  async file(sha256: string): Promise<Blob> {
    return wholeBlob(this.#db, await this.#row(sha256));
  }

  async #row(sha256: string): Promise<IndexedDbBlobRow> {
    const row = await this.#db.blobs.get(sha256);
    if (row === undefined) throw missingBlob(sha256);
    return row;
  }

  delete(sha256: string): Promise<void> {
    const { blobs, blob_parts } = this.#db;
    return this.#db.transaction('rw', blobs, blob_parts, async () => {
      const parts = (await blobs.get(sha256))?.parts;
      await blobs.delete(sha256);
      if (parts !== undefined) await dropParts(this.#db, parts.of);
    });
  }

  /** The very same bytes may be there already, and somebody may be reading their rows: they stay. */
  #publish(row: IndexedDbBlobRow): Promise<void> {
    const { blobs, blob_parts } = this.#db;
    return this.#db.transaction('rw', blobs, blob_parts, async () => {
      const before = await blobs.get(row.sha256);
      await blobs.put(before === undefined ? row : { ...before, stored_at: row.stored_at });
      if (before !== undefined && row.parts !== undefined) await dropParts(this.#db, row.parts.of);
    });
  }

  async *list(): AsyncIterable<BlobRef> {
    for (const sha256 of await this.#db.blobs.toCollection().primaryKeys()) {
      const size = await this.size(sha256);
      if (size !== null) yield { sha256, size };
    }
  }

  async collectGarbage(
    referenced: ReadonlySet<string>,
    grace = defaultGrace(this.#now()),
  ): Promise<{ files: number; bytes: number }> {
    return this.#db.transaction('rw', this.#db.blobs, this.#db.blob_parts, async () => {
      const collected = { files: 0, bytes: 0 };
      await this.#db.blobs.each((row) => {
        if (referenced.has(row.sha256) || grace.now - row.stored_at < grace.blobMs) return;
        collected.files += 1;
        collected.bytes += row.size;
      });
      await this.#db.blobs
        .filter((row) => !referenced.has(row.sha256) && grace.now - row.stored_at >= grace.blobMs)
        .delete();
      await dropStrayParts(this.#db, grace.now - grace.blobMs);
      return collected;
    });
  }
}
