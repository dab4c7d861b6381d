import {
  ClaimAnswerSchema,
  ClaimRequestSchema,
  LearnedAnswerSchema,
  LearnedQuerySchema,
  RenewSchema,
  WorkSavedSchema,
  WorkSaveSchema,
  type Claim,
  type WorkSaved,
} from '#core/sync/work-protocol.ts';
import type { Context } from 'hono';
import { json, route, type Route } from '../api/route.ts';
import { LARGE, takeBeside } from '../beside/take-beside.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import { readBody, readRows } from '../http/body.ts';
import { jsonOf, withLongList, withLongText } from '../http/json-stream.ts';
import { HttpError } from '../http/http-error.ts';
import { streamOf } from '../http/stream.ts';
import { toJob } from '../ingest/job-records.ts';
import { tidy } from '../log.ts';
import type { Reader, WorkBatchTable } from '../store/schema.ts';
import { giveUp } from './cancel-job.ts';
import { countParts, readParts, SaveBodySchema } from './document-parts.ts';
import { claimNext, endSilent, giveBack, holdLease, LEASE_MS, leased, MOST_LOST, takesAll } from './lease.ts';
import { readLearned } from './learned.ts';
import { heldTracks, readNews } from './news.ts';
import { freeOriginals } from './originals.ts';
import { saveWork } from './save.ts';

type Deps = Pick<CatalogDeps, 'store' | 'originals' | 'clock' | 'ids' | 'log' | 'events' | 'beside'>;

/** Bytes of a save: the rows and the document of an upload with a thousand files. */
const MAX_SAVE = 128 * 1024 * 1024;

/** Bytes of a question for what was learned: as many keys as it may have, each as long as it may be. */
const MAX_QUERY = 8 * 1024 * 1024;

const WORK = { scope: 'Work', tag: 'Ingestion' } as const;

/** /v1/ingestion/claims: what workers ask for. */
/** An upload's file that a database which was put back still waits for, or that somebody removed or cut. */
const SEND_AGAIN = 'Send the file again.';

export function claimRoutes(deps: Deps): Route[] {
  const { db } = deps.store;
  return [
    route('POST /v1/ingestion/claims', {
      ...WORK,
      summary: 'Take the oldest upload that wants a worker, under a lease.',
      description:
        "An admin's token, or one of the scope Work that an admin made, takes everybody's uploads; any other its owner's. A lease that is not renewed ends, and another worker goes on from what was saved.",
      body: ClaimRequestSchema,
      replies: { 200: json(ClaimAnswerSchema, 'The upload, or null where nothing waits.') },
      idempotent: false,
      async answer(c) {
        const { value } = await readBody(c, ClaimRequestSchema);
        const { former_lease } = value;
        if (former_lease !== undefined) await deps.store.write((tx) => endSilent(tx, c.var.principal, former_lease));
        for (;;) {
          const batch = await deps.store.write((tx) => claimNext(tx, deps, c.var.principal, value.worker));
          if (batch === null) return c.json({ claim: null });
          if (Number(batch.lost) < MOST_LOST) return answerClaim(db, batch);
          await deps.store.write((tx) => giveUp(tx, deps, batch));
          await tidy(deps, 'files of an upload', () => freeOriginals(deps, batch.id));
          deps.log.warn('an upload was given up: every worker fell silent at it', { batch: batch.id });
        }
      },
    }),
    route('GET /v1/ingestion/claims/:lease_id/files/:file_id', {
      ...WORK,
      summary: 'An uploaded file of the batch under this lease.',
      replies: { 200: { description: 'Its bytes, as they came.', type: 'application/octet-stream' } },
      failures: [404, 409],
      async answer(c) {
        const batch = await ownLease(db, c.req.param('lease_id'), c.var.principal);
        const file = await db
          .selectFrom('work_files')
          .selectAll()
          .where('id', '=', c.req.param('file_id'))
          .where('batch_id', '=', batch.id)
          .executeTakeFirst();
        if (!file) throw new HttpError('not_found', 'The upload has no such file.');
        const size = Number(file.size);
        if ((await deps.originals.size(file.id)) !== size)
          throw new HttpError('not_found', `The server does not have "${file.path}" any more.`, { remedy: SEND_AGAIN });
        c.header('Content-Type', 'application/octet-stream');
        c.header('Content-Length', String(size));
        return c.body(streamOf(deps.originals.read(file.id, 0, size)));
      },
    }),
    route('POST /v1/ingestion/claims/:lease_id/learned', {
      ...WORK,
      summary: "What was learned from the uploader's answers to questions about earlier uploads.",
      body: LearnedQuerySchema,
      maxBody: MAX_QUERY,
      replies: { 200: json(LearnedAnswerSchema, 'The rows that are there.') },
      failures: [404, 409],
      idempotent: true,
      async answer(c) {
        const batch = await ownLease(db, c.req.param('lease_id'), c.var.principal);
        const { value } = await readBody(c, LearnedQuerySchema);
        return jsonOf(withLongList({}, 'rows', readLearned(db, batch.user_id, value)));
      },
    }),
    route('POST /v1/ingestion/claims/:lease_id/renew', {
      ...WORK,
      summary: 'Keep a lease, and hear what people did meanwhile.',
      body: RenewSchema,
      replies: { 200: json(WorkSavedSchema, 'What is new.') },
      failures: [404, 409],
      idempotent: true,
      async answer(c) {
        const { id } = await ownLease(db, c.req.param('lease_id'), c.var.principal);
        const until = deps.clock.now() + LEASE_MS;
        const batch = await deps.store.write((tx) => holdLease(tx, c.req.param('lease_id'), until));
        return c.json(await savedOf(db, { ...batch, id }));
      },
    }),
    route('DELETE /v1/ingestion/claims/:lease_id', {
      ...WORK,
      summary: 'Give an upload back as it was saved last: another worker need not wait until the lease is over.',
      replies: { 204: { description: 'It is free.' } },
      failures: [404, 409],
      idempotent: false,
      async answer(c) {
        const leaseId = c.req.param('lease_id');
        await ownLease(db, leaseId, c.var.principal);
        await deps.store.write((tx) => giveBack(tx, leaseId));
        deps.events.emit({ type: 'IngestionChanged' });
        return c.body(null, 204);
      },
    }),
    route('PUT /v1/ingestion/claims/:lease_id', {
      ...WORK,
      summary: 'Save what the worker has reached: its document, and the rows of jobs, steps and questions.',
      body: WorkSaveSchema,
      maxBody: MAX_SAVE,
      replies: { 200: json(WorkSavedSchema, 'What is new.') },
      failures: [404, 409, 413, 422],
      idempotent: false,
      async answer(c) {
        // Before the body is read: it may be large, and only whoever holds the lease has something to save.
        await ownLease(db, c.req.param('lease_id'), c.var.principal);
        const lease = c.req.param('lease_id');
        const large = { task: 'save', from: LARGE, most: MAX_SAVE, lease } as const;
        const batch = (await takeBeside(c, deps.beside, large)) ?? (await saveInTurns(c, deps, lease));
        deps.events.emit({ type: 'IngestionChanged' });
        if (batch.state === 'done') await tidy(deps, 'files of a finished upload', () => freeOriginals(deps, batch.id));
        return c.json(await savedOf(db, batch));
      },
    }),
  ];
}

async function saveInTurns(c: Context<Env>, { store, clock }: Deps, lease: string): Promise<WorkBatchTable> {
  const { sha256, value } = await readRows(c, SaveBodySchema, ['document']);
  return store.write((tx) => saveWork(tx, lease, value, { now: clock.now(), sha256 }));
}

async function ownLease(
  db: Reader,
  leaseId: string,
  principal: Parameters<typeof takesAll>[1],
): Promise<WorkBatchTable> {
  const batch = await leased(db, leaseId);
  if (batch.user_id !== principal.user_id && !(await takesAll(db, principal)))
    throw new HttpError('not_found', 'There is no such lease.');
  return batch;
}

/** The document goes out part by part: nobody waits for the making of a long answer. */
async function answerClaim(db: Reader, batch: WorkBatchTable): Promise<Response> {
  const claim = await claimOf(db, batch);
  return jsonOf(claimInParts(db, batch, claim));
}

async function* claimInParts(
  db: Reader,
  batch: WorkBatchTable,
  claim: Omit<Claim, 'document'>,
): AsyncGenerator<string> {
  yield '{"claim":';
  // Nothing was saved yet.
  if (batch.revision === 0) yield JSON.stringify({ ...claim, document: null } satisfies Claim);
  else yield* withLongText(claim, 'document', readParts(db, batch, await countParts(db, batch)));
  yield '}';
}

async function claimOf(db: Reader, batch: WorkBatchTable): Promise<Omit<Claim, 'document'>> {
  const files = await db.selectFrom('work_files').selectAll().where('batch_id', '=', batch.id).orderBy('id').execute();
  const jobs = await db
    .selectFrom('ingestion_jobs')
    .selectAll()
    .where('batch_id', '=', batch.id)
    .orderBy('id')
    .execute();
  const { id, user_id, label, context_id } = batch;
  const user = await db.selectFrom('users').select('name').where('id', '=', user_id).executeTakeFirst();
  const context_type = batch.context_type === 'DOWNLOAD_REQUEST' ? 'download_request' : 'spontaneous';
  return {
    lease_id: batch.lease_id ?? '',
    lease_ms: LEASE_MS,
    batch: {
      id,
      user_id,
      user_name: user?.name ?? null,
      label,
      context_type,
      context_id,
      created_at: Number(batch.created_at),
    },
    files: files.map((file) => ({ id: file.id, path: file.path, size: Number(file.size), sha256: file.sha256 })),
    jobs: batch.revision === 0 ? jobs.map(toJob) : [],
    revision: batch.revision,
    news: await readNews(db, batch.id),
    held: await heldTracks(db, batch),
  };
}

async function savedOf(db: Reader, batch: WorkBatchTable): Promise<WorkSaved> {
  return { revision: batch.revision, lease_ms: LEASE_MS, news: await readNews(db, batch.id) };
}
