import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { atOnce, inTurns, sorting } from '#core/steps.ts';
import { createTurns } from '#server/turns.ts';

test('API-172 of all long works that wait one goes on in each round of the event loop', async () => {
  const steps: string[] = [];
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      await setImmediate();
      steps.push('.');
    }
  })();
  const work = async (name: string): Promise<void> => {
    const turns = createTurns(0);
    for (let step = 0; step < 10; step += 1) {
      await turns.rest();
      steps.push(name);
    }
  };
  await Promise.all(['a', 'b', 'c'].map(work));
  isOver = true;
  await others;
  const rounds = steps.join('').split(/\.+/).filter(Boolean);
  expect(rounds.filter((round) => round.length > 1)).toEqual([]);
  expect(rounds.join('')).toBe('abc'.repeat(10));
});

test('API-172 what is sorted in steps is what is sorted at once', async () => {
  const items = Array.from({ length: 9000 }, (_, at) => ({ key: (at * 7919) % 500, at }));
  const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
  let rests = 0;
  const rest = async (): Promise<void> => {
    rests += 1;
    await Promise.resolve();
  };
  expect(await inTurns(sorting(items, compare), rest)).toEqual(items.toSorted(compare));
  expect(rests).toBeGreaterThan(10);
  expect(atOnce(sorting([], compare))).toEqual([]);
});
