/** Jobs as the lists show them: by album group, or by batch as long as they are not grouped. */
import { isFinished, type Batch, type Job, type JobPhase } from '#core/job/job.ts';
import { laneOf } from '../lanes.ts';
import { IN_ORDER } from '../parts/order.ts';
import { elapsed, moment, type Tone } from '../parts/words.ts';
import type { JobGroup } from './job-group.ts';
import { waitOf } from './job-words.ts';

/** Rows of a group that are shown before *Show all*. */
export const ROWS_SHOWN = 30;

/** Groups of a list whose rows are always in the page; those of the others only near what is in sight. */
export const GROUPS_WHOLE = 10;

export const groupKey = (job: Pick<Job, 'group_id' | 'batch_id'>): string => job.group_id ?? `batch:${job.batch_id}`;

/**
 * Groups in the order of the jobs' arrival (`newest` first for the history). `keep` says which jobs are
 * listed; a group with none of them is left out. A group of `before`, made with the same `keep`, of which nothing
 * changed stays the same object: nothing of it is worked out or drawn again.
 */
export function groupJobs(
  jobs: readonly Job[],
  batches: readonly Batch[],
  keep: (job: Job) => boolean,
  before: readonly JobGroup[] = [],
  keyOf: (job: Job) => string = groupKey,
): JobGroup[] {
  const known = new Map(before.map((group) => [group.key, group]));
  const batchOf = new Map(batches.map((batch) => [batch.id, batch]));
  const led = new Set<string>();
  const groups: JobGroup[] = [];
  for (const [key, all] of Map.groupBy(jobs, keyOf)) {
    const rows = all.filter(keep);
    const [first] = rows;
    if (first === undefined) continue;
    const batch = batchOf.get(first.batch_id) ?? null;
    const leads = !led.has(first.batch_id);
    led.add(first.batch_id);
    const old = known.get(key);
    if (old?.batch === batch && old.leads === leads && isSameList(old.all, all)) {
      groups.push(old);
      continue;
    }
    // Of several albums none names them all.
    const named = new Set(all.map(groupKey)).size > 1 ? null : laneOf(first)?.rows?.title(all);
    groups.push({
      key,
      title: named?.title ?? placeIn(batch, all) ?? batch?.label ?? 'Files',
      by: named?.by ?? null,
      batch,
      leads,
      rows: inOrder(rows),
      all,
    });
  }
  return groups;
}

const isSameList = (a: readonly Job[], b: readonly Job[]): boolean =>
  a.length === b.length && a.every((job, at) => job === b[at]);

/** Of a drop that holds more than these: their folder, or their only file. Null where neither says anything. */
function placeIn(batch: Batch | null, jobs: readonly Job[]): string | null {
  if (batch === null || batch.total <= jobs.length) return null;
  const [first = [], ...others] = jobs.map(({ path }) => path.split('/').slice(0, -1));
  let shared = first.length;
  for (const folders of others) while (first.slice(0, shared).some((name, at) => name !== folders[at])) shared -= 1;
  return first.slice(0, shared).join('/') || (jobs.length === 1 ? (jobs[0]?.original_filename ?? null) : null);
}

/** In the order of the files; a long group begins with what needs looking at. */
function inOrder(rows: Job[]): Job[] {
  const byPath = rows.toSorted((a, b) => IN_ORDER.compare(a.path, b.path));
  return byPath.length <= ROWS_SHOWN ? byPath : byPath.toSorted((a, b) => urgency(a) - urgency(b));
}

function urgency(job: Job): number {
  if (job.status === 'FAILED' && job.phase !== 'cancelled') return 0;
  if (job.phase === 'review') return 1;
  if (job.phase === 'converting' || job.phase === 'publishing') return 2;
  if (job.status === 'PROCESSING') return 3;
  return 4;
}

/** Jobs of one drop, whatever albums they are of. */
export const dropKey = (job: Pick<Job, 'batch_id'>): string => `drop:${job.batch_id}`;

/** Files of a page from which on each album, and each drop, is one line that opens. */
const ROWS_OPEN = 20;

/** UI-221: whether groups are lines that open: always on a narrow screen, else where it has many files. */
export const isFolded = (groups: readonly JobGroup[], narrow: boolean): boolean =>
  narrow || groups.reduce((sum, { rows }) => sum + rows.length, 0) > ROWS_OPEN;

const ENDS: readonly { phase: JobPhase; words: (count: number) => string }[] = [
  { phase: 'published', words: (count) => `${count} published` },
  { phase: 'duplicate', words: (count) => `${count} ${count === 1 ? 'was' : 'were'} there already` },
  { phase: 'failed', words: (count) => `${count} failed` },
  { phase: 'cancelled', words: (count) => `${count} cancelled` },
];

/** UI-222: how a drop ended: `54 files: 43 published, 8 were there already, 3 failed`. */
export function endWords({ all, batch }: Pick<JobGroup, 'all' | 'batch'>): string {
  const parts = ENDS.flatMap(({ phase, words }) => {
    const count = all.filter((job) => job.phase === phase && waitOf(job) === null).length;
    return count === 0 ? [] : [words(count)];
  });
  const waits = Map.groupBy(all, waitOf);
  for (const [wait, jobs] of waits) if (wait !== null) parts.push(wait.of(jobs.length));
  const of = batch !== null && batch.total > all.length ? ` of ${batch.total}` : '';
  return `${all.length}${of} ${all.length === 1 && of === '' ? 'file' : 'files'}: ${parts.join(', ')}`;
}

/** UI-265: when a drop came to its end, and how long that took: `27 Nov 2026, 15:40, after 3:05 min`. Empty before. */
export function endTime({ all, batch }: Pick<JobGroup, 'all' | 'batch'>): string {
  const ends = all.flatMap(({ completed_at }) => completed_at ?? []);
  if (ends.length === 0) return '';
  const ended = Math.max(...ends);
  const begun = Math.min(batch?.created_at ?? ended, ...all.map(({ created_at }) => created_at));
  return `${moment(ended)}, after ${elapsed(ended - begun)}`;
}

export interface GroupProgress {
  words: string;
  tone: Tone;
  /** Jobs past the stage that the words name. */
  done: number;
  total: number;
  questions: number;
  failed: number;
}

/** In the order of the stages; questions are not past the conversion. */
const STAGES: readonly { phases: readonly JobPhase[]; words: string; ahead?: JobPhase }[] = [
  { phases: ['queued', 'probing'], words: 'Analyzing...' },
  { phases: ['grouping', 'searching'], words: 'Searching catalog...' },
  { phases: ['thinking'], words: 'Asking the model' },
  { phases: ['approved', 'converting'], words: 'Converting...', ahead: 'review' },
];

/**
 * The least advanced stage of a group names its state; questions do not hold the others up.
 * @param wait what keeps its files from being looked for in the catalog
 */
export function groupProgress(all: readonly Job[], wait: string | null = null): GroupProgress {
  const count = (...phases: JobPhase[]): number => all.filter((job) => phases.includes(job.phase)).length;
  const total = all.length;
  const questions = count('review');
  const base = { total, questions, failed: count('failed') };
  for (const { phases, words, ahead } of STAGES) {
    const here = count(...phases);
    const done = total - here - (ahead === undefined ? 0 : count(ahead));
    if (here === 0) continue;
    if (wait !== null && phases.includes('searching')) return { ...base, words: wait, tone: 'attention', done };
    return { ...base, words, tone: 'busy', done };
  }
  const done = all.filter(isFinished).length;
  if (count('publishing') > 0) return { ...base, words: 'Publishing...', tone: 'busy', done };
  if (count('waiting') > 0) return { ...base, words: 'Waiting to publish', tone: 'neutral', done };
  if (questions > 0) return { ...base, words: 'Needs your answer', tone: 'attention', done };
  return { ...base, words: 'Done', tone: 'good', done };
}

/** Mean confidence of what was decided in the group, or null before anything was. */
export function groupConfidence(all: readonly Job[]): number | null {
  const decided = all.flatMap((job) => laneOf(job)?.rows?.confidence(job) ?? []);
  return decided.length === 0 ? null : decided.reduce((sum, value) => sum + value, 0) / decided.length;
}
