import { AccessionError, failure } from '#core/errors.ts';

const PIECE_BYTES = 1024 * 1024;

/**
 * A blob in pieces of 1 MiB, each read when it is asked for. A file that was moved, changed or unplugged
 * since it was dropped throws AccessionError `file_unreadable`.
 */
export async function* blobChunks(blob: Blob, name: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < blob.size; at += PIECE_BYTES) {
    yield new Uint8Array(await readSlice(blob, at, at + PIECE_BYTES, name));
  }
}

/** Bytes [start, end) of a dropped file. Throws AccessionError `file_unreadable`. */
export async function readSlice(blob: Blob, start: number, end: number, name: string): Promise<ArrayBuffer> {
  try {
    return await blob.slice(start, end).arrayBuffer();
  } catch (cause) {
    const message = `"${name}" could not be read: it was moved, changed or its disk was removed.`;
    throw new AccessionError(failure('file_unreadable', message, { subject: name }), { cause });
  }
}

/** Bytes [start, end) of a stored blob in pieces. */
export async function* blobRange(blob: Blob, start = 0, end = blob.size): AsyncGenerator<Uint8Array> {
  const stop = Math.min(end, blob.size);
  for (let at = start; at < stop; at += PIECE_BYTES) {
    yield new Uint8Array(await blob.slice(at, Math.min(at + PIECE_BYTES, stop)).arrayBuffer());
  }
}

/** The same bytes over memory that is not shared, as the platform's writers want them; copies only if it must. */
export function ownBytes(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  return isOwn(chunk) ? chunk : new Uint8Array(chunk);
}

function isOwn(chunk: Uint8Array): chunk is Uint8Array<ArrayBuffer> {
  return chunk.buffer instanceof ArrayBuffer;
}
