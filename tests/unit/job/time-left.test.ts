import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TimeLeft } from '#core/job/time-left.ts';
import { runs } from '../../fixtures/runs.ts';

/** Looks once a second at work that goes on at these speeds (units a second); what is said after each. */
function watch(speeds: readonly number[], total: number, clock = new TimeLeft()): (number | null)[] {
  let done = 0;
  return [0, ...speeds].map((speed, second) => {
    done = Math.min(total, done + speed);
    return clock.look({ done, total }, second * 1000);
  });
}
const steady = (seconds: number, speed = 10): number[] => Array.from({ length: seconds }, () => speed);

describe('time left', () => {
  test('UI-7 nothing is said before some seconds of progress, nor when all is done', () => {
    const said = watch([0, 0, 0, 0, 0, ...steady(20)], 150);
    expect(said.slice(0, 11)).toEqual(Array(11).fill(null));
    expect(said[11]).toBeCloseTo(9000, -2);
    expect(said[21]).toBeNull();
  });

  test('UI-54 at a steady speed it is right and runs down with the clock', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 20, max: 600 }), (speed, seconds) => {
        watch(steady(seconds - 1, speed), seconds * speed).forEach((left, at) => {
          if (left !== null) expect(Math.abs(left - (seconds - at) * 1000)).toBeLessThan(50);
        });
      }),
      { numRuns: runs(60, 2000) },
    );
  });

  test('UI-54 however the speed changes, it is never below nothing and does not jump', () => {
    const speed = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(fc.array(speed, { minLength: 30, maxLength: 200 }), (speeds) => {
        const total = speeds.reduce((sum, one) => sum + one, 0) + 1000;
        let before: number | null = null;
        for (const left of watch(speeds, total)) {
          if (left !== null) expect(left).toBeGreaterThanOrEqual(0);
          // In a second it moves at most an eighth of the way to what the speed of late says, and down by that second.
          if (left !== null && before !== null) expect(before - left).toBeLessThan(before * 0.12 + 1001);
          before = left;
        }
      }),
      { numRuns: runs(100, 3000) },
    );
  });

  test('UI-54 one slow file does not throw it about', () => {
    const said = watch([...steady(60), ...steady(5, 2), ...steady(20)], 2000);
    const [before, during] = [said[60] ?? 0, Math.max(...said.slice(61, 70).map((left) => left ?? 0))];
    expect(during).toBeLessThan(before * 1.1);
  });

  test('UI-54 paused time is no time: the speed after it is the speed before it', () => {
    const clock = new TimeLeft();
    watch(steady(30), 1000, clock);
    expect(clock.look({ done: 300, total: 1000 }, 31_000, true)).toBeNull();
    expect(clock.look({ done: 300, total: 1000 }, 600_000, true)).toBeNull();
    expect(clock.look({ done: 310, total: 1000 }, 601_000)).toBeCloseTo(69_000, -3);
  });

  test('UI-54 a page that was hidden, and a file that begins again, change nothing that was learned', () => {
    const clock = new TimeLeft();
    watch(steady(30), 1000, clock);
    const before = clock.look({ done: 310, total: 1000 }, 31_000) ?? 0;
    expect(clock.look({ done: 310, total: 1000 }, 331_000)).toBe(before);
    expect(clock.look({ done: 250, total: 1000 }, 332_000)).toBe(before);
    expect(clock.look({ done: 260, total: 1000 }, 333_000)).toBeGreaterThan(before - 2000);
  });

  test('UI-54 work that is added is counted at once, at the speed that was seen', () => {
    const clock = new TimeLeft();
    watch(steady(30), 1000, clock);
    expect(clock.look({ done: 310, total: 2000 }, 31_000)).toBeCloseTo(169_000, -2);
  });

  test('UI-54 what stands still has no time left that anybody knows', () => {
    const said = watch([...steady(30), ...steady(120, 0), ...steady(2)], 1000);
    expect(said[40]).not.toBeNull();
    expect(said[140]).toBeNull();
    expect(said[151]).not.toBeNull();
  });
});
