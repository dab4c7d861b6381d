import { ERR_ENCRYPTED, ERR_INVALID_PASSWORD, ERR_LOCAL_FILE_HEADER_NOT_FOUND, type FileEntry } from '@zip.js/zip.js';
import type { DeclaredEntry } from '#core/ingest/limits.ts';
import { blobPieces } from '../blob-pieces.ts';
import { pullFrom } from '../pull.ts';
import type { Opening } from '#core/ingest/archive.types.ts';
import { expanded, withCrc } from './checked.ts';

const STORED = 0;
const DEFLATED = 8;

/**
 * The content of one entry. Stored and deflated ones are slices of the archive, read (and expanded by the browser's
 * own code) piece by piece; encrypted ones and rare methods go through zip.js. Throws AccessionError and zip.js's errors.
 */
export async function* readEntry(
  blob: Blob,
  entry: FileEntry,
  declared: DeclaredEntry,
  { name, password }: Opening,
): AsyncGenerator<Uint8Array> {
  const plain = !entry.encrypted && (entry.compressionMethod === STORED || entry.compressionMethod === DEFLATED);
  if (!plain) {
    yield* throughZipJs(entry, password);
    return;
  }
  // Its header, its bounds, and whether another entry lies over it: nothing of its content is read by this.
  await entry.getData(new WritableStream(), { checkOverlappingEntryOnly: true });
  const start = entry.localDirectory?.dataOffset;
  if (start === undefined) throw new Error(ERR_LOCAL_FILE_HEADER_NOT_FOUND);
  const slice = blob.slice(start, start + entry.compressedSize);
  const content = entry.compressionMethod === STORED ? blobPieces(slice) : expanded(slice, 'deflate-raw');
  yield* withCrc(content, { ...declared, crc32: entry.crc32 ?? 0 }, name);
}

/** Whether the password fits by the check that is before an encrypted entry's content. */
export async function unlocks(entry: FileEntry, password = ''): Promise<boolean> {
  try {
    await entry.getData(new WritableStream(), { password, checkPasswordOnly: true });
    return true;
  } catch (error) {
    // Anything else that is wrong with it is reported when it is read.
    return !(error instanceof Error && (error.message === ERR_INVALID_PASSWORD || error.message === ERR_ENCRYPTED));
  }
}

async function* throughZipJs(entry: FileEntry, password: string | undefined): AsyncGenerator<Uint8Array> {
  const abort = new AbortController();
  const options = { signal: abort.signal, ...(password === undefined ? {} : { password }) };
  try {
    yield* pullFrom((writable) => entry.getData(writable, options));
  } finally {
    // Also when the consumer stopped early: what zip.js still has in hand is let go.
    abort.abort();
  }
}
