/**
 * What people decided about contents, in IndexedDB, so that the same content is never asked about twice (REVIEW-30).
 * Rows are written and taken back inside the transaction of the answer, the plan or the command that they come from.
 */
import type { Job } from '#core/job/job.ts';
import { decisionOf, recall, sameDecision, type CatalogNow, type Recalled, type Remembered } from '#core/job/memory.ts';
import type { RememberedEnd } from '#core/job/recalled.ts';
import { isUndecided } from '#core/job/match-context.ts';
import type { Review } from '#core/job/review.ts';
import { contentOf } from '#core/job/segment.ts';
import type { MatchContext } from '#core/music/match.types.ts';
import { dropSample, isDemo, noteAnswer, reopenSample, settleSample } from './calibration-store.ts';
import type { AccessionDb } from './db.ts';
import { readReplicaState } from './meta.ts';
import { applyEvent, touchBatch, type PipelineContext } from './pipeline/apply.ts';

/** Decisions that are kept, the newest. */
export const MOST_REMEMBERED = 200_000;

export interface Answered {
  review: Review;
  option: string;
  /** The job as it was asked about, and as the answer left it. */
  before: Job | undefined;
  after: Job | null;
}

/** After an answer was applied to one job: what it decided is remembered, and what it says of the matcher is noted. */
export async function learnFromAnswer(context: PipelineContext, answer: Answered): Promise<void> {
  const { db, clock } = context;
  const { review, option, after } = answer;
  if (!after || (await isDemo(db, after))) return;
  const earlier = (await db.reviews.where('job_ids').equals(after.id).toArray()).filter(
    (one) => one.resolved_at !== null && one.id !== review.id,
  );
  const catalog = await catalogNow(db, [after.matched_track_id, after.duplicate_of]);
  await remember(context, after, decisionOf(after, clock.now(), catalog, { review, option, earlier }));
  await noteAnswer(db, clock.now(), answer);
}

/**
 * After a plan was applied to one job: a file that an answer about its album decided is remembered as that track.
 * `catalog` is what the plan was made with.
 */
export async function learnFromPlan(context: PipelineContext, after: Job | null, catalog: CatalogNow): Promise<void> {
  const { db, clock } = context;
  if (after?.match_source !== 'HUMAN_REVIEW' || after.phase !== 'approved' || (await isDemo(db, after))) return;
  await remember(context, after, decisionOf(after, clock.now(), catalog));
  await settleSample(db, clock.now(), after);
}

/** REVIEW-32: a decision that was taken back, or whose file is tried again from the start, is forgotten. */
export async function unlearn(context: PipelineContext, job: Job, how: 'undone' | 'retried'): Promise<void> {
  const { db } = context;
  if (how === 'retried' && job.phase !== 'queued') return;
  const content = contentOf(job);
  if (content !== null) await db.memory.delete(content);
  await (how === 'undone' ? reopenSample(db, job.id) : dropSample(db, job.id));
}

/** Deletes the oldest decisions beyond `most`. It counts the whole table, so it runs once, when a tab takes the work up. */
export async function trimMemory(db: AccessionDb, most = MOST_REMEMBERED): Promise<void> {
  await db.transaction('rw', db.memory, async () => {
    const over = (await db.memory.count()) - most;
    if (over > 0) await db.memory.bulkDelete(await db.memory.orderBy('at').limit(over).primaryKeys());
  });
}

/** Forgets all; answers how many. */
export async function forgetAll(db: AccessionDb): Promise<number> {
  return db.transaction('rw', db.memory, async () => {
    const count = await db.memory.count();
    await db.memory.clear();
    return count;
  });
}

/** The decisions that count for a batch now. */
export async function recallFor(
  db: AccessionDb,
  about: { jobs: readonly Job[]; reviews: readonly Review[]; wanted: MatchContext['request'] },
): Promise<Recalled> {
  const hashes = about.jobs
    .flatMap((job) => (isUndecided(job) ? [contentOf(job)] : []))
    .filter((hash) => hash !== null);
  const rows = new Map<string, Remembered>();
  for (const row of await db.memory.bulkGet([...new Set(hashes)])) if (row) rows.set(row.sha256, row);
  if (rows.size === 0) return new Map();
  const catalog = await catalogNow(
    db,
    [...rows.values()].map((row) => row.track_id),
  );
  return recall({ ...about, rows, catalog });
}

/** The catalog as it is now, of it these tracks. */
async function catalogNow(db: AccessionDb, trackIds: readonly (string | null)[]): Promise<CatalogNow> {
  const { catalog_id } = await readReplicaState(db);
  const ids = new Set(trackIds.filter((id) => id !== null));
  const tracks = (await db.tracks.bulkGet([...ids])).filter((track) => track !== undefined);
  const albums = await db.albums.bulkGet([...new Set(tracks.map((track) => track.album_id))]);
  const here = new Set(albums.flatMap((album) => (album ? [album.id] : [])));
  const byId = new Map(tracks.filter((track) => here.has(track.album_id)).map((track) => [track.id, track]));
  return { catalog_id, track: (id) => byId.get(id) };
}

/** Inside the plan's transaction: ends the jobs that what is remembered ends. */
export async function applyEnds(context: PipelineContext, ends: readonly RememberedEnd[]): Promise<void> {
  for (const { job_id, event, step, match } of ends)
    await applyEvent(context, job_id, event, { before: [step], patch: { match } });
}

async function remember(context: PipelineContext, job: Job, row: Remembered | null): Promise<void> {
  if (row === null) return;
  const { db } = context;
  const known = await db.memory.get(row.sha256);
  if (known && sameDecision(known, row)) return;
  await db.memory.put(row);
  await wakeTwins(context, job);
}

/** The same content may be waiting in another batch: its question is settled by this answer. */
async function wakeTwins({ db }: PipelineContext, job: Job): Promise<void> {
  const twins = await db.jobs
    .where('sha256')
    .equals(job.sha256 ?? '')
    .filter((one) => one.batch_id !== job.batch_id && isUndecided(one) && contentOf(one) === contentOf(job))
    .toArray();
  for (const batch of new Set(twins.map((one) => one.batch_id))) await touchBatch(db, batch, { rematch: true });
}
