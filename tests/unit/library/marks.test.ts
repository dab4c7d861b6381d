import { expect, test } from 'vitest';
import { fromFirstMark, markedParts } from '#lanes/library/core/search/marks.ts';

const said = (text: string, words: string): string =>
  fromFirstMark(markedParts(text, words), 5)
    .map(({ text: part, marked }) => (marked ? `[${part}]` : part))
    .join('');

test('LIBRARY-108 a passage is shown from above its first marked word where that is beyond the card, and whole elsewhere', () => {
  expect(said('one\ntwo\nthree\nfour\nfive\nsix boats\nseven boats', 'boats')).toBe(
    '…\nfour\nfive\nsix [boats]\nseven [boats]',
  );
  expect(said('one\ntwo\nthree\nfour boats\nfive', 'boats')).toBe('one\ntwo\nthree\nfour [boats]\nfive');
  expect(said('boats\nwait', 'boats')).toBe('[boats]\nwait');
  expect(said('one\ntwo\nthree\nfour\nfive\nsix', 'boats')).toContain('six');
});
