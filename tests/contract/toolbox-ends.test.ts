/** Loops, memory and answers without end in the cage of Node: one of each kind. `npm run eval -- toolbox` has each engine. */
import { afterAll, expect, test } from 'vitest';
import { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
import { endsOf, SHORT_ENDLESS, wrongEnds } from '../fixtures/toolbox/endless.ts';

const cage = openNodeCage();
afterAll(() => cage.close());

test('TOOLBOX-93 loops, memory and answers without end end at their bound, and the next call works', async () => {
  const ended = await endsOf(cage, SHORT_ENDLESS);
  expect(ended).toHaveLength(4);
  expect(wrongEnds(ended, SHORT_ENDLESS)).toEqual([]);
});
