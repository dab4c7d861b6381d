import { expect, test } from 'vitest';
import { createShares } from '#server/http/shares.ts';

/** Work that ends when it is told to, and pauses that end when they are. */
function bench(most = 100) {
  const time = { now: 0 };
  const pauses: { ms: number; end: () => void }[] = [];
  const wait = (ms: number): Promise<void> => new Promise((resolve) => void pauses.push({ ms, end: resolve }));
  const shares = createShares(most, { now: () => time.now, wait });
  const log: string[] = [];
  const begin = (person: string, name: string, bytes = 10) => {
    let end = (): void => undefined;
    const done = shares.run(person, bytes, async () => {
      log.push(name);
      await new Promise<void>((resolve) => (end = resolve));
    });
    return { done, end: () => end() };
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { begin, log, pauses, settle, shares, time };
}

test('API-97 of one person one large request is worked on at a time, of another one beside it', async () => {
  const { begin, log, settle } = bench();
  const first = begin('ann', 'a1');
  const second = begin('ann', 'a2');
  begin('bob', 'b1');
  await settle();
  expect(log).toEqual(['a1', 'b1']);
  first.end();
  await first.done;
  await settle();
  expect(log).toEqual(['a1', 'b1', 'a2']);
  second.end();
  await second.done;
});

test('API-97 large requests of all people have so many bytes at a time, in the order in which they came; one that is larger is alone', async () => {
  const { begin, log, settle } = bench(100);
  const [a, b] = [begin('ann', 'a', 60), begin('bob', 'b', 500)];
  const c = begin('cid', 'c', 10);
  await settle();
  expect(log).toEqual(['a']);
  a.end();
  await settle();
  expect(log).toEqual(['a', 'b']);
  b.end();
  await settle();
  expect(log).toEqual(['a', 'b', 'c']);
  c.end();
});

test('API-97 after a long turn the same person has a pause as long, ten seconds at most; one who fails has it, too', async () => {
  const { begin, log, pauses, settle, time, shares } = bench();
  const first = begin('ann', 'a1');
  begin('ann', 'a2');
  await settle();
  time.now = 4000;
  first.end();
  await settle();
  expect([log, pauses.map(({ ms }) => ms)]).toEqual([['a1'], [4000]]);
  pauses[0]?.end();
  await settle();
  expect(log).toEqual(['a1', 'a2']);
  const failing = shares.run('bob', 1, async () => {
    time.now += 60_000;
    throw new Error('wrong');
  });
  await expect(failing).rejects.toThrow('wrong');
  expect(pauses.at(-1)?.ms).toBe(10_000);
});

test('API-97 who has sixteen waiting is told to come again, and others are not', async () => {
  const { begin, log, settle, shares } = bench();
  const mine = Array.from({ length: 16 }, (_, at) => begin('ann', `a${at}`));
  await expect(shares.run('ann', 1, async () => undefined)).rejects.toMatchObject({
    status: 429,
    headers: { 'Retry-After': '5' },
  });
  begin('bob', 'b');
  await settle();
  expect(log).toEqual(['a0', 'b']);
  for (const one of mine) {
    one.end();
    await settle();
  }
  expect(log.slice(-1)).toEqual(['a15']);
});
