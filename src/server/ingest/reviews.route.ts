import * as v from 'valibot';
import { listOf } from '#core/sync/fields.ts';
import { MirroredReviewSchema, ReviewAnswerRequestSchema, selectedOption } from '#core/sync/protocol.ts';
import { json, paged } from '../api/fields.ts';
import { route, type Route } from '../api/route.ts';
import { may } from '../auth/principal.ts';
import { HttpError } from '../http/http-error.ts';
import { mutate } from '../http/mutate.ts';
import { cameAfter, pageOf, readLimit, readPlace } from '../http/page.ts';
import type { ServerDeps } from '../lane-server.ts';
import { chunks } from '../store/rows.ts';
import type { Reader } from '../store/schema.ts';
import { answerReview } from './answer-review.ts';
import { toReview } from './job-records.ts';

/** /v1/ingestion/review: open questions, and their answers. */
export function reviewRoutes(deps: Pick<ServerDeps, 'store' | 'clock' | 'events' | 'lanes'>): Route[] {
  const { db } = deps.store;
  return [
    route('GET /v1/ingestion/review', {
      scope: 'Work',
      tag: 'Ingestion',
      summary: 'The open questions of the caller, oldest first.',
      query: {
        ...paged(50, 500),
        all: {
          description: '`true`: of everybody; for the scope Admin, otherwise without effect.',
          schema: v.boolean(),
        },
      },
      replies: { 200: json(listOf(MirroredReviewSchema), 'A page of questions.') },
      async answer(c) {
        const limit = readLimit(c, 50, 500);
        const after = readPlace(c);
        const { principal } = c.var;
        let query = db.selectFrom('ingestion_reviews').selectAll().where('resolved_at', 'is', null);
        const all = c.req.query('all') === 'true' && may(principal, 'Admin');
        if (!all) query = query.where('user_id', '=', principal.user_id);
        if (after) query = query.where(cameAfter(after, '>'));
        const rows = await query
          .orderBy('created_at')
          .orderBy('id')
          .limit(limit + 1)
          .execute();
        const jobs = await jobsOf(
          db,
          rows.map((row) => row.id),
        );
        return c.json(
          pageOf(
            rows,
            limit,
            (row) => [row.created_at, row.id],
            (row) => toReview(row, jobs.get(row.id) ?? []),
          ),
        );
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
    for (const link of await links.execute())
      found.set(link.review_id, [...(found.get(link.review_id) ?? []), link.job_id]);
  }
  return found;
}
