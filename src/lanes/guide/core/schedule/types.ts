/** A channel that is a schedule over recognised videos, and what is derived from it. */

/** What a schedule needs to know of a recognised video. */
export interface ScheduleVideo {
  id: string;
  show: string;
  /** 0: a special, which no block plays. null: a film, or not known. */
  season: number | null;
  episode: number | null;
  /** Its length. Anything but a positive whole number: not known. */
  seconds: number | null;
}

/** `aired`: one show after the other. `rotate`: the shows by turns. `shuffle`: by seed, each round every video once. */
export type BlockOrder = 'aired' | 'rotate' | 'shuffle';

export interface Block {
  id: string;
  /** 1: Monday, 7: Sunday. */
  days: readonly number[];
  /** `HH:MM`, local time of the channel. */
  at: string;
  /** `HH:MM`; not after `at`: of the next day. null: until the next block begins. */
  until: string | null;
  /** Ids of shows, in the order in which they are played. */
  shows: readonly string[];
  order: BlockOrder;
  /** Minutes of the wall clock that each further item begins at: 0 (any), 5, 10, 15 or 30. */
  pad: number;
  /** Of `shuffle`; without one the ids of channel and block. */
  seed?: number | string | undefined;
}

export interface ScheduleChannel {
  id: string;
  number: string;
  name: string;
  /** IANA. */
  zone: string;
  /** `YYYY-MM-DD`: the first day. All windows are counted from it, so that they say the same of the same day. */
  from: string;
  blocks: readonly Block[];
}

/** Local days, `to` excluded. */
export interface ScheduleWindow {
  from: string;
  to: string;
}

export interface ScheduledProgramme {
  /** `2026-03-02T08:00:00Z`. */
  start: string;
  stop: string;
  video: string;
}

export type ConflictCode =
  'cut' | 'does-not-fit' | 'empty' | 'no-length' | 'no-such-day' | 'no-time' | 'same-start' | 'too-long';

export interface ScheduleConflict {
  code: ConflictCode;
  block: string | null;
  /** The local day on which the block begins. */
  day: string | null;
  video: string | null;
}

export interface Schedule {
  /** In order of start; no two overlap. */
  programmes: ScheduledProgramme[];
  /** In order of code, block, day, video. */
  conflicts: ScheduleConflict[];
}
