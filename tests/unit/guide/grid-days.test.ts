/** Days of the grid where the clock is changed; the process has the zone of Berlin here. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dayAfter, dayOf, dayOfInput, hoursOf, inputDay } from '#lanes/guide/ui/page/grid/day.ts';

const HOUR = 3_600_000;

beforeEach(() => void vi.stubEnv('TZ', 'Europe/Berlin'));
afterEach(() => void vi.unstubAllEnvs());

test.each([
  ['2026-03-29', 23, [0, 1, 3, 4]],
  ['2026-03-30', 24, [0, 1, 2, 3]],
  ['2026-10-25', 25, [0, 1, 2, 2, 3]],
])('GUIDE-177 %s has %i hours, each where it is', (text, count, first) => {
  const day = dayOfInput(text);
  if (day === null) throw new Error('no day');
  expect((day.to - day.from) / HOUR).toBe(count);
  const hours = hoursOf(day);
  expect(hours).toHaveLength(count);
  expect(hours.slice(0, first.length).map((hour) => new Date(hour).getHours())).toEqual(first);
  expect(inputDay(day)).toBe(text);
  // Its neighbours meet it without a gap, from any instant of it.
  for (const hour of hours) expect(dayOf(hour)).toEqual(day);
  expect([dayAfter(day, 1).from, dayAfter(day, -1).to]).toEqual([day.to, day.from]);
});

test('GUIDE-177 what is no day is none', () => {
  for (const text of ['', '2026-3-1', 'soon']) expect(dayOfInput(text)).toBeNull();
});
