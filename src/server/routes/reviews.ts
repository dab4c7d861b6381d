import { Hono } from 'hono';
import { ReviewAnswerRequestSchema } from '#core/sync/protocol.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import { mutate } from '../http/mutate.ts';
import { pageOf, readLimit, readPlace } from '../http/page.ts';
import { answerReview } from '../ingest/answer-review.ts';
import { toReview } from '../ingest/job-records.ts';
import { latestUpdate } from '../ingest/updates.ts';
import { chunks } from '../store/chunks.ts';
import type { Reader } from '../store/schema.ts';

/** /v1/ingestion/review: open questions, and their answers. */
export function reviewRoutes(deps: Pick<CatalogDeps, 'store' | 'clock' | 'events'>): Hono<Env> {
  const { db } = deps.store;
  const app = new Hono<Env>();

  app.get('/', async (c) => {
    const limit = readLimit(c, 50, 500);
    const after = readPlace(c);
    let query = db.selectFrom('ingestion_reviews').selectAll().where('resolved_at', 'is', null);
    if (after) {
      const [at, id] = [Number(after[0]), after[1]];
      query = query.where((eb) =>
        eb.or([eb('created_at', '>', at), eb.and([eb('created_at', '=', at), eb('id', '>', id)])]),
      );
    }
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
  });

  app.post('/:job_id', async (c) => {
    const answer = await mutate(c, deps, ReviewAnswerRequestSchema, async (tx, body, principal) => {
      const { selected_option, review_id } = body;
      return {
        status: 200,
        body: await answerReview(tx, deps.clock, principal.user_id, c.req.param('job_id'), selected_option, review_id),
      };
    });
    const asked = await jobsSharing(db, c.req.param('job_id'));
    for (const update of await latestUpdate(db, asked)) deps.events.emit(update);
    return answer;
  });

  return app;
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

/** The jobs that a question about this one is about, too. */
async function jobsSharing(db: Reader, jobId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('ingestion_review_jobs as mine')
    .innerJoin('ingestion_review_jobs as other', 'other.review_id', 'mine.review_id')
    .select('other.job_id')
    .where('mine.job_id', '=', jobId)
    .execute();
  return rows.map((row) => row.job_id);
}
