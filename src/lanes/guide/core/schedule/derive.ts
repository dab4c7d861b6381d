/**
 * A channel's programmes from its blocks and the recognised videos. Pure: the same channel, videos and day give the same
 * programmes whatever the window, since every window is counted from the channel's first day.
 *
 *   days -> occurrences of blocks (begin, end) -> items of each block's list, one behind the other -> those of the window
 */
import { clockLength, occurrences, type Occurrence } from './occurrences.ts';
import { episodesOf, hasLength, playList, type Playable, type PlayList } from './play-list.ts';
import type {
  Block,
  Schedule,
  ScheduleChannel,
  ScheduleConflict,
  ScheduledProgramme,
  ScheduleVideo,
  ScheduleWindow,
} from './types.ts';
import { DAY, dayNumber, dayText, instantText, MINUTE, zoneClock, type ZoneClock } from './zone.ts';

/**
 * Of the videos that are given those without a length are conflicts, whether a block plays them or not: `videosOf` leaves
 * out what none does. Throws AccessionError `invalid` on an unknown zone, a day or a time that is none.
 */
export function deriveSchedule(
  channel: ScheduleChannel,
  videos: readonly ScheduleVideo[],
  window: ScheduleWindow,
): Schedule {
  const clock = zoneClock(channel.zone);
  const days = { from: dayNumber(window.from), to: dayNumber(window.to) };
  const inWindow = (day: number): boolean => day >= days.from && day < days.to;

  const found = occurrences(channel.blocks, clock, { from: dayNumber(channel.from), to: days.to });
  const conflicts = found.conflicts.filter(({ day }) => day !== null && inWindow(dayNumber(day)));
  const lists = listsOf(channel, videos, conflicts);

  const programmes: ScheduledProgramme[] = [];
  for (const occurrence of found.taking) {
    const list = lists.get(occurrence.block);
    if (!list) continue;
    const said = fill(occurrence, list, clock, (item, start) => {
      if (!inWindow(Math.floor(clock.localAt(start) / DAY))) return;
      programmes.push({ start: instantText(start), stop: instantText(start + item.milliseconds), video: item.id });
    });
    if (inWindow(occurrence.day)) conflicts.push(...said);
  }
  return { programmes, conflicts: conflicts.sort(byFields) };
}

/** The videos that a channel's blocks may play. */
export function videosOf<Video extends ScheduleVideo>({ blocks }: ScheduleChannel, videos: readonly Video[]): Video[] {
  const shows = new Set(blocks.flatMap((block) => block.shows));
  return videos.filter(({ show, season }) => shows.has(show) && season !== 0);
}

/** A block's list, and how far it has come. */
interface Playing extends PlayList {
  place: number;
}

/** Says what cannot be played. A block without anything to play has no list. */
function listsOf(
  { id, blocks }: ScheduleChannel,
  videos: readonly ScheduleVideo[],
  conflicts: ScheduleConflict[],
): Map<Block, Playing> {
  const shows = new Map<string, ScheduleVideo[]>();
  for (const show of blocks.flatMap((block) => block.shows))
    if (!shows.has(show)) shows.set(show, episodesOf(show, videos));
  for (const video of new Map(videos.map((one) => [one.id, one])).values())
    if (!hasLength(video)) conflicts.push({ code: 'no-length', block: null, day: null, video: video.id });

  const lists = new Map<Block, Playing>();
  for (const block of blocks) {
    const list = playList(
      block,
      block.shows.map((show) => shows.get(show) ?? []),
      id,
    );
    if (list.size > 0) lists.set(block, { ...list, place: 0 });
    else conflicts.push({ code: 'empty', block: block.id, day: null, video: null });
  }
  return lists;
}

/** Plays from where the list stopped, until the next item would not end in time. */
function fill(
  { block, day, start, end }: Occurrence,
  list: Playing,
  clock: ZoneClock,
  play: (item: Playable, start: number) => void,
): ScheduleConflict[] {
  const said: ScheduleConflict[] = [];
  const own = clockLength(block);
  const passed = new Set<string>();
  /** Where the next item begins; null: the first one is still wanted. */
  let ended: number | null = null;
  while (passed.size < list.size) {
    const item = list.at(list.place);
    if (!item) break;
    const begin: number = ended === null ? start : nextBegin(ended, block.pad, clock);
    if (begin + item.milliseconds <= end) {
      play(item, begin);
      ended = begin + item.milliseconds;
    } else if (ended !== null) break;
    else {
      const tooLong = own !== null && item.milliseconds > own;
      const code = tooLong ? 'too-long' : 'does-not-fit';
      if (!passed.has(item.id)) said.push({ code, block: block.id, day: dayText(day), video: item.id });
      if (!tooLong) break;
      passed.add(item.id);
    }
    list.place++;
  }
  return said;
}

/**
 * Rounded up by the wall clock, never back in time: in an hour that is there twice the second one stays the second. Once
 * more where the clock was changed in between by something that is no multiple.
 */
function nextBegin(instant: number, pad: number, clock: ZoneClock): number {
  const step = pad * MINUTE;
  if (step <= 0) return instant;
  let begin = instant;
  for (let tries = 0; tries < 3; tries++) {
    const over = clock.localAt(begin) % step;
    if (over === 0) break;
    begin += step - over;
  }
  return begin;
}

function byFields(a: ScheduleConflict, b: ScheduleConflict): number {
  for (const field of ['code', 'block', 'day', 'video'] as const) {
    const [one, other] = [a[field] ?? '', b[field] ?? ''];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}
