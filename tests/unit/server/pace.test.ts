import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { paced, WINDOW_MS } from '#server/http/stream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** So many bytes, each time after so many milliseconds. */
async function* trickle(times: number, bytes: number, ms: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < times; at += 1) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    yield new Uint8Array(bytes);
  }
}

/** What came through, and what went wrong. */
async function read(body: AsyncIterable<Uint8Array>, rate: number, slowly = 0) {
  let bytes = 0;
  const reading = (async () => {
    for await (const chunk of paced(body, rate)) {
      bytes += chunk.length;
      if (slowly > 0) await new Promise((resolve) => setTimeout(resolve, slowly));
    }
  })().then(
    () => 'whole',
    (error: Error) => error.message,
  );
  await vi.advanceTimersByTimeAsync(3_600_000);
  return { said: await reading, bytes };
}

describe('the pace of a body', () => {
  test('OPS-21 what comes quickly enough comes whole, however long it takes', async () => {
    expect(await read(trickle(300, 1000, 1000), 1000)).toEqual({ said: 'whole', bytes: 300_000 });
  });

  test('OPS-21 what trickles is refused after a window, with the speed that it needs', async () => {
    const { said, bytes } = await read(trickle(10_000, 1, 100), 1000);
    expect(said).toContain('at least 1000 bytes a second');
    expect(bytes).toBeLessThanOrEqual(WINDOW_MS / 100);
  });

  test('OPS-21 a quick beginning does not pay for a trickle behind it, nor silence for itself', async () => {
    async function* burst(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(10_000_000);
      yield* trickle(10_000, 1, 1000);
    }
    expect((await read(burst(), 1000)).said).toContain('too slowly');
    expect((await read(trickle(1, 10_000_000, 10 * WINDOW_MS), 1000)).said).toContain('too slowly');
  });

  test('OPS-21 time that passes here is not the client’s; 0 is any speed', async () => {
    expect((await read(trickle(50, 1000, 1), 1000, 10_000)).said).toBe('whole');
    expect((await read(trickle(100, 1, 10_000), 0)).said).toBe('whole');
  });

  test('OPS-21 what goes wrong with the body itself is said', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(1);
      throw new Error('the line is gone');
    }
    expect((await read(broken(), 1000)).said).toBe('the line is gone');
  });
});
