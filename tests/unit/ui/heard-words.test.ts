import { expect, test } from 'vitest';
import { heardWords, isGone } from '#ui/remote/heard-words.ts';

const at = (minutes: number, more: object = {}) =>
  ({ status: 'CONVERTING', heard_at: -minutes * 60_000, ...more }) as const;

test('UI-337 of a browser that has gone it is said when it was heard last; of one that works, or the server, nothing', () => {
  expect(heardWords(at(4), 0)).toBe('');
  expect(heardWords(at(7), 0)).toBe('last heard 7 min ago');
  expect(heardWords(at(119), 0)).toBe('last heard 119 min ago');
  expect(heardWords(at(121), 0)).toBe('last heard 2 h ago');
  expect(heardWords(at(60 * 71), 0)).toBe('last heard 2 days ago');
  expect(isGone(at(7), 0)).toBe(true);
  expect(isGone(at(7, { status: 'COMPLETED' }), 0)).toBe(false);
  expect(isGone(at(7, { on_server: true }), 0)).toBe(false);
  // From a server before 0.4.
  expect(isGone({ status: 'CONVERTING' }, 0)).toBe(false);
  expect(heardWords(at(7, { heard_at: null }), 0)).toBe('');
});
