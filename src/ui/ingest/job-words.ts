/** Where a job is, and what came with it, in words. */
import type { FailureCode } from '#core/errors.ts';
import type { Batch, Job, JobPhase, JobStatus } from '#core/job/job.ts';
import type { Tone } from '../parts/words.ts';

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

/** Whether it is being looked for in the catalog. */
export const isSearched = ({ phase }: Pick<Job, 'phase'>): boolean => phase === 'grouping' || phase === 'searching';

interface Wait {
  words: string;
  of: (count: number) => string;
}
/** Failures that wait for somebody: nothing went wrong with the file (UI-266). */
const WAITS: Partial<Record<FailureCode, Wait>> = {
  archive_encrypted: {
    words: 'Needs a password',
    of: (count) => `${count} ${count === 1 ? 'needs' : 'need'} a password`,
  },
  storage_full: { words: 'Waits for space', of: (count) => `${count} ${count === 1 ? 'waits' : 'wait'} for space` },
};

/** What a row says of its job. `paused`: all work is. `wait`: what keeps it from being looked for in the catalog. */
export function rowWords(
  job: Pick<Job, 'phase' | 'paused' | 'failure'>,
  paused: boolean,
  wait: string | null = null,
): string {
  if (wait !== null && isSearched(job)) return wait;
  if (job.phase === 'approved' && (job.paused === true || paused)) return 'Paused';
  return waitOf(job)?.words ?? phaseWords(job.phase).words;
}

/** What a file waits for that could not be taken in; null where it does not wait. */
export const waitOf = ({ phase, failure }: Pick<Job, 'phase' | 'failure'>): Wait | null =>
  (phase === 'failed' && failure && WAITS[failure.code]) || null;

const STATUSES: Record<JobStatus, string> = {
  PENDING: 'Waiting',
  PROCESSING: 'Searching catalog...',
  AWAITING_REVIEW: 'Needs an answer',
  CONVERTING: 'Converting...',
  COMPLETED: 'Done',
  FAILED: 'Failed',
};

/** The status of a job of another workstation, which is all that is known of it here. */
export const statusWords = (status: JobStatus): string => STATUSES[status];

/** One quiet line about the files that came along: `cover.jpg used as cover, 3 ignored`. */
export function companionsLine(companions: Batch['companions']): string {
  const ignored = companions.filter((companion) => companion.outcome === 'ignored').length;
  const used = companions
    .filter((companion) => companion.outcome !== 'ignored')
    .map((companion) => `${companion.path.split('/').at(-1) ?? companion.path} ${companion.outcome}`);
  const parts = used.length > 4 ? [...used.slice(0, 3), `${used.length - 3} more used`] : used;
  return [...parts, ...(ignored > 0 ? [`${ignored} ignored`] : [])].join(', ');
}
