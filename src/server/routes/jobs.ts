import { Hono } from 'hono';
import * as v from 'valibot';
import { JOB_STATUSES } from '#core/job/job.ts';
import { MirrorRequestSchema } from '#core/sync/protocol.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import { parse } from '../http/body.ts';
import { HttpError } from '../http/http-error.ts';
import { mutate } from '../http/mutate.ts';
import { pageOf, readLimit, readPlace } from '../http/page.ts';
import { toJob, toStep } from '../ingest/job-records.ts';
import { takeMirror } from '../ingest/mirror.ts';
import { latestUpdate } from '../ingest/updates.ts';

const StatusSchema = v.optional(v.picklist(JOB_STATUSES));

/** /v1/ingestion: jobs as the workstations mirror them. */
export function jobRoutes(deps: Pick<CatalogDeps, 'store' | 'clock' | 'events'>): Hono<Env> {
  const { db } = deps.store;
  const app = new Hono<Env>();

  app.get('/jobs', async (c) => {
    const limit = readLimit(c, 50, 500);
    const after = readPlace(c);
    const status = parse(StatusSchema, c.req.query('status'), '"status"');
    let query = db.selectFrom('ingestion_jobs').selectAll().where('user_id', '=', c.get('principal').user_id);
    if (status !== undefined) query = query.where('status', '=', status);
    if (after) {
      const [at, id] = [Number(after[0]), after[1]];
      query = query.where((eb) =>
        eb.or([eb('created_at', '<', at), eb.and([eb('created_at', '=', at), eb('id', '<', id)])]),
      );
    }
    const rows = await query
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute();
    return c.json(pageOf(rows, limit, (row) => [row.created_at, row.id], toJob));
  });

  app.get('/jobs/:id', async (c) => {
    const id = c.req.param('id');
    const row = await db.selectFrom('ingestion_jobs').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw new HttpError('not_found', `There is no job "${id}".`);
    const steps = await db
      .selectFrom('ingestion_steps')
      .selectAll()
      .where('job_id', '=', id)
      .orderBy('step_number')
      .orderBy('id')
      .execute();
    return c.json({ ...toJob(row), reasoning_steps: steps.map(toStep) });
  });

  app.put('/mirror', async (c) => {
    let touched: string[] = [];
    const answer = await mutate(c, deps, MirrorRequestSchema, async (tx, body, principal) => {
      touched = [
        ...body.jobs.map((job) => job.id),
        ...body.steps.map((step) => step.job_id),
        ...body.reviews.flatMap((review) => review.job_ids),
      ];
      return { status: 200, body: await takeMirror(tx, principal.user_id, body) };
    });
    for (const update of await latestUpdate(db, touched)) deps.events.emit(update);
    return answer;
  });

  return app;
}
