/** What came in and how it was decided, counted over finished files for the page of statistics. */
import { isFinished, type Job } from '#core/job/job.ts';
import type { Judged } from '../lane-ui.ts';

export interface Count {
  name: string;
  count: number;
}

export interface DayCount {
  /** `2026-11-28`, in the person's own time. */
  day: string;
  published: number;
  duplicate: number;
  failed: number;
  cancelled: number;
}

export interface Statistics {
  files: number;
  /** Every day from the first to the last on which something came in, at most `DAYS`; the newest last. */
  days: DayCount[];
  /** By how many, most first. */
  formats: (Count & { bytes: number })[];
  /** Of the files that were decided. */
  decidedBy: { rule: number; model: number; person: number };
  /** Bands of the matcher's confidence, lowest first; those without a proposal that somebody judged are left out. */
  bands: Band[];
}

export interface Band {
  /** 0..1; `to` is not in it, but 1. */
  from: number;
  to: number;
  /** Proposals that a person answered, took back, or let be published. */
  judged: number;
  right: number;
}

/** Days that are drawn at most. */
export const DAYS = 30;
const DAY_MS = 86_400_000;
const BANDS: readonly (readonly [number, number])[] = [
  [0, 0.5],
  [0.5, 0.7],
  [0.7, 0.9],
  [0.9, 0.97],
  [0.97, 1],
];

/**
 * @param judged proposals of which a person's word, or that they let it be published, says whether they were right
 * @param now milliseconds: the last day that is drawn
 */
export function statisticsOf(jobs: readonly Job[], judged: readonly Judged[], now: number): Statistics {
  const finished = jobs.filter(isFinished);
  return {
    files: finished.length,
    days: byDay(finished, now),
    formats: byFormat(finished),
    decidedBy: decidedBy(finished),
    bands: bandsOf(judged),
  };
}

/** `2026-11-28` of a moment, in the person's own time. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function byDay(jobs: readonly Job[], now: number): DayCount[] {
  const days = new Map<string, DayCount>();
  const first = Math.min(now, ...jobs.map(({ created_at }) => created_at));
  // From noon to noon: a day of 23 or 25 hours is passed over by none and met twice by none.
  const noon = new Date(now);
  noon.setHours(12, 0, 0, 0);
  for (let back = DAYS - 1; back >= 0; back--) {
    const at = noon.getTime() - back * DAY_MS;
    if (dayOf(at) < dayOf(first)) continue;
    const day = dayOf(at);
    days.set(day, { day, published: 0, duplicate: 0, failed: 0, cancelled: 0 });
  }
  for (const { created_at, phase } of jobs) {
    const day = days.get(dayOf(created_at));
    if (day !== undefined && isEnd(phase)) day[phase]++;
  }
  return [...days.values()];
}

const ENDS = ['published', 'duplicate', 'failed', 'cancelled'] as const;
const isEnd = (phase: string): phase is (typeof ENDS)[number] => (ENDS as readonly string[]).includes(phase);

function byFormat(jobs: readonly Job[]): Statistics['formats'] {
  return [...Map.groupBy(jobs, formatOf)]
    .map(([name, of]) => ({
      name,
      count: of.length,
      bytes: of.reduce((sum, { file_size_bytes }) => sum + file_size_bytes, 0),
    }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

/** Its codec; of what was not read, its ending. */
function formatOf({ codec, original_filename }: Job): string {
  if (codec !== null) return codec.toUpperCase();
  return /\.([a-z0-9]{1,5})$/i.exec(original_filename)?.[1]?.toUpperCase() ?? 'other';
}

function decidedBy(jobs: readonly Job[]): Statistics['decidedBy'] {
  const by = { rule: 0, model: 0, person: 0 };
  for (const { match_source, agent } of jobs) {
    if (match_source === 'HUMAN_REVIEW') by.person++;
    // The model says where to look; without evidence nothing is approved. Where it was asked it had its part.
    else if (match_source === 'AGENT') by[agent != null && agent.failed === null ? 'model' : 'rule']++;
  }
  return by;
}

function bandsOf(judged: readonly Judged[]): Band[] {
  return BANDS.flatMap(([from, to]) => {
    const of = judged.filter(
      ({ confidence }) => confidence >= from && (confidence < to || (to === 1 && confidence === 1)),
    );
    if (of.length === 0) return [];
    return [{ from, to, judged: of.length, right: of.filter(({ right }) => right).length }];
  });
}
