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

type CoverJob = Pick<Job, 'path' | 'evidence' | 'cover_sha256' | 'cover_chosen'>;

/**
 * One quiet line about the files that came along: `cover.jpg used as cover, ignored: notes.nfo, a.log and 3 more`. `jobs`:
 * files that lie beside them.
 */
export function companionsLine(companions: Batch['companions'], jobs: readonly CoverJob[]): string {
  const ignored = companions.filter(({ outcome }) => outcome === 'ignored').map(({ path }) => nameOf(path));
  const covers = companions.filter(isKeptCover).length;
  const used = companions
    .filter(({ outcome }) => outcome !== 'ignored')
    .map((one) => `${nameOf(one.path)} ${isKeptCover(one) ? coverWords(one.path, jobs, covers === 1) : one.outcome}`);
  const parts = used.length > 4 ? [...used.slice(0, 3), `${used.length - 3} more used`] : used;
  return [...parts, ...(ignored.length > 0 ? [`ignored: ${someOf(ignored)}`] : [])].join(', ');
}

const nameOf = (path: string): string => path.split('/').at(-1) ?? path;
const isKeptCover = ({ kind, sha256 }: Batch['companions'][number]): boolean => kind === 'cover' && sha256 !== null;

/** `a`, `a, b`, `a, b and 3 more`. */
const someOf = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ');

/** UI-361: what became of a picture: only where no file has a cover of its own, and none was chosen, is it theirs. */
function coverWords(path: string, jobs: readonly CoverJob[], alone: boolean): string {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const beside = jobs.filter((job) => job.path.startsWith(folder));
  if (beside.length === 0 || beside.some(({ evidence }) => evidence === null)) return 'kept as cover';
  const needing = beside.filter(({ cover_chosen }) => !cover_chosen);
  if (needing.length === 0) return 'kept, another cover was chosen';
  const without = needing.filter(({ cover_sha256 }) => cover_sha256 === null).length;
  if (without === 0) return 'kept, the files have covers of their own';
  return alone && without === beside.length ? 'used as cover' : 'kept as cover';
}
