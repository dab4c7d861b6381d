/** The matcher and the plan over one upload's rows: the same functions that the app's pipeline calls. */
import { isUndecided, matchContext, planBatch, type BatchPlan } from '#core/job/batch-plan.ts';
import type { Job } from '#core/job/job.ts';
import { askedApart, saidAbout, takesPart } from '#core/job/match-context.ts';
import { contentOf } from '#core/job/segment.ts';
import type { DownloadRequest, Track } from '#core/music/catalog.ts';
import { matchBatch } from '#core/music/match.ts';
import type { CatalogIndex } from '#core/music/search.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { WorkCatalog } from './ports.ts';
import type { WorkRows } from './rows.ts';

export interface MatchUsing {
  rows: WorkRows;
  index: CatalogIndex;
  /** The batch's own, where it fulfils one. */
  request: DownloadRequest | undefined;
  /** Tracks that jobs elsewhere are about to publish. */
  held: ReadonlyMap<string, string>;
  /** As of `madeFromContents`. */
  madeFrom: ReadonlyMap<string, Track>;
  threshold: number;
  agent: boolean;
  clock: Clock;
  ids: Ids;
}

/** Matches what is undecided and applies the plan; answers it for its doubts. */
export function matchUpload(using: MatchUsing): BatchPlan | null {
  const { rows, index, clock } = using;
  for (const job of rows.jobs()) if (job.phase === 'grouping') rows.apply(job.id, { type: 'searching' });
  rows.batch = { ...rows.batch, rematch: false };
  const jobs = rows.jobs();
  if (!jobs.some(isUndecided)) return null;
  const files = jobs.flatMap((job) => (job.evidence && takesPart(job) ? [job.evidence] : []));
  const { request } = using;
  const wanted = request ? { album_id: request.album_id, track_id: request.track_id } : undefined;
  const reviews = rows.reviews();
  const context = matchContext(rows.batch, jobs, reviews, wanted);
  const plan = planBatch({
    batch: rows.batch,
    jobs,
    match: matchBatch({ files, context }, index),
    threshold: using.threshold,
    track: (id) => index.track(id) ?? undefined,
    albumTitle: (id) => index.album(id)?.title,
    published: publishedFrom(jobs, using),
    claimedElsewhere: using.held,
    openReviews: reviews.filter((review) => review.resolved_at === null),
    apart: askedApart(reviews),
    said: saidAbout(reviews),
    agent: using.agent ? 'on' : 'off',
    now: clock.now(),
    ids: using.ids,
  });
  applyPlan(rows, plan, clock.now());
  return plan;
}

function applyPlan(rows: WorkRows, plan: BatchPlan, now: number): void {
  for (const { job_id, group_id } of plan.groups) rows.patch(job_id, { group_id });
  for (const { job_id, event, before } of plan.events) {
    // The searches stand in its log since it went to the agent, unless that gave the matcher more to look at.
    const job = rows.job(job_id);
    const told = job?.phase === 'thinking' && (job.agent?.looked_up.length ?? 0) === 0;
    rows.apply(job_id, event, { before: told ? [] : before });
  }
  for (const review of plan.reviews) rows.putReview(review);
  for (const id of plan.withdrawn) {
    const review = rows.review(id);
    if (review) rows.putReview({ ...review, resolved_at: now, selected_option: 'withdrawn' });
  }
  // No job may stay "searching": what the matcher did not speak of is unknown.
  for (const job of rows.jobs())
    if (job.phase === 'searching') rows.apply(job.id, { type: 'rejected', why: 'nothing in the catalog is like it' });
}

/** Of what is undecided: tracks that were made from the very same content, by its SHA-256. */
export function madeFromContents(
  rows: Pick<WorkRows, 'jobs'>,
  catalog: Pick<WorkCatalog, 'madeFrom'>,
): Promise<ReadonlyMap<string, Track>> {
  const contents = rows.jobs().flatMap((job) => (isUndecided(job) ? [contentOf(job)] : []));
  return catalog.madeFrom([...new Set(contents.filter((one) => one !== null))]);
}

function publishedFrom(jobs: readonly Job[], { madeFrom }: Pick<MatchUsing, 'madeFrom'>): Map<string, Track> {
  const found = new Map<string, Track>();
  for (const job of jobs) {
    const content = contentOf(job);
    const track = content === null || !isUndecided(job) ? undefined : madeFrom.get(content);
    if (track) found.set(job.id, track);
  }
  return found;
}
