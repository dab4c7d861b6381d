import { describe, expect, test } from 'vitest';
import { ProgressThrottle, throttled, type Progress } from '#adapters/browser/progress.ts';

function throttle() {
  const passed: Progress[] = [];
  let due: (() => void) | null = null;
  const messages = new ProgressThrottle((one) => passed.push(one), {
    set: (run) => (due = run),
    clear: () => (due = null),
  });
  return {
    messages,
    heard: () => passed.splice(0),
    second: () => {
      const run = due;
      due = null;
      run?.();
    },
  };
}

const share = (id: string, value: number): Progress => ({ type: 'converting', shares: new Map([[id, value]]) });
const read = (done: number): Progress => ({ type: 'reading', batch_id: 'b', done, total: 9 });

describe('UI-57 progress is passed on together, once a second', () => {
  test('UI-127 the first at once, of later ones the last', () => {
    const { messages, heard, second } = throttle();
    messages.take(share('a', 0.1));
    expect(heard()).toEqual([share('a', 0.1)]);
    messages.take(share('a', 0.2));
    messages.take(share('c', 0.5));
    messages.take(share('a', 0.3));
    messages.take(read(1));
    messages.take(read(4));
    expect(heard()).toEqual([]);
    second();
    const shares = new Map([
      ['a', 0.3],
      ['c', 0.5],
    ]);
    expect(heard()).toEqual([{ type: 'converting', shares }, read(4)]);
    second();
    messages.take(read(6));
    expect(heard()).toEqual([read(6)]);
  });

  test('nothing after its end', () => {
    const { messages, heard, second } = throttle();
    messages.take(read(1));
    messages.take(read(2));
    messages.stop();
    second();
    expect(heard()).toEqual([read(1)]);
  });

  test('UI-127 a worker speaks at most once in a while, and at its end', () => {
    let now = 0;
    const said: number[] = [];
    const pass = throttled(
      (value) => said.push(value),
      1000,
      () => now,
    );
    for (const [at, value] of [
      [0, 0.1],
      [500, 0.2],
      [1000, 0.3],
      [1100, 0.4],
      [1200, 1],
    ] as const) {
      now = at;
      pass(value);
    }
    expect(said).toEqual([0.1, 0.3, 1]);
  });
});
