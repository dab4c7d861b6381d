import { expect, test } from 'vitest';
import { escapesOf, OWN } from '../../../scripts/eval/playbook/hostile.ts';

test.each(OWN)(
  'PLAYBOOK-42 what a text in an input or an answer says gets no tool, no path outside the root, no address that its step does not name, no token expanded and no prototype: %j',
  async (text) => {
    expect(await escapesOf(text)).toEqual([]);
  },
);
