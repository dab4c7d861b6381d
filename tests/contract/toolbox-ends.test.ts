/** Loops, memory and answers without end, of each engine in the cage of Node. */
import { afterAll, expect, test } from 'vitest';
import { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
import { endsOf, ENDLESS, wrongEnds } from '../fixtures/toolbox/endless.ts';

const cage = openNodeCage();
afterAll(() => cage.close());

test(
  'TOOLBOX-93 loops, memory and answers without end of each engine end at their bound, and the next call works',
  { timeout: 900_000 },
  async () => {
    const ended = await endsOf(cage);
    expect(ended).toHaveLength(ENDLESS.length);
    expect(wrongEnds(ended)).toEqual([]);
  },
);
