import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planMoves, type Place } from '#lanes/music/ui/catalog/album-save.ts';

const place = (id: string, position: number, disc = 1): Place => ({ id, disc, position });

/** Applies the moves as the server would: a place that is taken is refused. */
function apply(before: readonly Place[], moves: readonly Place[]): Map<string, string> {
  const now = new Map(before.map((row) => [row.id, `${row.disc}/${row.position}`]));
  for (const { id, disc, position } of moves) {
    const wanted = `${disc}/${position}`;
    for (const [other, taken] of now) expect(other !== id && taken === wanted).toBe(false);
    now.set(id, wanted);
  }
  return now;
}

describe('ENTRY-3: moving tracks, no place ever holds two', () => {
  it('needs nothing for tracks that stay', () => {
    expect(planMoves([place('a', 1), place('b', 2)], [place('a', 1), place('b', 2)])).toEqual([]);
  });

  it('parks one of two that change places', () => {
    const before = [place('a', 1), place('b', 2)];
    expect(planMoves(before, [place('a', 2), place('b', 1)])).toHaveLength(3);
  });

  it('brings any order of tracks into any other', () => {
    const orders = fc
      .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 12 })), {
        minLength: 1,
        maxLength: 12,
        selector: ([disc, position]) => `${disc}/${position}`,
      })
      .chain((from) =>
        fc.tuple(fc.constant(from), fc.shuffledSubarray(from, { minLength: from.length, maxLength: from.length })),
      );
    fc.assert(
      fc.property(orders, ([from, to]) => {
        const named = (spots: [number, number][]) =>
          spots.map(([disc, position], at) => place(`t${at}`, position, disc));
        const before = named(from);
        const after = named(to);
        const now = apply(before, planMoves(before, after));
        for (const row of after) expect(now.get(row.id)).toBe(`${row.disc}/${row.position}`);
      }),
    );
  });
});
