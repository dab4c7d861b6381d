import { expect, test } from 'vitest';
import { prompt } from '#server/watch/health.ts';

/** An asker whose answers come when they are let: `asked` counts, `answer` ends the last. */
function slow() {
  const clock = { at: 0, now: () => clock.at };
  const waiting: ((value: string) => void)[] = [];
  const ask = prompt(1000, clock, () => new Promise<string>((resolve) => waiting.push(resolve)));
  return { clock, waiting, ask };
}

test('API-118 who asks again while a new answer is on its way is given the fresh one before at once', async () => {
  const { clock, waiting, ask } = slow();
  const first = ask();
  waiting[0]?.('well');
  expect(await first).toBe('well');
  clock.at = 1200;
  // Nothing answers the new question, and no timer is waited for.
  expect(await ask()).toBe('well');
  expect(waiting).toHaveLength(2);
  expect(await ask()).toBe('well');
  expect(waiting).toHaveLength(2);
  waiting[1]?.('broken');
  await Promise.resolve();
  clock.at = 1300;
  await expect.poll(() => ask()).toBe('broken');
});

test('API-118 who asks seldom waits for the new answer', async () => {
  const { clock, waiting, ask } = slow();
  const first = ask();
  waiting[0]?.('well');
  await first;
  clock.at = 3000;
  const next = ask();
  waiting[1]?.('broken');
  expect(await next).toBe('broken');
});
