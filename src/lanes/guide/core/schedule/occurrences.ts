/** When each block of a channel takes place: its begin, its end, and what stands in its way. */
import { failed } from '#core/errors.ts';
import type { Block, ScheduleConflict } from './types.ts';
import { DAY, MINUTE, dayText, weekday, type ZoneClock } from './zone.ts';

export interface Occurrence {
  block: Block;
  /** Days since the epoch: the local day on which it begins. */
  day: number;
  start: number;
  end: number;
}

/** A block without an end of its own ends with the next begin: a week on at the latest, two where a day does not exist. */
const LOOK_AHEAD_DAYS = 15;

/** The block by its own clock times, milliseconds; null where it has no end of its own. */
export function clockLength({ at, until }: Block): number | null {
  return until === null ? null : clockEnd(at, until) - clockTime(at);
}

/** Those that begin on the days [from, to), in order. */
export function occurrences(
  blocks: readonly Block[],
  clock: ZoneClock,
  { from, to }: { from: number; to: number },
): { taking: Occurrence[]; conflicts: ScheduleConflict[] } {
  const conflicts: ScheduleConflict[] = [];
  const say = (code: ScheduleConflict['code'], block: Block, day: number): void => {
    if (day < to) conflicts.push({ code, block: block.id, day: dayText(day), video: null });
  };

  const begins: { block: Block; day: number; start: number }[] = [];
  for (let day = from; day < to + LOOK_AHEAD_DAYS; day++)
    for (const block of blocks) {
      if (!block.days.includes(weekday(day))) continue;
      const start = clock.instantOf(day * DAY + clockTime(block.at));
      if (Math.floor(clock.localAt(start) / DAY) === day) begins.push({ block, day, start });
      else say('no-such-day', block, day);
    }
  // Stable: of two at one instant the first listed is first.
  begins.sort((a, b) => a.start - b.start || blocks.indexOf(a.block) - blocks.indexOf(b.block));

  const alone = begins.filter(({ block, day, start }, index) => {
    const same = begins[index - 1]?.start === start;
    if (same) say('same-start', block, day);
    return !same;
  });
  const taking = alone.flatMap(({ block, day, start }, index) => {
    if (day >= to) return [];
    const next = alone[index + 1]?.start ?? Number.POSITIVE_INFINITY;
    const own = block.until === null ? null : clock.instantOf(day * DAY + clockEnd(block.at, block.until));
    if (own !== null && own > next) say('cut', block, day);
    const end = Math.min(own ?? next, next);
    if (end > start) return [{ block, day, start, end }];
    say('no-time', block, day);
    return [];
  });
  return { taking, conflicts };
}

/** `HH:MM` as milliseconds of the day. */
function clockTime(text: string): number {
  const [, hours = '', minutes = ''] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hours === '') throw failed('invalid', `"${text.slice(0, 20)}" is no time of a day.`);
  return (Number(hours) * 60 + Number(minutes)) * MINUTE;
}

/** Of the next day where it is not after the begin. */
function clockEnd(at: string, until: string): number {
  const end = clockTime(until);
  return end > clockTime(at) ? end : end + DAY;
}
