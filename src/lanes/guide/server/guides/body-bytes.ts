/** The bytes of a guide that comes over the network: unpacked where they are packed, in pieces that keep nobody waiting. */
import { Readable } from 'node:stream';
import { failed } from '#core/errors.ts';
import { isGzip } from '#lanes/guide/bytes/guide-text.ts';
import { MOST_BYTES } from '#lanes/guide/bytes/read-guide.ts';
import { gunzipped } from '#lanes/guide/node/gunzipped.ts';
import { createTurns } from '#server/turns.ts';

/** Bytes that are read in one go: some sixty of the shortest programmes. */
const PIECE = 4 * 1024;

/**
 * A damaged gzip is a source that breaks off: what came before counts. What `source` throws is thrown: a connection that is
 * lost brings no half of a guide.
 */
export async function* guideBytes(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { rest } = createTurns();
  const seen: { failure: unknown } = { failure: null };
  const counted = bounded(source, seen);
  const { head, all } = await headOf(counted);
  const bytes = isGzip(head) ? unpacked(all, seen) : all;
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; at += PIECE) {
      yield piece.subarray(at, at + PIECE);
      await rest();
    }
}

/** No more than a guide may have unpacked; notes what it threw. */
async function* bounded(source: AsyncIterable<Uint8Array>, seen: { failure: unknown }): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const piece of source) {
      bytes += piece.length;
      if (bytes > MOST_BYTES + PIECE) throw failed('too_large', `A guide may have ${MOST_BYTES / 1024 / 1024} MB.`);
      yield piece;
    }
  } catch (error) {
    seen.failure = error;
    throw error;
  }
}

async function headOf(source: AsyncGenerator<Uint8Array>) {
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < 2) {
    const next = await source.next();
    if (next.done === true) break;
    first.push(next.value);
    length += next.value.length;
  }
  const head = Buffer.concat(first);
  async function* all(): AsyncGenerator<Uint8Array> {
    if (head.length > 0) yield head;
    yield* source;
  }
  return { head, all: all() };
}

async function* unpacked(source: AsyncGenerator<Uint8Array>, seen: { failure: unknown }): AsyncGenerator<Uint8Array> {
  try {
    yield* gunzipped(Readable.from(source, { objectMode: false }));
  } catch (error) {
    throw seen.failure ?? error;
  }
}
