import * as v from 'valibot';
import { JOB_STATUSES } from '#core/job/job.ts';
import { listOf } from '#core/sync/fields.ts';
import {
  JobAnswerSchema,
  MirroredJobSchema,
  MirrorKnownSchema,
  MirrorRequestSchema,
  MirrorResponseSchema,
} from '#core/sync/protocol.ts';
import { LARGE, takeBeside } from '../beside/take-beside.ts';
import { json, paged, route, type Route } from '../api/route.ts';
import { may, mayKnow } from '../auth/principal.ts';
import type { CatalogDeps } from '../deps.ts';
import { parse } from '../http/body.ts';
import { HttpError } from '../http/http-error.ts';
import { asJson, jsonOf, withLongList } from '../http/json-stream.ts';
import { mutateRows, send } from '../http/mutate.ts';
import { readPage } from '../http/page.ts';
import { findRow } from '../store/rows.ts';
import { cancelJob } from '../work/cancel-job.ts';
import { logOf, toJob } from './job-records.ts';
import { knowsMark, takeMirror } from './mirror.ts';

const IdSchema = v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(128)));
const StatusSchema = v.optional(v.picklist(JOB_STATUSES));

export const OF_ALL = {
  description: '`true`: of everybody; for the scope Admin, otherwise without effect.',
  schema: v.boolean(),
};

const CancelledSchema = v.object({
  /** The job, and what came out of it where it is an archive. */
  cancelled: v.array(v.string()),
});

/** Bytes of a mirror: some thousand steps. */
const MAX_MIRROR = 32 * 1024 * 1024;

/** /v1/ingestion: jobs as the workstations mirror them. */
export function jobRoutes(deps: Pick<CatalogDeps, 'store' | 'clock' | 'ids' | 'events' | 'beside'>): Route[] {
  const { db } = deps.store;
  return [
    route('GET /v1/ingestion/jobs', {
      scope: 'EditCatalog',
      tag: 'Ingestion',
      summary: 'The jobs of the caller, newest first.',
      query: {
        ...paged(50, 500),
        status: { description: 'Those alone.', schema: StatusSchema },
        parent_job_id: { description: 'What came out of this archive.', schema: IdSchema },
        batch_id: {
          description: 'What belongs to this upload over HTTP (`batch_id` of its answer).',
          schema: IdSchema,
        },
        all: OF_ALL,
      },
      replies: { 200: json(listOf(MirroredJobSchema), 'A page of jobs.') },
      async answer(c) {
        const status = parse(StatusSchema, c.req.query('status'), '"status"');
        const parent = parse(IdSchema, c.req.query('parent_job_id'), '"parent_job_id"');
        const batch = parse(IdSchema, c.req.query('batch_id'), '"batch_id"');
        const { principal } = c.var;
        let query = db.selectFrom('ingestion_jobs').selectAll();
        const all = c.req.query('all') === 'true' && may(principal, 'Admin');
        if (!all) query = query.where('user_id', '=', principal.user_id);
        if (status !== undefined) query = query.where('status', '=', status);
        if (parent !== undefined) query = query.where('parent_job_id', '=', parent);
        if (batch !== undefined) query = query.where('batch_id', '=', batch);
        const order = { usual: 50, most: 500, by: 'created_at', way: 'desc' } as const;
        const { page, next_cursor } = await readPage(c, query, order);
        return c.json({ items: page.map(toJob), next_cursor });
      },
    }),
    route('GET /v1/ingestion/jobs/:id', {
      scope: 'EditCatalog',
      tag: 'Ingestion',
      summary: 'A job and its reasoning, step by step: the first 2,000 steps.',
      replies: { 200: json(JobAnswerSchema, 'The job.') },
      failures: [404],
      async answer(c) {
        const id = c.req.param('id');
        const row = await findRow(db, 'ingestion_jobs', id);
        if (!row || !mayKnow(c.var.principal, row.user_id))
          throw new HttpError('not_found', `There is no job "${id}".`);
        const steps = await logOf(db, row);
        return jsonOf(withLongList(toJob(row), 'reasoning_steps', asJson(steps)));
      },
    }),
    route('GET /v1/ingestion/mirror', {
      scope: 'Work',
      tag: 'Ingestion',
      summary: "Whether the server still has a workstation's last report.",
      description: 'Not after its database was put back to an older state: then everything is reported again.',
      query: { after: { description: '`mark` of the last report.', schema: v.string() } },
      replies: { 200: json(MirrorKnownSchema, 'Whether it has.') },
      async answer(c) {
        return c.json({ known: await knowsMark(db, c.var.principal.user_id, c.req.query('after') ?? '') });
      },
    }),
    route('PUT /v1/ingestion/mirror', {
      scope: 'Work',
      tag: 'Ingestion',
      summary: "A workstation's jobs, steps and reviews; the newer row wins.",
      body: MirrorRequestSchema,
      maxBody: MAX_MIRROR,
      replies: { 200: json(MirrorResponseSchema, 'Reviews that were answered elsewhere.') },
      failures: [409, 410, 413, 422],
      idempotent: true,
      async answer(c) {
        const beside = await takeBeside(c, deps.beside, { task: 'mirror', from: LARGE, most: MAX_MIRROR });
        if (beside === null)
          return mutateRows(c, deps, MirrorRequestSchema, 'IngestionChanged', async (tx, body, principal) => ({
            status: 200,
            body: await takeMirror(tx, principal.user_id, body, deps.clock.now()),
          }));
        deps.events.emit({ type: 'IngestionChanged' });
        return send(c, beside.answer, beside.replayed);
      },
    }),
    route('DELETE /v1/ingestion/jobs/:id', {
      scope: 'EditCatalog',
      tag: 'Ingestion',
      summary: 'Cancel a job; whoever works on it stops.',
      description:
        'The job ends as FAILED with "cancelled", an archive\'s with everything that came out of it. A finished one answers 409.',
      replies: { 200: json(CancelledSchema, 'What was ended.') },
      failures: [404, 409],
      idempotent: false,
      async answer(c) {
        const { principal } = c.var;
        const cancelled = await deps.store.write((tx) => cancelJob(tx, deps, principal, c.req.param('id')));
        deps.events.emit({ type: 'IngestionChanged' });
        return c.json({ cancelled });
      },
    }),
  ];
}
