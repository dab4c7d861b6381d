/**
 * How the bytes of a blob lie in IndexedDB: as one Blob, which the browser keeps on disk and reads when it is asked,
 * or, where it refuses Blobs in rows (WebKit's private and automated sessions), as rows of bytes of one length.
 */
import type { Collection } from 'dexie';
import { ownBytes } from '../../media/blob-chunks.ts';
import type { AccessionDb, BlobPartRow, IndexedDbBlobRow } from '../db.ts';
import { isOutOfSpace, missingBlob } from './storage-failure.ts';

type BlobParts = NonNullable<IndexedDbBlobRow['parts']>;

/** What a row of `blobs` says of where its bytes are. */
export type BlobPlace = Pick<IndexedDbBlobRow, 'blob' | 'parts'>;

/** Takes the bytes of one blob, one write after the other. */
export interface BlobRows {
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

/** Whether this browser keeps Blobs in rows, in this session. Trying it is the only way to know. */
export async function keepsBlobs(db: AccessionDb): Promise<boolean> {
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

export function asOneBlob(): BlobRows {
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
export function asParts(db: AccessionDb, now: number): BlobRows {
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
export async function wholeBlob(db: AccessionDb, row: IndexedDbBlobRow): Promise<Blob> {
  if (row.blob !== null) return row.blob;
  const rows: Blob[] = [];
  if (row.parts !== undefined) await partsOf(db, row.parts.of).each(({ bytes }) => rows.push(new Blob([bytes])));
  const whole = new Blob(rows);
  // It was removed while it was read.
  if (whole.size !== row.size) throw missingBlob(row.sha256);
  return whole;
}

/** Bytes [start, end) of what lies in rows, row by row. Throws AccessionError `blob_missing`. */
export async function* rangeOfParts(
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

export async function dropParts(db: AccessionDb, of: string): Promise<void> {
  await partsOf(db, of).delete();
}

/** Removes rows that no blob names and that were begun before `before` (milliseconds). */
export async function dropStrayParts(db: AccessionDb, before: number): Promise<void> {
  const stray = new Set<string>();
  for (const [of] of await db.blob_parts.toCollection().primaryKeys())
    if (Number.parseInt(of, 10) < before) stray.add(of);
  await db.blobs.each(({ parts }) => stray.delete(parts?.of ?? ''));
  for (const of of stray) await dropParts(db, of);
}

function partsOf(db: AccessionDb, of: string): Collection<BlobPartRow, [string, number]> {
  return db.blob_parts.where('[of+index]').between([of, 0], [of, Infinity]);
}
