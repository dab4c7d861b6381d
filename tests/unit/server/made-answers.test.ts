import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createPersonQueue } from '#server/http/person-queue.ts';
import { encoded, inPlace, streamOf } from '#server/http/stream.ts';
import { createTurns } from '#server/turns.ts';

/** Texts that are made at once, without a pause of their own, noting each. */
async function* texts(name: string, count: number, made: string[]): AsyncGenerator<string> {
  for (let at = 0; at < count; at += 1) {
    made.push(name);
    yield `${name}${at}`;
  }
}

const read = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  const response = new Response(streamOf(chunks));
  return response.text();
};

test('API-170 between any two pieces of the answers that are being made all others have their turn', async () => {
  const made: string[] = [];
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await setImmediate();
      made.push('.');
    }
  })();
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((name) => read(encoded(texts(name, 20, made), createTurns(0)))),
  );
  isOver = true;
  await others;
  expect(answers.map((answer) => answer.length)).toEqual([50, 50, 50]);
  expect(made.join('').replace(/\.+/g, '.').split('.').filter(Boolean)).toEqual(made.filter((name) => name !== '.'));
});

test('API-170 one that fails, or that nobody reads to its end, keeps no other from its turn', async () => {
  const ended = vi.fn();
  async function* failing(): AsyncGenerator<string> {
    yield 'first';
    throw new Error('the database is gone');
  }
  async function* left(): AsyncGenerator<string> {
    try {
      for (;;) yield 'more';
    } finally {
      ended();
    }
  }
  await expect(read(encoded(failing()))).rejects.toThrow('gone');
  const reader = streamOf(encoded(left())).getReader();
  await reader.read();
  await reader.cancel();
  expect(ended).toHaveBeenCalledOnce();
  expect(await read(encoded(texts('a', 2, [])))).toBe('a0a1');
});

test('API-171 a place is held until the last piece was taken, the other side has left, or making it failed', async () => {
  const queue = createPersonQueue(1, 1);
  const made: string[] = [];
  const take = (name: string) => inPlace(queue, 'ann', encoded(texts(name, 2, made)));
  const first = streamOf(await take('a')).getReader();
  await first.read();
  let second: AsyncIterable<Uint8Array> | null = null;
  const waiting = take('b').then((chunks) => (second = chunks));
  await setImmediate();
  expect(second).toBeNull();
  // One may wait, the next is refused; somebody else has places of their own.
  await expect(take('c')).rejects.toMatchObject({ failure: { code: 'rate_limited' } });
  expect(await read(await inPlace(queue, 'bob', encoded(texts('d', 1, made))))).toBe('d0');
  await first.cancel();
  expect(await read(await waiting)).toBe('b0b1');
  async function* failing(): AsyncGenerator<string> {
    yield 'x';
    throw new Error('it broke');
  }
  await expect(read(await inPlace(queue, 'ann', encoded(failing())))).rejects.toThrow('broke');
  // Left before anything was read of it.
  await streamOf(await take('e')).cancel();
  expect(await read(await take('f'))).toBe('f0f1');
  expect(made).not.toContain('c');
});
