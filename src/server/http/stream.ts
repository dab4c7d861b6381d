import { createTurns } from '../turns.ts';
import { HttpError } from './http-error.ts';
import type { PersonQueue } from './person-queue.ts';

/** Chunks as a stream: read when they are wanted, let go of when the other side has left. */
export function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    // None ahead: what fails while nobody reads would end the answer as if it were whole, instead of cutting it off.
    { highWaterMark: 0 },
  );
}

/** Characters that are sent at once. */
const PART = 64 * 1024;

/**
 * Texts that are made while they are sent, as bytes: making them takes turns with all other long work (`turns.ts`). A text
 * should take a few milliseconds at most.
 */
export async function* encoded(texts: AsyncIterable<string>, turns = createTurns()): AsyncGenerator<Uint8Array, void> {
  const source = texts[Symbol.asyncIterator]();
  let held = '';
  try {
    for (;;) {
      await turns.rest();
      const next = await source.next();
      if (next.done === true) break;
      held += next.value;
      if (held.length < PART) continue;
      yield Buffer.from(held);
      held = '';
    }
  } finally {
    await source.return?.();
  }
  if (held !== '') yield Buffer.from(held);
}

/** Texts that are made while they are sent, in a place of the person's; null: asking for the head alone takes none. */
export async function madeInPlace(
  method: string,
  queue: PersonQueue,
  person: string,
  texts: AsyncIterable<string>,
): Promise<AsyncIterable<Uint8Array> | null> {
  return method === 'HEAD' ? null : inPlace(queue, person, encoded(texts));
}

/**
 * The chunks, as soon as one of the person's places is free; it is theirs until the last chunk was taken, or the other side
 * has left. Whoever asks for it hands it to `streamOf`, which tells it of both. Throws as `PersonQueue.run`.
 */
export async function inPlace(
  queue: PersonQueue,
  person: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  const [begun, over] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const held = queue.run(person, () => {
    begun.resolve(undefined);
    return over.promise;
  });
  await Promise.race([begun.promise, held]);
  const source = chunks[Symbol.asyncIterator]();
  const free = (): void => over.resolve(undefined);
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      try {
        const next = await source.next();
        if (next.done === true) free();
        return next;
      } catch (error) {
        free();
        throw error;
      }
    },
    async return() {
      free();
      await source.return?.();
      return { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

/**
 * A body as it comes. Whoever stops early leaves the rest where it is: cancelling would close the connection before the
 * answer is out, which is sent first (rest-of-body.ts).
 */
export async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const next = await reader.read();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    reader.releaseLock();
  }
}

/** Passes chunks on, and remembers what went wrong with them: a store says of it only that it could not write. */
export function watched(chunks: AsyncIterable<Uint8Array>) {
  const seen = {
    failure: null as unknown,
    async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
      try {
        yield* chunks;
      } catch (error) {
        seen.failure = error;
        throw error;
      }
    },
  };
  return seen;
}

/** One range of a Range header (RFC 9110), as bytes [start, end) of a file. */
export type ByteRange = { start: number; end: number };

/**
 * `whole` where there is no range or one in a form that may be ignored; `unsatisfiable` where the file has no such
 * bytes.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (!match || (from === '' && to === '')) return 'whole';
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(from);
  const end = to === '' ? size : Math.min(Number(to) + 1, size);
  if (to !== '' && Number(to) < start) return 'whole';
  return start >= size ? 'unsatisfiable' : { start, end };
}

/**
 * A body that has to come with some speed. Only time that is spent waiting for the client counts, so that a slow disk
 * or database here is nobody's fault; what came early in a window does not pay for the next one.
 */

/** Milliseconds of waiting, after each of which enough must have come. */
export const WINDOW_MS = 30_000;

/**
 * Passes the chunks on. Throws HttpError 408 once too few came within a window.
 * @param bytesPerSecond 0: any speed
 * @param then what whoever sent it can do
 */
export async function* paced(
  chunks: AsyncIterable<Uint8Array>,
  bytesPerSecond: number,
  then = 'Send it again over a better line.',
): AsyncGenerator<Uint8Array> {
  if (bytesPerSecond === 0) return yield* chunks;
  const source = chunks[Symbol.asyncIterator]();
  const least = (bytesPerSecond * WINDOW_MS) / 1000;
  let left = WINDOW_MS;
  let got = 0;
  try {
    for (;;) {
      const next = source.next();
      // Its failure is thrown below, or after this ended of no interest.
      next.catch(() => undefined);
      for (;;) {
        const begun = performance.now();
        const came = await within(next, left);
        left -= performance.now() - begun;
        if (came?.done === true) return;
        if (came !== null) {
          got += came.value.length;
          yield came.value;
        }
        if (left <= 0 || came === null) {
          if (got < least) throw tooSlow(bytesPerSecond, then);
          [left, got] = [WINDOW_MS, 0];
        }
        if (came !== null) break;
      }
    }
  } finally {
    // Not awaited: it may be what never answers.
    void source.return?.()?.catch(() => undefined);
  }
}

function tooSlow(bytesPerSecond: number, then: string): HttpError {
  const seconds = WINDOW_MS / 1000;
  return new HttpError(
    'invalid',
    `The body came too slowly: over ${seconds} s it must have at least ${bytesPerSecond} bytes a second. ${then}`,
    { status: 408, headers: { Connection: 'close' } },
  );
}

/** What came, or null when the time is over. */
export async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export type ByteReader = ReturnType<typeof byteReader>;

/** Chunks read in lengths of one's own. @param cut what is thrown where they end too early */
export function byteReader(chunks: AsyncIterable<Uint8Array>, cut: () => Error) {
  const source = chunks[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array(0);

  /** Exactly so many bytes, as they come. */
  async function* stream(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0;) {
      const next = held.length > 0 ? held : (await source.next()).value;
      if (next === undefined) throw cut();
      const own = next.subarray(0, left);
      held = next.subarray(own.length);
      left -= own.length;
      yield own;
    }
  }

  return {
    stream,
    /** Exactly so many bytes. */
    take: async (bytes: number): Promise<Buffer> => Buffer.concat(await Array.fromAsync(stream(bytes))),
    /** What is left. */
    async *rest(): AsyncGenerator<Uint8Array> {
      yield held;
      yield* { [Symbol.asyncIterator]: () => source };
    },
  };
}
