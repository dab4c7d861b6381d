import { toFailure } from '#core/errors.ts';
import {
  isUndecided,
  matchContext,
  planBatch,
  type PlanInput,
  splitOption,
  type BatchPlan,
} from '#core/job/batch-plan.ts';
import { askedApart, saidAbout, takesPart } from '#core/job/match-context.ts';
import type { CatalogNow } from '#core/job/memory.ts';
import type { Batch, Job } from '#core/job/job.ts';
import { rememberedEnds, tellRemembered, withRemembered, type RememberedEnd } from '#core/job/recalled.ts';
import { contentOf } from '#core/job/segment.ts';
import type { Track } from '#core/music/catalog.ts';
import type { Settings } from '#core/config.ts';
import { matchBatch } from '#core/music/match.ts';
import type { MatchContext } from '#core/music/match.types.ts';
import type { CatalogIndex } from '#core/music/search.ts';
import { tendProfile } from '../calibration-store.ts';
import { applyEnds, learnFromPlan, recallFor } from '../memory-store.ts';
import { readReplicaState } from '../meta.ts';
import { keepDoubts, type Asked } from './agent-begin.ts';
import type { AgentEngine } from './agent-engine.ts';
import type { AgentStageDeps } from './agent-stage.ts';
import { applyEvent, assertEpoch, jobTables, touchBatch, type PipelineContext, isLockLost } from './apply.ts';
import { presentAudio } from './present-audio.ts';

export interface MatchStageDeps extends PipelineContext {
  /** The index over the replica, or null while the catalog was never loaded completely. */
  index(): Promise<CatalogIndex | null>;
  /** The person's settings: above `auto_approve_threshold` a match is approved. */
  settings(): Promise<Settings>;
  agent: AgentStageDeps['agent'];
  onError(error: unknown): void;
  /** Asks for the change feed, when a chosen album is not in the replica yet. */
  wantReplica(): void;
}

/** Matches the next batch that is ready for it. Answers false when there is none. */
export async function matchNext(deps: MatchStageDeps, epoch: number): Promise<boolean> {
  const { db } = deps;
  await tendProfile(db, deps.clock);
  const working = new Set<string>();
  for (const job of await db.jobs.where('status').equals('PROCESSING').toArray()) working.add(job.batch_id);
  for (const batch of await db.batches.where('state').equals('staged').sortBy('created_at')) {
    // The rows of a thousand files, or of all former drops, are not read for nothing at each turn.
    if (!working.has(batch.id) && !batch.rematch) continue;
    const jobs = await db.jobs.where('batch_id').equals(batch.id).toArray();
    if (jobs.some((job) => job.phase === 'queued' || job.phase === 'probing')) continue;
    const fresh = jobs.some((job) => job.phase === 'grouping' || job.phase === 'searching');
    if (!fresh && !batch.rematch) continue;
    if (!jobs.some(isUndecided)) {
      await db.transaction('rw', jobTables(db), async () => {
        await assertEpoch(db, epoch);
        await db.batches.update(batch.id, { rematch: false });
      });
      continue;
    }
    // Before the index is taken: one that is older than the rows would not know the album, and it would be asked again.
    if (await waitsForReplica(deps, batch)) continue;
    const index = await deps.index();
    if (!index) {
      deps.wantReplica();
      continue;
    }
    try {
      if (await matchOne(deps, epoch, batch, jobs, index)) return true;
    } catch (error) {
      if (isLockLost(error)) throw error;
      await failBatch(deps, epoch, batch, error);
      return true;
    }
  }
  return false;
}

/** What the matcher broke on is a failure of these files, said in their rows; other batches go on. */
async function failBatch(deps: MatchStageDeps, epoch: number, batch: Batch, error: unknown): Promise<void> {
  const { db } = deps;
  await db.transaction('rw', jobTables(db), async () => {
    await assertEpoch(db, epoch);
    for (const job of await db.jobs.where('batch_id').equals(batch.id).toArray()) {
      if (job.phase !== 'grouping' && job.phase !== 'searching' && job.phase !== 'thinking') continue;
      await applyEvent(deps, job.id, { type: 'failed', failure: toFailure(error, job.original_filename) });
    }
    await db.batches.update(batch.id, { rematch: false });
  });
}

async function matchOne(
  deps: MatchStageDeps,
  epoch: number,
  batch: Batch,
  before: Job[],
  index: CatalogIndex,
): Promise<boolean> {
  const { db } = deps;
  const reviews = await db.reviews.where('batch_id').equals(batch.id).toArray();
  const jobs = await markSearching(deps, epoch, before);
  const request = batch.context_id === null ? undefined : await db.requests.get(batch.context_id);
  const wanted: MatchContext['request'] = request
    ? { album_id: request.album_id, track_id: request.track_id }
    : undefined;
  const files = jobs.flatMap((job) => (job.evidence && takesPart(job) ? [job.evidence] : []));
  const now = deps.clock.now();
  const { catalog_id } = await readReplicaState(db);
  const rows = await recallFor(db, { jobs, reviews, wanted });
  const context = matchContext(batch, jobs, reviews, wanted);
  const profile = await tendProfile(db, deps.clock);
  const own = matchBatch({ files, context }, index, profile);
  const trackIds = new Set([
    ...own.files.flatMap((file) => [file.track_id, ...file.options.map((option) => option.track_id)]),
    ...[...rows.values()].map((row) => row.track_id),
  ]);
  const tracks = await tracksById(deps, [...trackIds]);
  const titles = new Map(
    (await db.albums.bulkGet([...new Set([...tracks.values()].map((track) => track.album_id))])).flatMap((album) =>
      album ? [[album.id, album.title] as const] : [],
    ),
  );
  const threshold = (await deps.settings()).auto_approve_threshold;
  const remembered = withRemembered(own, rows, {
    now,
    threshold,
    track: (id) => tracks.get(id),
    albumTitle: (id) => titles.get(id) ?? '',
  });
  const { match, recalled } = remembered;
  const published = await publishedFrom(deps, jobs);
  const claimed = await claimedElsewhere(deps, batch.id);
  const holders = await heldContents(deps, recalled.size === 0 ? [] : [...claimed.values()]);
  const ends = rememberedEnds(match, recalled, {
    now,
    published,
    title: (id) => tracks.get(id)?.title ?? '',
    holder: (id, sha256) => (holders.get(claimed.get(id) ?? '') === sha256 ? claimed.get(id) : undefined),
  });
  const ended = new Set(ends.map((end) => end.job_id));
  const facts: Omit<PlanInput, 'agent'> = {
    batch,
    jobs: jobs.filter((job) => !ended.has(job.id)),
    match,
    threshold,
    track: (id) => tracks.get(id),
    albumTitle: (id) => titles.get(id),
    published,
    claimedElsewhere: claimed,
    openReviews: reviews.filter((review) => review.resolved_at === null),
    present: await presentAudio(db, [...tracks.values()], claimed),
    apart: askedApart(reviews),
    said: saidAbout(reviews),
    now,
    ids: deps.ids,
  };
  const model = await deps.agent.model(batch);
  let plan = planBatch({ ...facts, agent: model === null ? 'off' : 'on' });
  // The agent's code is fetched only for a doubt; where it cannot be, a person is asked as if there were none.
  const engine = plan.doubts.length === 0 ? null : await engineOf(deps);
  if (plan.doubts.length > 0 && engine === null) plan = planBatch({ ...facts, agent: 'off' });
  const asked = model === null || engine === null ? null : { model, engine };
  tellRemembered(plan, remembered, (id) => tracks.get(id)?.title ?? '', now);
  const catalog: CatalogNow = { catalog_id, track: (id) => tracks.get(id) };
  await applyPlan(deps, epoch, batch, { plan, ends, asked, catalog });
  return true;
}

async function engineOf(deps: MatchStageDeps): Promise<AgentEngine | null> {
  try {
    return await deps.agent.engine();
  } catch (error) {
    deps.onError(error);
    return null;
  }
}

async function tracksById(deps: MatchStageDeps, ids: (string | null)[]): Promise<Map<string, Track>> {
  const rows = await deps.db.tracks.bulkGet(ids.filter((id) => id !== null));
  return new Map(rows.flatMap((row) => (row ? [[row.id, row] as const] : [])));
}

/** An album that a person just created may not be in the replica yet. */
async function waitsForReplica(deps: MatchStageDeps, batch: Batch): Promise<boolean> {
  for (const review of await deps.db.reviews.where('batch_id').equals(batch.id).toArray()) {
    const [kind, id] = splitOption(review.selected_option ?? '');
    if ((kind === 'created' || kind === 'album') && id !== null && !(await deps.db.albums.get(id))) {
      deps.wantReplica();
      return true;
    }
  }
  return false;
}

async function markSearching(deps: MatchStageDeps, epoch: number, jobs: Job[]): Promise<Job[]> {
  const { db } = deps;
  return db.transaction('rw', jobTables(db), async () => {
    await assertEpoch(db, epoch);
    for (const job of jobs) if (job.phase === 'grouping') await applyEvent(deps, job.id, { type: 'searching' });
    const rows = await db.jobs.bulkGet(jobs.map((job) => job.id));
    return rows.flatMap((row) => (row ? [row] : []));
  });
}

/** Files whose very content was published before, from here or from elsewhere. */
async function publishedFrom(deps: MatchStageDeps, jobs: Job[]): Promise<Map<string, Track>> {
  const found = new Map<string, Track>();
  for (const job of jobs) {
    const content = contentOf(job);
    if (content === null || !isUndecided(job)) continue;
    const track = await deps.db.tracks.where('original_sha256').equals(content).first();
    if (track?.availability === 'available') found.set(job.id, track);
  }
  return found;
}

/** Tracks that jobs of other batches hold: on their way, or published from here. */
async function claimedElsewhere(deps: MatchStageDeps, batchId: string): Promise<Map<string, string>> {
  const claimed = new Map<string, string>();
  await deps.db.jobs
    .where('status')
    .equals('CONVERTING')
    .each((job) => {
      if (job.batch_id !== batchId && job.matched_track_id !== null) claimed.set(job.matched_track_id, job.id);
    });
  return claimed;
}

/** The contents of these jobs. */
async function heldContents(deps: MatchStageDeps, jobIds: string[]): Promise<Map<string, string | null>> {
  const rows = await deps.db.jobs.bulkGet(jobIds);
  return new Map(rows.flatMap((row) => (row ? [[row.id, contentOf(row)] as const] : [])));
}

async function applyPlan(
  deps: MatchStageDeps,
  epoch: number,
  batch: Batch,
  { plan, ends, asked, catalog }: { plan: BatchPlan; ends: RememberedEnd[]; asked: Asked | null; catalog: CatalogNow },
): Promise<void> {
  const { db } = deps;
  await db.transaction('rw', jobTables(db), async () => {
    await assertEpoch(db, epoch);
    const now = await db.batches.get(batch.id);
    // Somebody answered while we computed: this plan is of yesterday, the next round makes a new one.
    if (!now || (now.revision ?? 0) !== (batch.revision ?? 0)) return;
    await db.batches.update(batch.id, { rematch: false });
    for (const { job_id, group_id } of plan.groups) await db.jobs.update(job_id, { group_id });
    await applyEnds(deps, ends);
    for (const { job_id, event, before } of plan.events) {
      // The searches stand in its log since it went to the agent, unless that gave the matcher more to look at.
      const job = await db.jobs.get(job_id);
      const told = job?.phase === 'thinking' && (job.agent?.looked_up.length ?? 0) === 0;
      await learnFromPlan(deps, await applyEvent(deps, job_id, event, { before: told ? [] : before }), catalog);
    }
    await keepDoubts(deps, batch.id, plan.doubts, asked);
    await db.reviews.bulkPut(plan.reviews);
    for (const id of plan.withdrawn) {
      await db.reviews.update(id, {
        resolved_at: deps.clock.now(),
        selected_option: 'withdrawn',
        resolved_by_user_id: null,
      });
    }
    await settleSearching(deps, batch.id);
  });
}

/** No job may stay "searching": what the matcher did not speak of is asked as unknown by the next plan. */
async function settleSearching(deps: MatchStageDeps, batchId: string): Promise<void> {
  const left = await deps.db.jobs
    .where('batch_id')
    .equals(batchId)
    .filter((job) => job.phase === 'searching')
    .toArray();
  for (const job of left) {
    await applyEvent(deps, job.id, { type: 'rejected', why: 'nothing in the catalog is like it' });
  }
  if (left.length > 0) await touchBatch(deps.db, batchId);
}
