/**
 * What is remembered of people's decisions, so that the same content is never asked about twice (REVIEW-30), and what
 * their answers say of the matcher. All of it is written and taken back inside the change of the answer, the plan or the
 * command that it comes from.
 */
import { touchBatch, type ApplyContext } from '#core/job/apply.ts';
import { contentOf, isUndecided } from '#core/job/job.ts';
import type { JobReader, JobRows } from '#core/run/job-store.ts';
import type { MusicJob, MusicReview, MusicTypes } from '../types.ts';
import { dropSample, isDemo, noteAnswer, reopenSample, settleSample } from './calibrate.ts';
import { decisionOf, recall, sameDecision, type CatalogNow, type Recalled } from './memory.ts';
import type { Remembered } from './rows.ts';
import type { MatchContext } from '../match/match.types.ts';

/** Decisions that are kept, the newest. */
export const MOST_REMEMBERED = 200_000;

type Rows = JobRows<MusicTypes>;

export interface Answered {
  review: MusicReview;
  option: string;
  /** The job as it was asked about, and as the answer left it. */
  before: MusicJob | undefined;
  after: MusicJob | null;
}

/** After an answer was applied to one job: what it decided is remembered, and what it says of the matcher is noted. */
export async function learnFromAnswer(
  rows: Rows,
  { clock }: ApplyContext,
  answer: Answered,
  catalog: CatalogNow,
): Promise<void> {
  const { review, option, after } = answer;
  if (!after || (await isDemo(rows, after))) return;
  const earlier = (await rows.reviewsOfJobs([after.id])).filter(
    (one) => one.resolved_at !== null && one.id !== review.id,
  );
  await remember(rows, after, decisionOf(after, clock.now(), catalog, { review, option, earlier }));
  await noteAnswer(rows.lanes.music, clock.now(), answer);
}

/**
 * After a plan was applied to one job: a file that an answer about its album decided is remembered as that track.
 * `catalog` is what the plan was made with.
 */
export async function learnFromPlan(
  rows: Rows,
  { clock }: ApplyContext,
  after: MusicJob,
  catalog: CatalogNow,
): Promise<void> {
  if (after.match_source !== 'HUMAN_REVIEW' || after.phase !== 'approved' || (await isDemo(rows, after))) return;
  await remember(rows, after, decisionOf(after, clock.now(), catalog));
  await settleSample(rows.lanes.music, clock.now(), after);
}

/** REVIEW-32: a decision that was taken back, or whose file is tried again from the start, is forgotten. */
export async function unlearn(rows: Rows, job: MusicJob, how: 'undone' | 'retried'): Promise<void> {
  if (how === 'retried' && job.phase !== 'queued') return;
  const content = contentOf(job);
  if (content !== null) await rows.lanes.music.forget(content);
  await (how === 'undone' ? reopenSample(rows.lanes.music, job.id) : dropSample(rows.lanes.music, job.id));
}

/** The decisions that count for a batch now. `catalogOf`: the catalog with these tracks. */
export async function recallFor(
  rows: JobReader<MusicTypes>,
  about: { jobs: readonly MusicJob[]; reviews: readonly MusicReview[]; wanted: MatchContext['request'] },
  catalogOf: (trackIds: readonly (string | null)[]) => Promise<CatalogNow>,
): Promise<Recalled> {
  const contents = about.jobs.flatMap((job) => (isUndecided(job) ? (contentOf(job) ?? []) : []));
  const known = await rows.lanes.music.remembered([...new Set(contents)]);
  if (known.length === 0) return new Map();
  const catalog = await catalogOf(known.map((row) => row.track_id));
  return recall({ ...about, rows: new Map(known.map((row) => [row.sha256, row])), catalog });
}

async function remember(rows: Rows, job: MusicJob, row: Remembered | null): Promise<void> {
  if (row === null) return;
  const [known] = await rows.lanes.music.remembered([row.sha256]);
  if (known && sameDecision(known, row)) return;
  await rows.lanes.music.remember(row);
  await wakeTwins(rows, job);
}

/** The same content may be waiting in another batch: its question is settled by this answer. */
async function wakeTwins(rows: Rows, job: MusicJob): Promise<void> {
  const twins = (await rows.jobsOfContent(job.sha256 ?? '')).filter(
    (one) => one.batch_id !== job.batch_id && isUndecided(one) && contentOf(one) === contentOf(job),
  );
  for (const batch of new Set(twins.map((one) => one.batch_id))) await touchBatch(rows, batch, { rematch: true });
}
