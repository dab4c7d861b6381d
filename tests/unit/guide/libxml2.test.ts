import { expect, test } from 'vitest';
import { randomAgreement } from '../../../scripts/eval/guide/dtd-agree.ts';

test('GUIDE-11 libxml2 says of random documents what the check says', () => {
  const { documents, different, verdicts } = randomAgreement(400, 23);
  expect(different.slice(0, 3)).toEqual([]);
  expect(documents).toBe(400);
  expect(verdicts.valid).toBeGreaterThan(80);
  expect(verdicts['not valid']).toBeGreaterThan(80);
});
