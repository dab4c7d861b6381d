/**
 * What is remembered of people's decisions, so that the same content is never asked about twice (REVIEW-30), and what
 * their answers say of the matcher. All of it is written and taken back inside the change of the answer, the plan or the
 * command that it comes from.
 */
import { touchBatch, type ApplyContext } from '#core/job/apply.ts';
import { contentOf, isUndecided } from '#core/job/job.ts';
import type { JobReader, JobRows, JobStore } from '#core/run/job-store.ts';
import type { MusicJob, MusicReview, MusicTypes } from '../types.ts';
import { decisionOf, recall, sameDecision, type CatalogNow, type Recalled } from './memory.ts';
import type { Remembered, MusicRows } from './rows.ts';
import type { MatchContext, FileMatch } from '../match/match.types.ts';
import type { Clock } from '#core/ports.ts';
import {
  profileOf,
  type CalibrationState,
  featuresOfWhy,
  fitLocal,
  PUBLISHED_WEIGHT,
  shippedVersion,
  type CalibrationSample,
} from '../calibration/local-profile.ts';
import { SHIPPED_PROFILE, type CalibrationProfile } from '../calibration/profile.ts';

/**
 * The local calibration profile as rows: samples, and the fit over them. Samples are written in the change of the answer
 * that they come from; the fit is made later, between two batches (MATCH-31).
 */

/** Newest answers that are kept; a thousand outweigh the prior tenfold. */
const MOST_ANSWERS = 2000;
const MOST_PUBLISHED = 400;
/** Milliseconds in which a reset can be taken back; then what it set aside is deleted. */
const RESET_GRACE = 600_000;

/** A demonstration teaches nothing and is not remembered (REVIEW-32). */
async function isDemo(rows: Pick<JobReader, 'batch'>, job: Pick<MusicJob, 'batch_id'>): Promise<boolean> {
  return (await rows.batch(job.batch_id))?.demo === true;
}

/**
 * Records what was proposed and, where the answer settles it, whether that was right. `before` is the job as it was asked
 * about. An answer that only postpones leaves a sample that a later one completes.
 */
async function noteAnswer(
  rows: MusicRows,
  now: number,
  answer: { review: MusicReview; option: string; before: MusicJob | undefined; after: MusicJob | null },
): Promise<void> {
  const { review, option, before, after } = answer;
  if (!before || review.kind === 'replace' || option === 'cancelled' || option === 'each') return;
  const known = await rows.sample(before.id);
  const sample = known?.kind === 'answer' || known?.kind === 'objection' ? known : proposalOf(before, review, now);
  if (!sample) return;
  const right = option === 'none' ? false : chosenBy(after) === null ? null : chosenBy(after) === sample.proposed;
  await rows.putSample({ ...sample, at: now, right });
  if (right !== null) await markStale(rows);
}

/** A file that was approved from an answer about its album settles its sample. */
async function settleSample(rows: MusicRows, now: number, job: MusicJob): Promise<void> {
  const chosen = chosenBy(job);
  const sample = chosen === null ? undefined : await rows.sample(job.id);
  if (!sample || sample.right !== null) return;
  await rows.putSample({ ...sample, at: now, right: chosen === sample.proposed });
  await markStale(rows);
}

/** A decision was taken back: its answer counts no more until another comes. */
async function reopenSample(rows: MusicRows, jobId: string): Promise<void> {
  const sample = await rows.sample(jobId);
  if (!sample) return;
  await rows.putSample({ ...sample, kind: 'objection', right: null });
  if (sample.right !== null) await markStale(rows);
}

/** The file is matched anew from the start: what was answered about it counts no more. */
async function dropSample(rows: MusicRows, jobId: string): Promise<void> {
  const sample = await rows.sample(jobId);
  if (!sample) return;
  await rows.deleteSamples([jobId]);
  if (sample.right !== null) await markStale(rows);
}

/** A match that nobody was asked about was published, and nobody objected: weak evidence, taken in at the next fit. */
export async function notePublished(store: JobStore<MusicTypes>, now: number, jobId: string): Promise<void> {
  await store.change(async (rows) => {
    const job = await rows.job(jobId);
    if (!job || job.match_source !== 'AGENT' || (await rows.lanes.music.sample(jobId))) return;
    const features = featuresOf(job.match);
    if (features === null || job.matched_track_id === null || (await isDemo(rows, job))) return;
    await rows.lanes.music.putSample({
      ...{ id: job.id, at: now, kind: 'published', base: SHIPPED_PROFILE.version, features },
      ...{ proposed: job.matched_track_id, right: true, weight: PUBLISHED_WEIGHT },
    });
    await rows.lanes.music.trimSamples('published', MOST_PUBLISHED);
  });
}

/**
 * Fits anew when answers came in or another profile was shipped. Called between batches, never inside a change of one.
 * Answers the profile to match with.
 */
export async function tendProfile(store: JobStore<MusicTypes>, clock: Clock): Promise<CalibrationProfile> {
  const state = await store.lanes.music.calibration();
  if (!state.stale && state.base === SHIPPED_PROFILE.version) return profileOf(state);
  return store.change(async ({ lanes: { music } }) => {
    const now = await music.calibration();
    if (now.reset_at > 0 && clock.now() - now.reset_at > RESET_GRACE) await music.deleteSamplesUntil(now.reset_at);
    for (const kind of ['answer', 'objection'] as const) await music.trimSamples(kind, MOST_ANSWERS);
    return profileOf(await fit(music, now));
  });
}

/** From now on as shipped. Answers the time of the reset before, to take this one back with `restoreProfile`. */
export async function resetProfile(store: JobStore<MusicTypes>, clock: Clock): Promise<{ before: number }> {
  return store.change(async ({ lanes: { music } }) => {
    const state = await music.calibration();
    await fit(music, { ...state, reset_at: clock.now() });
    return { before: state.reset_at };
  });
}

/** Takes a reset back: what it set aside counts again. */
export async function restoreProfile(store: JobStore<MusicTypes>, before: number): Promise<{ answers: number }> {
  return store.change(async ({ lanes: { music } }) => {
    const { answers } = await fit(music, { ...(await music.calibration()), reset_at: before });
    return { answers };
  });
}

async function fit(rows: MusicRows, state: CalibrationState): Promise<CalibrationState> {
  const made = fitLocal(SHIPPED_PROFILE, await rows.samplesAfter(state.reset_at));
  const same = made.slope === state.slope && made.shift === state.shift && state.base === SHIPPED_PROFILE.version;
  const next = { ...state, ...made, base: SHIPPED_PROFILE.version, n: same ? state.n : state.n + 1, stale: false };
  await rows.putCalibration(next);
  return next;
}

function proposalOf(job: MusicJob, review: MusicReview, now: number): CalibrationSample | null {
  const { match } = job;
  const features = featuresOf(match);
  if (features === null || match === null || match.track_id === null) return null;
  return {
    id: job.id,
    at: now,
    kind: job.hold === true ? 'objection' : 'answer',
    base: SHIPPED_PROFILE.version,
    features,
    proposed: match.track_id,
    right: null,
    weight: 1 / Math.max(1, review.job_ids.length),
  };
}

/**
 * null where it is not the matcher's own proposal, or was made before decisions were explained, or under another shipped
 * profile: a term that is not explained was zero or was not measured, and nobody can tell which.
 */
function featuresOf(match: FileMatch | null): Record<string, number> | null {
  if (!match?.why || match.why.terms.length === 0) return null;
  if (match.reasons.some((reason) => reason.kind === 'chosen')) return null;
  if (shippedVersion(match.why.profile) !== SHIPPED_PROFILE.version) return null;
  return featuresOfWhy(match.why, SHIPPED_PROFILE);
}

function chosenBy(job: MusicJob | null): string | null {
  return job?.match_source === 'HUMAN_REVIEW' ? job.matched_track_id : null;
}

async function markStale(rows: MusicRows): Promise<void> {
  await rows.putCalibration({ ...(await rows.calibration()), stale: true });
}

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
