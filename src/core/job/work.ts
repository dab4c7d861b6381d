/** How much of the work on files is done: in files, in bytes for a person, in sound for the clock. */
import type { Job, JobPhase } from './job.ts';
import type { Amount } from './time-left.ts';

export type WorkFacts = Pick<
  Job,
  'id' | 'phase' | 'status' | 'progress' | 'file_size_bytes' | 'duration_ms' | 'output_size' | 'paused' | 'updated_at'
>;

export interface Work {
  files: Amount;
  bytes: Amount;
  /** What the time goes by: milliseconds of sound, or bytes that are sent. */
  clock: Amount;
  /** False while of a file in hand nothing was reported yet: its first report is where it was, no progress. */
  heard: boolean;
  /** Nothing of it goes on until a person says so. */
  paused: boolean;
}

/** As long as the sound of these bytes is on average, where nobody knows its length. Milliseconds a byte. */
const MS_PER_BYTE = 1 / 100;

const BEFORE: ReadonlySet<JobPhase> = new Set(['queued', 'probing', 'grouping', 'searching', 'thinking', 'review']);
const SENT: ReadonlySet<JobPhase> = new Set(['waiting', 'publishing']);

/** How far a file's conversion is, 0..1; `share` is what its worker said last. */
export function convertedShare(job: WorkFacts, share: number | undefined): number {
  if (job.phase === 'converting') return Math.min(1, Math.max(0, share ?? 0));
  return job.status === 'COMPLETED' || SENT.has(job.phase) ? 1 : 0;
}

/**
 * Converting these files; a file is done by its phase, whatever its share. What failed, was cancelled, is a duplicate or
 * still asked about is no part of it. `since`: when somebody began to listen (milliseconds since the epoch); what began
 * later began at nothing, reported or not.
 */
export function conversionWork(
  jobs: readonly WorkFacts[],
  shareOf: (id: string) => number | undefined,
  since = Infinity,
): Work {
  const counted = jobs.filter((job) => job.status !== 'FAILED' && job.phase !== 'duplicate' && !BEFORE.has(job.phase));
  const waits = counted.filter((job) => job.phase === 'approved' || job.phase === 'converting');
  const whole = sums(counted, (job) => convertedShare(job, shareOf(job.id)), sound);
  return {
    ...whole,
    files: { ...whole.files, done: counted.length - waits.length },
    heard: waits.every((job) => job.phase === 'approved' || job.updated_at > since || shareOf(job.id) !== undefined),
    paused: waits.length > 0 && waits.every((job) => job.paused === true),
  };
}

/** Sending their results; `progress` of the row says how far each is. */
export function publishingWork(jobs: readonly WorkFacts[]): Work {
  const counted = jobs.filter((job) => SENT.has(job.phase) || job.phase === 'published');
  const size = (job: WorkFacts): number => job.output_size ?? job.file_size_bytes;
  const share = (job: WorkFacts): number => (job.phase === 'published' ? 1 : Math.min(1, Math.max(0, job.progress)));
  const whole = sums(
    counted.map((job) => ({ ...job, file_size_bytes: size(job) })),
    share,
    size,
  );
  return {
    ...whole,
    files: { ...whole.files, done: counted.filter((job) => job.phase === 'published').length },
    heard: true,
    paused: false,
  };
}

function sums(
  jobs: readonly WorkFacts[],
  shareOf: (job: WorkFacts) => number,
  clockOf: (job: WorkFacts) => number,
): Omit<Work, 'paused' | 'heard'> {
  const work = { files: { done: 0, total: jobs.length }, bytes: { done: 0, total: 0 }, clock: { done: 0, total: 0 } };
  for (const job of jobs) {
    const share = shareOf(job);
    work.bytes.done += job.file_size_bytes * share;
    work.bytes.total += job.file_size_bytes;
    work.clock.done += clockOf(job) * share;
    work.clock.total += clockOf(job);
  }
  return work;
}

function sound(job: WorkFacts): number {
  return job.duration_ms ?? job.file_size_bytes * MS_PER_BYTE;
}

/** An archive that came over HTTP, and what came out of it. */
interface ArchiveState {
  /** Everything in it is a job, a companion or a failed row. */
  unpacked: boolean;
  /** Why it could not be opened, or that it was cancelled: one sentence. */
  error: string | null;
}

/** The status of an archive's job: how far what came out of it is. COMPLETED where anything of it was published. */
export function archiveStatus(
  archive: ArchiveState,
  children: readonly (Pick<Job, 'status'> & Partial<Pick<Job, 'error_message'>>)[],
): { status: Job['status']; error: string | null } {
  const any = (status: Job['status']): boolean => children.some((job) => job.status === status);
  const at = (status: Job['status'], error: string | null = null) => ({ status, error });
  if (archive.error !== null) return at('FAILED', archive.error);
  if (!archive.unpacked || any('PENDING') || any('PROCESSING')) return at('PROCESSING');
  if (any('CONVERTING')) return at('CONVERTING');
  if (any('AWAITING_REVIEW')) return at('AWAITING_REVIEW');
  if (any('COMPLETED')) return at('COMPLETED');
  if (children.length === 0) return at('FAILED', 'There is no audio in it.');
  const [why = null, ...others] = new Set(children.map((job) => job.error_message ?? null));
  if (why !== null && others.length === 0) return at('FAILED', why);
  return at('FAILED', children.length === 1 ? 'Its file failed.' : `All of its ${children.length} files failed.`);
}
