/**
 * The local calibration profile in IndexedDB: samples in their table, the fit in meta row `calibration`. Samples are
 * written in the transaction of the answer that they come from; the fit is made later, between two batches (MATCH-31).
 */
import type { Job } from '#core/job/job.ts';
import type { Review } from '#core/job/review.ts';
import type { FileMatch } from '#core/music/match.types.ts';
import { CALIBRATION_ROW, parseCalibration, profileOf, type CalibrationState } from '#core/music/calibration-state.ts';
import {
  featuresOfWhy,
  fitLocal,
  PUBLISHED_WEIGHT,
  shippedVersion,
  type CalibrationSample,
} from '#core/music/local-profile.ts';
import { SHIPPED_PROFILE, type CalibrationProfile } from '#core/music/profile.ts';
import type { Clock } from '#core/ports.ts';
import type { AccessionDb } from './db.ts';

/** Newest answers that are kept; a thousand outweigh the prior tenfold. */
const MOST_ANSWERS = 2000;
const MOST_PUBLISHED = 400;
/** Milliseconds in which a reset can be taken back; then what it set aside is deleted. */
const RESET_GRACE = 600_000;

type Tables = Pick<AccessionDb, 'meta' | 'samples' | 'batches' | 'jobs'>;

/** The state of the fit. */
export async function readCalibration(db: Pick<AccessionDb, 'meta'>): Promise<CalibrationState> {
  return parseCalibration((await db.meta.get(CALIBRATION_ROW))?.value);
}

/**
 * Inside the answer's transaction: records what was proposed and, where the answer settles it, whether that was right.
 * `before` is the job as it was asked about. An answer that only postpones leaves a sample that a later one completes.
 */
export async function noteAnswer(
  db: Tables,
  now: number,
  answer: { review: Review; option: string; before: Job | undefined; after: Job | null },
): Promise<void> {
  const { review, option, before, after } = answer;
  if (!before || review.kind === 'replace' || option === 'cancelled' || option === 'each') return;
  const known = await db.samples.get(before.id);
  const sample = known?.kind === 'answer' || known?.kind === 'objection' ? known : proposalOf(before, review, now);
  if (!sample) return;
  const right = option === 'none' ? false : chosenBy(after) === null ? null : chosenBy(after) === sample.proposed;
  await db.samples.put({ ...sample, at: now, right });
  if (right !== null) await markStale(db);
}

/** Inside the plan's transaction: a file that was approved from an answer about its album settles its sample. */
export async function settleSample(db: Tables, now: number, job: Job): Promise<void> {
  const chosen = chosenBy(job);
  const sample = chosen === null ? undefined : await db.samples.get(job.id);
  if (!sample || sample.right !== null) return;
  await db.samples.put({ ...sample, at: now, right: chosen === sample.proposed });
  await markStale(db);
}

/** A decision was taken back: its answer counts no more until another comes. */
export async function reopenSample(db: Tables, jobId: string): Promise<void> {
  const sample = await db.samples.get(jobId);
  if (!sample) return;
  await db.samples.put({ ...sample, kind: 'objection', right: null });
  if (sample.right !== null) await markStale(db);
}

/** The file is matched anew from the start: what was answered about it counts no more. */
export async function dropSample(db: Tables, jobId: string): Promise<void> {
  const sample = await db.samples.get(jobId);
  if (!sample) return;
  await db.samples.delete(jobId);
  if (sample.right !== null) await markStale(db);
}

/** A match that nobody was asked about was published, and nobody objected: weak evidence, taken in at the next fit. */
export async function notePublished(db: AccessionDb, now: number, jobId: string): Promise<void> {
  await db.transaction('rw', [db.meta, db.samples, db.batches, db.jobs], async () => {
    const job = await db.jobs.get(jobId);
    if (!job || job.match_source !== 'AGENT' || (await db.samples.get(jobId))) return;
    const features = featuresOf(job.match);
    if (features === null || job.matched_track_id === null || (await isDemo(db, job))) return;
    await db.samples.put({
      ...{ id: job.id, at: now, kind: 'published', base: SHIPPED_PROFILE.version, features },
      ...{ proposed: job.matched_track_id, right: true, weight: PUBLISHED_WEIGHT },
    });
    await keepNewestSamples(db, 'published', MOST_PUBLISHED);
  });
}

/**
 * Fits anew when answers came in or another profile was shipped. Called between batches, never inside a transaction of
 * one. Answers the profile to match with.
 */
export async function tendProfile(db: AccessionDb, clock: Clock): Promise<CalibrationProfile> {
  const state = await readCalibration(db);
  if (!state.stale && state.base === SHIPPED_PROFILE.version) return profileOf(state);
  return db.transaction('rw', [db.meta, db.samples], async () => {
    const now = await readCalibration(db);
    if (now.reset_at > 0 && clock.now() - now.reset_at > RESET_GRACE)
      await db.samples.where('at').belowOrEqual(now.reset_at).delete();
    for (const kind of ['answer', 'objection'] as const) await keepNewestSamples(db, kind, MOST_ANSWERS);
    return profileOf(await fit(db, now));
  });
}

/** From now on as shipped. Answers the time of the reset before, to take this one back with `restoreProfile`. */
export async function resetProfile(db: AccessionDb, clock: Clock): Promise<{ before: number }> {
  return db.transaction('rw', [db.meta, db.samples], async () => {
    const state = await readCalibration(db);
    await fit(db, { ...state, reset_at: clock.now() });
    return { before: state.reset_at };
  });
}

/** Takes a reset back: what it set aside counts again. */
export async function restoreProfile(db: AccessionDb, before: number): Promise<{ answers: number }> {
  return db.transaction('rw', [db.meta, db.samples], async () => {
    const { answers } = await fit(db, { ...(await readCalibration(db)), reset_at: before });
    return { answers };
  });
}

async function fit(db: Pick<AccessionDb, 'meta' | 'samples'>, state: CalibrationState): Promise<CalibrationState> {
  const samples = await db.samples.where('at').above(state.reset_at).toArray();
  const made = fitLocal(SHIPPED_PROFILE, samples);
  const same = made.slope === state.slope && made.shift === state.shift && state.base === SHIPPED_PROFILE.version;
  const next = { ...state, ...made, base: SHIPPED_PROFILE.version, n: same ? state.n : state.n + 1, stale: false };
  await db.meta.put({ key: CALIBRATION_ROW, value: next });
  return next;
}

function proposalOf(job: Job, review: Review, now: number): CalibrationSample | null {
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

function chosenBy(job: Job | null): string | null {
  return job?.match_source === 'HUMAN_REVIEW' ? job.matched_track_id : null;
}

/** A demonstration teaches nothing and is not remembered (REVIEW-32). */
export async function isDemo(db: Pick<AccessionDb, 'batches'>, job: Job): Promise<boolean> {
  return (await db.batches.get(job.batch_id))?.demo === true;
}

async function markStale(db: Pick<AccessionDb, 'meta'>): Promise<void> {
  await db.meta.put({ key: CALIBRATION_ROW, value: { ...(await readCalibration(db)), stale: true } });
}

async function keepNewestSamples(
  db: Pick<AccessionDb, 'samples'>,
  kind: CalibrationSample['kind'],
  most: number,
): Promise<void> {
  const rows = db.samples.where('[kind+at]').between([kind, 0], [kind, Infinity]);
  const over = (await rows.count()) - most;
  if (over > 0) await db.samples.bulkDelete(await rows.limit(over).primaryKeys());
}
