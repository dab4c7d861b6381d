import { listOf } from '#core/sync/fields.ts';
import {
  MirroredReviewSchema,
  ReviewAnswerRequestSchema,
  selectedOption,
  type MirroredReview,
} from '#core/sync/protocol.ts';
import { json, paged, route, type Route } from '../api/route.ts';
import { may, mayKnow, type Principal } from '../auth/principal.ts';
import { HttpError } from '../http/http-error.ts';
import { mutate } from '../http/mutate.ts';
import { readPage } from '../http/page.ts';
import type { ServerDeps, LaneServer } from '../lane-server.ts';
import { chunks, idsOf } from '../store/rows.ts';
import type { Reader, IngestionReviewTable, Tx } from '../store/schema.ts';
import { toReview } from './job-records.ts';
import { OF_ALL } from './jobs.route.ts';
import { writeAudit } from '../audit/audit.ts';
import { wantWorker } from '../work/lease.ts';
import { noteJobs } from './updates.ts';

/**
 * Answers the question about a job; for an album's question, any of its jobs. The first answer counts: the same
 * again is agreed to, another one gets HttpError 409 with the winner. 404 where nothing was asked of this user, 422 for an
 * answer that is none of the options. `reviewId`, where it is given: 409 where another question is open by now.
 */
async function answerReview(
  tx: Tx,
  { clock, lanes }: Pick<ServerDeps, 'clock' | 'lanes'>,
  principal: Principal,
  jobId: string,
  selected: string,
  reviewId?: string,
): Promise<MirroredReview> {
  const row = await reviewOf(tx, jobId);
  if (!row || !mayKnow(principal, row.user_id))
    throw new HttpError('not_found', `Nothing was asked about the job "${jobId}".`);
  if (reviewId !== undefined && row.id !== reviewId)
    throw new HttpError('conflict', 'Another question has come in the place of this one.', {
      details: { review_id: row.id },
    });
  const links = await tx.selectFrom('ingestion_review_jobs').select('job_id').where('review_id', '=', row.id).execute();
  const jobIds = links.map((link) => link.job_id);
  if (row.resolved_at !== null) {
    if (row.selected_option === selected) return toReview(row, jobIds);
    const { selected_option, resolved_by_user_id, resolved_at } = row;
    const said = toReview(row, jobIds).options.find((option) => option.id === selected_option)?.label;
    const message = `This question was answered before by ${resolved_by_user_id ?? 'somebody'}: "${said ?? selected_option}".`;
    throw new HttpError('conflict', message, {
      details: { winner: { selected_option, resolved_by_user_id, resolved_at } },
    });
  }
  await checkAnswer(tx, lanes, toReview(row, jobIds), selected);
  const answer = {
    selected_option: selected,
    resolved_by_user_id: principal.user_id,
    resolved_at: clock.now(),
    acknowledged: 0,
  };
  await tx.updateTable('ingestion_reviews').set(answer).where('id', '=', row.id).execute();
  await wantWorker(tx, jobIds, clock.now());
  await writeAudit(tx, {
    at: answer.resolved_at,
    user_id: principal.user_id,
    action: 'review.answered',
    entity_id: row.job_id,
    details: { selected_option: selected, review_id: row.id, owner: row.user_id },
  });
  await noteJobs(tx, jobIds);
  return toReview({ ...row, ...answer }, jobIds);
}

/** The open question about a job, otherwise the one that was answered last. */
async function reviewOf(tx: Tx, jobId: string): Promise<IngestionReviewTable | null> {
  const rows = await tx
    .selectFrom('ingestion_reviews as review')
    .innerJoin('ingestion_review_jobs as link', 'link.review_id', 'review.id')
    .selectAll('review')
    .where('link.job_id', '=', jobId)
    .orderBy('review.created_at', 'desc')
    .execute();
  return rows.find((row) => row.resolved_at === null) ?? rows[0] ?? null;
}

async function checkAnswer(
  tx: Tx,
  lanes: readonly LaneServer[],
  review: MirroredReview,
  selected: string,
): Promise<void> {
  if (selected === 'none' || selected === 'cancelled') return;
  if (review.options.some((option) => option.id === selected)) return;
  const [, kind, id] = /^(\w+):(.+)$/.exec(selected) ?? [];
  if (kind !== undefined && id !== undefined)
    for (const lane of lanes) if (await lane.checkChoice?.(tx, { kind, id }, review.job_ids.length)) return;
  const ids = review.options.map((option) => `"${option.id}"`).join(', ');
  throw new HttpError(
    'invalid',
    `"selected_option" must be one of ${ids}, "none", "cancelled", "track:<id>" or "album:<id>".`,
    { status: 422 },
  );
}

/** /v1/ingestion/review: open questions, and their answers. */
export function reviewRoutes(deps: Pick<ServerDeps, 'store' | 'clock' | 'events' | 'lanes'>): Route[] {
  const { db } = deps.store;
  return [
    route('GET /v1/ingestion/review', {
      scope: 'EditCatalog',
      tag: 'Ingestion',
      summary: 'The open questions of the caller, oldest first.',
      query: { ...paged(50, 500), all: OF_ALL },
      replies: { 200: json(listOf(MirroredReviewSchema), 'A page of questions.') },
      async answer(c) {
        const { principal } = c.var;
        let query = db.selectFrom('ingestion_reviews').selectAll().where('resolved_at', 'is', null);
        const all = c.req.query('all') === 'true' && may(principal, 'Admin');
        if (!all) query = query.where('user_id', '=', principal.user_id);
        const { page, next_cursor } = await readPage(c, query, { usual: 50, most: 500, by: 'created_at' });
        const jobs = await jobsOf(db, idsOf(page));
        return c.json({ items: page.map((row) => toReview(row, jobs.get(row.id) ?? [])), next_cursor });
      },
    }),
    route('POST /v1/ingestion/review/:job_id', {
      scope: 'EditCatalog',
      tag: 'Ingestion',
      summary: 'Answer the question about a job; the first answer counts.',
      body: ReviewAnswerRequestSchema,
      replies: { 200: json(MirroredReviewSchema, 'The question with its answer.') },
      failures: [404, 409, 422],
      idempotent: true,
      answer: (c) =>
        mutate(c, deps, ReviewAnswerRequestSchema, 'IngestionChanged', async (tx, body, principal) => {
          const { review_id } = body;
          const selected_option = selectedOption(body);
          if (selected_option === null)
            throw new HttpError('invalid', 'Say one of "selected_option", "track_id" and "album_id".', { status: 422 });
          return {
            status: 200,
            body: await answerReview(tx, deps, principal, c.req.param('job_id'), selected_option, review_id),
          };
        }),
    }),
  ];
}

async function jobsOf(db: Reader, reviewIds: string[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const part of chunks(reviewIds)) {
    const links = db.selectFrom('ingestion_review_jobs').selectAll().where('review_id', 'in', part);
    for (const { review_id, job_id } of await links.execute()) {
      // One question may be about a hundred thousand jobs: no list of them is copied.
      const jobs = found.get(review_id);
      if (jobs === undefined) found.set(review_id, [job_id]);
      else jobs.push(job_id);
    }
  }
  return found;
}
