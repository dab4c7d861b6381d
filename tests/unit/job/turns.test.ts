import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Turns, type Waiting } from '#core/job/turns.ts';

const file = (batch_id: string, group_id: string | null, n: number): Waiting => ({
  id: `${batch_id}/${group_id}/${n}`,
  batch_id,
  group_id,
  created_at: n,
  path: `${n}`,
});

/** The first `count` in the order in which they are begun. */
function begun(waiting: Waiting[], count = Infinity): string[] {
  const turns = new Turns();
  const left = [...waiting];
  const order: string[] = [];
  for (let one = turns.next(left); one !== null && order.length < count; one = turns.next(left)) {
    turns.took(one);
    left.splice(left.indexOf(one), 1);
    order.push(one.id);
  }
  return order;
}

describe('turns of the converters', () => {
  test('MEDIA-24 a song behind a drop of a thousand files is the second to be begun', () => {
    const many = Array.from({ length: 1000 }, (_, n) => file('big', 'album', n));
    expect(begun([...many, file('small', null, 5000)], 3)).toEqual(['big/album/0', 'small/null/5000', 'big/album/1']);
  });

  test('MEDIA-24 batches take turns, within a batch its albums, within an album the oldest file', () => {
    const waiting = [file('x', 'a', 2), file('x', 'a', 1), file('x', 'b', 3), file('y', 'c', 4), file('y', 'c', 5)];
    expect(begun(waiting)).toEqual(['x/a/1', 'y/c/4', 'x/b/3', 'y/c/5', 'x/a/2']);
  });

  test('MEDIA-24 nobody is passed over: between two turns of a batch that waits, no other has two more than it', () => {
    const files = fc.array(
      fc.record({ batch: fc.constantFrom('p', 'q', 'r'), group: fc.constantFrom('1', '2', null), n: fc.nat(50) }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(files, (rows) => {
        const waiting = rows.map(({ batch, group, n }, at) => ({ ...file(batch, group, n), id: `${batch} ${at}` }));
        const order = begun(waiting).map((id) => id.split(' ')[0] ?? '');
        expect(order).toHaveLength(waiting.length);
        const left = (batch: string, from: number): boolean => order.slice(from).includes(batch);
        for (let at = 1; at < order.length; at++) {
          const [before, now] = [order[at - 1], order[at]];
          const others = ['p', 'q', 'r'].filter((batch) => batch !== before && left(batch, at));
          // The same batch twice in a row only when nobody else waits.
          if (before === now) expect(others).toEqual([]);
        }
      }),
      { numRuns: 60 },
    );
  });
});
