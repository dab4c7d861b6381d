import { describe, expect, test } from 'vitest';
import { Gathered } from '#lanes/music/browser/replica/gathered.ts';
import type { Told } from '#adapters/browser/progress/told.ts';
import { spaced } from '#adapters/browser/spaced.ts';

function gathered() {
  const told: Told[] = [];
  let due: (() => void) | null = null;
  const words = new Gathered((one) => told.push(one), {
    set: (run) => (due = run),
    clear: () => (due = null),
  });
  return {
    words,
    heard: () => told.splice(0),
    second: () => {
      const run = due;
      due = null;
      run?.();
    },
  };
}

const share = (id: string, value: number): Told => ({ type: 'converting', shares: new Map([[id, value]]) });
const read = (done: number): Told => ({ type: 'reading', batch_id: 'b', done, total: 9 });

describe('UI-57 progress is told together, once a second', () => {
  test('UI-127 the first at once, of later ones the last', () => {
    const { words, heard, second } = gathered();
    words.take(share('a', 0.1));
    expect(heard()).toEqual([share('a', 0.1)]);
    words.take(share('a', 0.2));
    words.take(share('c', 0.5));
    words.take(share('a', 0.3));
    words.take(read(1));
    words.take(read(4));
    expect(heard()).toEqual([]);
    second();
    const shares = new Map([
      ['a', 0.3],
      ['c', 0.5],
    ]);
    expect(heard()).toEqual([{ type: 'converting', shares }, read(4)]);
    second();
    words.take(read(6));
    expect(heard()).toEqual([read(6)]);
  });

  test('nothing after its end', () => {
    const { words, heard, second } = gathered();
    words.take(read(1));
    words.take(read(2));
    words.stop();
    second();
    expect(heard()).toEqual([read(1)]);
  });

  test('UI-127 a worker speaks at most once in a while, and at its end', () => {
    let now = 0;
    const said: number[] = [];
    const say = spaced((value) => said.push(value), 1000, () => now); // prettier-ignore
    for (const [at, value] of [
      [0, 0.1],
      [500, 0.2],
      [1000, 0.3],
      [1100, 0.4],
      [1200, 1],
    ] as const) {
      // prettier-ignore
      now = at;
      say(value);
    }
    expect(said).toEqual([0.1, 0.3, 1]);
  });
});
