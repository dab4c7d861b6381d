import { AccessionError, failed } from '#core/errors.ts';

/**
 * What a stream brings; what is left when nobody wants more of it is let go of: cancelled, or by `letGo`. (WebKit's
 * streams cannot be walked by `for await`.)
 */
export async function* chunksOf<T>(
  stream: ReadableStream<T>,
  letGo: (reader: ReadableStreamDefaultReader<T>) => unknown = cancelled,
): AsyncGenerator<T> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await letGo(reader);
  }
}

const cancelled = (reader: ReadableStreamDefaultReader): Promise<void> => reader.cancel().catch(() => undefined);

/** Bytes of a piece: each read is a message to the browser's file process. */
const PIECE_BYTES = 1024 * 1024;

/** Chromium 156 collects a stream that nothing but its own pending read holds, and the read then never ends. */
const held = new Set<ReadableStreamBYOBReader>();

/**
 * A blob in pieces of 1 MiB, each read when it is asked for and good until the next one is: they lie in one buffer,
 * for a buffer each would wait for the garbage collector by the hundred. Throws what the browser throws when the file
 * can not be read any more (NotReadableError, NotFoundError).
 */
export async function* blobPieces(blob: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let at = 0;
  for await (const piece of streamed(blob)) {
    at += piece.length;
    yield piece;
  }
  // All of it where no such stream is to be had; where one broke off, the read here says why.
  yield* blobRange(blob, at);
}

/** Bytes [start, end) of a blob in pieces of 1 MiB, each in memory of its own, read when it is asked for. */
export async function* blobRange(blob: Blob, start = 0, end = blob.size): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const stop = Math.min(end, blob.size);
  for (let at = start; at < stop; at += PIECE_BYTES)
    yield new Uint8Array(await blob.slice(at, Math.min(at + PIECE_BYTES, stop)).arrayBuffer());
}

/** Ends early, and without a word, where the stream does: it does not say why. */
async function* streamed(blob: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = blob.size > PIECE_BYTES ? byteReader(blob) : null;
  if (reader === null) return;
  held.add(reader);
  try {
    let buffer = new ArrayBuffer(PIECE_BYTES);
    for (let at = 0; at < blob.size; at += PIECE_BYTES) {
      const piece = await filled(reader, buffer, Math.min(PIECE_BYTES, blob.size - at));
      if (piece === null) return;
      yield piece;
      buffer = piece.buffer;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
    held.delete(reader);
  }
}

/** Null where the browser's blobs are no byte streams. */
function byteReader(blob: Blob): ReadableStreamBYOBReader | null {
  const stream = blob.stream();
  try {
    return stream.getReader({ mode: 'byob' });
  } catch {
    // It may have begun to read already.
    void stream.cancel().catch(() => undefined);
    return null;
  }
}

/** The next `length` bytes, in the memory of `buffer`, which is given away; null where the stream ends or breaks before. */
async function filled(
  reader: ReadableStreamBYOBReader,
  buffer: ArrayBuffer,
  length: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  let memory = buffer;
  for (let have = 0; have < length;) {
    const next = await reader.read(new Uint8Array(memory, have, length - have)).catch(() => null);
    if (next === null || next.value === undefined || next.done) return null;
    memory = next.value.buffer;
    have += next.value.length;
  }
  return new Uint8Array(memory, 0, length);
}

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
  return failed('file_unreadable', message, { subject: name, cause });
}

/** The same bytes over memory that is not shared, as the platform's writers want them; copies only if it must. */
export function ownBytes(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  return isOwn(chunk) ? chunk : new Uint8Array(chunk);
}

function isOwn(chunk: Uint8Array): chunk is Uint8Array<ArrayBuffer> {
  return chunk.buffer instanceof ArrayBuffer;
}
