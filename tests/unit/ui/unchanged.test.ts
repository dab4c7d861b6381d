import { expect, test } from 'vitest';
import { unchanged } from '#ui/parts/unchanged.ts';

test('UI-111 an answer that says the same is the same object; another one is not', async () => {
  let said = { n: 1 };
  const query = unchanged(async () => ({ ...said }));
  const first = await query();
  expect(await query()).toBe(first);
  said = { n: 2 };
  expect(await query()).toEqual({ n: 2 });
});
