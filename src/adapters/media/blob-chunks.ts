import { AccessionError, failure } from '#core/errors.ts';
import { blobPieces } from './blob-pieces.ts';

/**
 * A dropped file in pieces of 1 MiB, each good until the next one is asked for. One that was moved, changed or
 * unplugged since it was dropped throws AccessionError `file_unreadable`.
 */
export async function* blobChunks(blob: Blob, name: string): AsyncGenerator<Uint8Array> {
  // What the consumer throws does not pass here: only reading can fail.
  try {
    yield* blobPieces(blob);
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

/** Bytes [start, end) of a dropped file. Throws AccessionError `file_unreadable`. */
export async function readSlice(blob: Blob, start: number, end: number, name: string): Promise<ArrayBuffer> {
  try {
    return await blob.slice(start, end).arrayBuffer();
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

function unreadable(name: string, cause: unknown): AccessionError {
  const message = `"${name}" could not be read: it was moved, changed or its disk was removed.`;
  return new AccessionError(failure('file_unreadable', message, { subject: name }), { cause });
}

/** The same bytes over memory that is not shared, as the platform's writers want them; copies only if it must. */
export function ownBytes(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  return isOwn(chunk) ? chunk : new Uint8Array(chunk);
}

function isOwn(chunk: Uint8Array): chunk is Uint8Array<ArrayBuffer> {
  return chunk.buffer instanceof ArrayBuffer;
}
