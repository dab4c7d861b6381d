import { chunksOf } from '../blob-pieces.ts';
import { createCRC32 } from 'hash-wasm';
import { AccessionError, failed, type Failure } from '#core/errors.ts';
import { describeFile } from '#core/ingest/file-kinds.ts';
import { refuseGrowth, type DeclaredEntry } from '#core/ingest/limits.ts';
import type { Cancel } from '#core/ports.ts';
import type { Opening } from '#core/ingest/archive.types.ts';

export function stopOn(why: Failure | null): void {
  if (why !== null) throw new AccessionError(why);
}

/**
 * An entry's content under the limits, counted as it comes. What `source` throws becomes a failure by `inWords`.
 * Throws AccessionError `archive_*`, `cancelled`.
 */
export async function* underLimits(
  source: AsyncIterable<Uint8Array>,
  entry: DeclaredEntry,
  { name, limits, used }: Opening,
  inWords: (error: unknown) => Failure,
  cancel?: Cancel,
): AsyncGenerator<Uint8Array> {
  let expanded = 0;
  try {
    for await (const chunk of source) {
      if (cancel?.aborted) throw failed('cancelled', 'cancelled', { subject: entry.name });
      expanded += chunk.length;
      used.bytes += chunk.length;
      stopOn(refuseGrowth(name, entry, expanded, used, limits));
      yield chunk;
    }
  } catch (error) {
    throw error instanceof AccessionError ? error : new AccessionError(inWords(error), { cause: error });
  }
}

/** A file that is smaller is read at once, out of pages that its neighbours were read in; opening a stream costs more. */
const SMALL_BYTES = 64 * 1024;

/**
 * The same, expanded. Throws what the platform throws at broken data.
 *
 * Stopped early, its source is aborted and its output is not cancelled: after a cancel Node 24 still hands out what it had
 * expanded, to a stream that is closed, and the error ends the process.
 */
export async function* expanded(slice: Blob, format: 'deflate-raw' | 'gzip'): AsyncGenerator<Uint8Array> {
  const packed = slice.size < SMALL_BYTES ? streamOf(await slice.arrayBuffer()) : slice.stream();
  const stopped = new AbortController();
  const stream = packed.pipeThrough(new DecompressionStream(format), { signal: stopped.signal });
  yield* chunksOf(stream, () => stopped.abort());
}

function streamOf(bytes: ArrayBuffer): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(bytes));
      controller.close();
    },
  });
}

/** Passes chunks on and compares size and CRC-32, where there is one, at their end. Throws AccessionError. */
export async function* withCrc(
  source: AsyncIterable<Uint8Array>,
  entry: DeclaredEntry & { crc32: number | null },
  archive: string,
): AsyncGenerator<Uint8Array> {
  const crc = await createCRC32();
  crc.init();
  let size = 0;
  const what = describeFile(entry.name, archive);
  const subject = entry.name;
  const wrongSize = (): AccessionError =>
    failed('archive_corrupt', `${what} has another size than the archive says.`, { subject });
  for await (const chunk of source) {
    size += chunk.length;
    if (size > entry.size) throw wrongSize();
    if (entry.crc32 !== null) crc.update(chunk);
    yield chunk;
  }
  if (size !== entry.size) throw wrongSize();
  if (entry.crc32 !== null && Number.parseInt(crc.digest('hex'), 16) !== entry.crc32)
    throw failed('archive_entry_crc', `${what} is damaged: its checksum is wrong.`, { subject });
}
