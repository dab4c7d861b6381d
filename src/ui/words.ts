/** Numbers and states as words for a person. Plain English everywhere; no locale decides what a test reads. */
import type { Batch, Job, JobPhase, JobStatus } from '#core/job/job.ts';

export type Tone = 'neutral' | 'busy' | 'good' | 'attention' | 'bad';

const PHASES: Record<JobPhase, { words: string; tone: Tone }> = {
  queued: { words: 'Waiting', tone: 'neutral' },
  probing: { words: 'Analyzing...', tone: 'busy' },
  grouping: { words: 'Searching catalog...', tone: 'busy' },
  searching: { words: 'Searching catalog...', tone: 'busy' },
  thinking: { words: 'Asking the model', tone: 'busy' },
  review: { words: 'Needs your answer', tone: 'attention' },
  approved: { words: 'Converting...', tone: 'busy' },
  converting: { words: 'Converting...', tone: 'busy' },
  waiting: { words: 'Waiting to publish', tone: 'neutral' },
  publishing: { words: 'Publishing...', tone: 'busy' },
  published: { words: 'Available', tone: 'good' },
  duplicate: { words: 'Duplicate', tone: 'neutral' },
  failed: { words: 'Failed', tone: 'bad' },
  cancelled: { words: 'Cancelled', tone: 'neutral' },
};

/** The phase in the specification's words, with the meaning that decides its colour and icon. */
export function phaseWords(phase: JobPhase): { words: string; tone: Tone } {
  return PHASES[phase];
}

const STATUSES: Record<JobStatus, string> = {
  PENDING: 'Waiting',
  PROCESSING: 'Searching catalog...',
  AWAITING_REVIEW: 'Needs an answer',
  CONVERTING: 'Converting...',
  COMPLETED: 'Done',
  FAILED: 'Failed',
};

/** Where a job stands, as another workstation tells it. */
export const statusWords = (status: JobStatus): string => STATUSES[status];

/** 0..1 as `97 %`; never rounded up to a certainty that it is not. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  return `${share < 1 ? Math.min(99, rounded) : 100}\u00a0%`;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Bytes with a decimal unit, three digits at most. */
export function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)}\u00a0${units[unit] ?? 'TB'}`;
}

/** Milliseconds between two lengths as `+0:07`, `-2:18`; under ten seconds with a tenth: `+0.4 s`. */
export function lengthDifference(ms: number): string {
  const seconds = Math.abs(ms) / 1000;
  if (seconds < 0.05) return '\u00b10.0\u00a0s';
  const sign = ms < 0 ? '\u2212' : '+';
  if (seconds < 9.95) return `${sign}${seconds.toFixed(1)}\u00a0s`;
  const whole = Math.round(seconds);
  return `${sign}${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Milliseconds of work as `40 ms`, `1.2 s`, `3:05 min`. */
export function elapsed(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}\u00a0ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}\u00a0s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}\u00a0min`;
}

// Made once: to make it costs a hundred times what to use it costs, and long lists say many moments.
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** The last moment (epoch milliseconds) that a Date can be. */
const LAST = 8.64e15;

/** A moment (epoch milliseconds) as the person's own date and time. */
export function moment(at: number): string {
  return Math.abs(at) <= LAST ? MOMENT.format(at) : 'at an unknown time';
}

export function confidenceClass(confidence: number): Tone {
  return confidence > 0.9 ? 'good' : confidence >= 0.6 ? 'attention' : 'bad';
}

/** One quiet line about the files that came along: `cover.jpg used as cover, 3 ignored`. */
export function companionsLine(companions: Batch['companions']): string {
  const ignored = companions.filter((companion) => companion.outcome === 'ignored').length;
  const used = companions
    .filter((companion) => companion.outcome !== 'ignored')
    .map((companion) => `${companion.path.split('/').at(-1) ?? companion.path} ${companion.outcome}`);
  const parts = used.length > 4 ? [...used.slice(0, 3), `${used.length - 3} more used`] : used;
  return [...parts, ...(ignored > 0 ? [`${ignored} ignored`] : [])].join(', ');
}

/** `artist · album` of a group as far as it is known: from the match, else from the tags. */
export function groupTitle(jobs: readonly Job[]): { album: string; artist: string | null } | null {
  const matched = jobs.find((job) => job.matched_album !== null);
  const tagged = jobs.find((job) => job.evidence?.tags.album !== undefined);
  const tags = (matched ?? tagged)?.evidence?.tags;
  const option = matched?.match?.options.find((candidate) => candidate.track_id === matched.matched_track_id);
  const album = matched?.matched_album ?? tagged?.evidence?.tags.album;
  if (album === undefined || album === null) return null;
  return { album, artist: tags?.albumartist ?? option?.artist ?? tags?.artist ?? null };
}
