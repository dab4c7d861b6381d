import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathDiff } from '#lanes/video/ui/page/name-diff.ts';
import { runs } from '../../../fixtures/runs.ts';

const marked = (from: string, to: string) => {
  const side = (pieces: { text: string; changed: boolean }[]) =>
    pieces.map(({ text, changed }) => (changed ? `<${text}>` : text)).join('');
  const diff = pathDiff(from, to);
  return [side(diff.from), side(diff.to)];
};

describe('UI-74 what changes in a name is marked', () => {
  test('word by word, on its own side', () => {
    expect(marked('Season 1/a 01.mkv', 'Season 01/a 02.mkv')).toEqual([
      'Season <1>/a <01>.mkv',
      'Season <01>/a <02>.mkv',
    ]);
    expect(marked('a.mkv', 'Season 01/a.mkv')).toEqual(['a.mkv', '<Season 01/>a.mkv']);
  });

  test('both sides are whole, and what is not marked is the same on both', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (from, to) => {
        const diff = pathDiff(from, to);
        const text = (pieces: typeof diff.from, all: boolean) =>
          pieces.flatMap((piece) => (all || !piece.changed ? [piece.text] : [])).join('');
        expect([text(diff.from, true), text(diff.to, true)]).toEqual([from, to]);
        expect(text(diff.from, false)).toBe(text(diff.to, false));
      }),
      { numRuns: runs(200, 20_000) },
    );
  });
});
