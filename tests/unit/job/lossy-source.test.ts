import { expect, test } from 'vitest';
import { isBelowTarget } from '#core/media.ts';

test.each([
  [false, 128, 9, true],
  [false, 320, 9, false],
  [false, 128, 4, false],
  [false, 96, 4, true],
  [true, 96, 9, false],
  [null, 96, 9, false],
  [false, null, 9, false],
])('MEDIA-25 lossless %s, %s kbit/s, quality %i: below the target is %s', (lossless, kbits, quality, below) => {
  expect(isBelowTarget({ lossless, kbits }, quality)).toBe(below);
});
