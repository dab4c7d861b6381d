/** /v1/playbooks/runs: what people ask for. The server keeps runs and computes nothing (run-claims.route.ts). */
import * as v from 'valibot';
import {
  MOST_RUN_BYTES,
  MOST_RUN_BYTES_KEPT,
  MOST_RUNS_WAITING,
  NewRunSchema,
  NothingSchema,
  ResumeRunSchema,
  RunEndSchema,
  RunFilesSchema,
  SharedRunSchema,
  SharedRunsSchema,
  type NewRun,
  type SharedRun,
} from '#lanes/playbooks/core/shared/run-protocol.ts';
import { insideRoot } from '#lanes/playbooks/core/files/paths.ts';
import { PlaybookFault } from '#lanes/playbooks/core/faults.ts';
import type { Playbook } from '#lanes/playbooks/core/read/playbook.types.ts';
import { readPlaybook } from '#lanes/playbooks/core/read/playbook.ts';
import { json, paged, route, type Route } from '#server/api/route.ts';
import { writeAudit } from '#server/audit/audit.ts';
import { mayKnow, type Principal } from '#server/auth/principal.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { HttpError } from '#server/http/http-error.ts';
import { mutate } from '#server/http/mutate.ts';
import { readPage } from '#server/http/page.ts';
import { encoded, streamOf } from '#server/http/stream.ts';
import { findRow } from '#server/store/rows.ts';
import type { Reader, Tx } from '#server/store/schema.ts';
import { isHeld } from './run-lease.ts';
import { bytesOf, fileText, filesOf, forgetRun, journalOf } from './run-files.ts';
import type { PlaybookRunTable } from './tables.ts';

const EDIT = { scope: 'EditCatalog', tag: 'Playbooks' } as const;
/** What can be gone on with. */
const RESUMABLE: readonly string[] = ['failed', 'stopped', 'cancelled'];
/** Bytes of the request: texts in JSON take more than themselves. */
const MOST_BODY = 2 * MOST_RUN_BYTES;

type Deps = Pick<CatalogDeps, 'store' | 'clock' | 'ids' | 'events'>;

export function runRoutes(deps: Deps): Route[] {
  const { store, clock } = deps;
  const { db } = store;
  const shown = (row: PlaybookRunTable): SharedRun => sharedRun(row, clock.now());
  return [
    route('POST /v1/playbooks/runs', {
      ...EDIT,
      summary: 'Have a playbook run by a worker, over these files.',
      description:
        'A worker, or a connected browser of its owner, takes it and checks it before anything is asked; what is wrong stands in `end.faults` then. A person may have 20 runs without an end, a run 1,000 files of 1.5 million characters, 16 MiB in all, and 512 kB of playbook and config.',
      body: NewRunSchema,
      maxBody: MOST_BODY,
      replies: { 201: json(SharedRunSchema, 'The run. It waits for a worker.') },
      failures: [404, 413, 422, 429],
      idempotent: 'key',
      answer: (c) =>
        mutate(c, deps, NewRunSchema, 'IngestionChanged', async (tx, body, principal) => {
          const row = await beginIn(tx, deps, principal, body);
          return { status: 201, body: shown(row) };
        }),
    }),
    route('GET /v1/playbooks/runs', {
      ...EDIT,
      summary: "The caller's runs, the newest first; an admin's are everybody's.",
      query: paged(50, 200),
      replies: { 200: json(SharedRunsSchema, 'A page of runs.') },
      async answer(c) {
        const { principal } = c.var;
        let rows = db.selectFrom('playbook_runs').selectAll();
        if (!principal.scopes.includes('Admin')) rows = rows.where('user_id', '=', principal.user_id);
        const { page, next_cursor } = await readPage(c, rows, { usual: 50, most: 200, by: 'created_at', way: 'desc' });
        return c.json({ items: page.map(shown), next_cursor });
      },
    }),
    route('GET /v1/playbooks/runs/:id', {
      ...EDIT,
      summary: 'A run: whether it waits, who works on it, how it ended.',
      replies: { 200: json(SharedRunSchema, 'The run.') },
      failures: [404],
      answer: async (c) => c.json(shown(await ownRun(db, c.var.principal, c.req.param('id')))),
    }),
    route('GET /v1/playbooks/runs/:id/journal', {
      ...EDIT,
      summary: 'The journal of a run as far as it came, a JSON object a line.',
      replies: { 200: { description: 'Its lines.', type: 'application/x-ndjson' } },
      failures: [404],
      async answer(c) {
        const { id } = await ownRun(db, c.var.principal, c.req.param('id'));
        return c.body(streamOf(encoded(journalOf(db, id))), 200, { 'Content-Type': 'application/x-ndjson' });
      },
    }),
    route('GET /v1/playbooks/runs/:id/files', {
      ...EDIT,
      summary: 'The files of a run: those that it was begun with, and those that its steps wrote so far.',
      replies: { 200: json(RunFilesSchema, 'The files by path.') },
      failures: [404],
      async answer(c) {
        const { id } = await ownRun(db, c.var.principal, c.req.param('id'));
        return c.json({ items: await filesOf(db, id) });
      },
    }),
    route('GET /v1/playbooks/runs/:id/file', {
      ...EDIT,
      summary: 'A file of a run.',
      query: { path: { description: 'Below the root of the run.', schema: v.string() } },
      replies: { 200: { description: 'Its text.', type: 'text/plain' } },
      failures: [404],
      async answer(c) {
        const { id } = await ownRun(db, c.var.principal, c.req.param('id'));
        const text = await fileText(db, id, c.req.query('path') ?? '');
        if (text === null) throw new HttpError('not_found', 'The run has no such file.');
        // Texts of strangers: shown by no browser as a page.
        c.header('Content-Disposition', 'attachment');
        return c.text(text);
      },
    }),
    route('POST /v1/playbooks/runs/:id/cancel', {
      ...EDIT,
      summary: 'Cancel a run: its worker begins no further call. It can be resumed.',
      body: NothingSchema,
      replies: { 200: json(SharedRunSchema, 'The run.') },
      failures: [404, 409],
      idempotent: true,
      answer: (c) =>
        mutate(c, deps, NothingSchema, 'IngestionChanged', async (tx, _body, principal) => {
          const row = await ownRun(tx, principal, c.req.param('id'));
          if (row.state !== 'waiting') throw over(row, 'cancelled');
          const now = clock.now();
          // Nobody works on it: it is cancelled at once.
          const change = isHeld(row, now)
            ? { cancel: 1 }
            : { cancel: 0, state: 'cancelled', lease_id: null, lease_until: null, worker: null };
          await noted(tx, now, 'playbook.run_cancelled', principal, row);
          return { status: 200, body: shown(await changed(tx, row, { ...change, updated_at: now })) };
        }),
    }),
    route('POST /v1/playbooks/runs/:id/resume', {
      ...EDIT,
      summary: 'Go on with a run that failed, was stopped or cancelled, with other limits where they are said.',
      body: ResumeRunSchema,
      replies: { 200: json(SharedRunSchema, 'The run. It waits for a worker.') },
      failures: [404, 409, 429],
      idempotent: true,
      answer: (c) =>
        mutate(c, deps, ResumeRunSchema, 'IngestionChanged', async (tx, { limits = {} }, principal) => {
          const row = await ownRun(tx, principal, c.req.param('id'));
          if (row.state === 'waiting') return { status: 200, body: shown(row) };
          if (!RESUMABLE.includes(row.state)) throw over(row, 'resumed');
          await roomFor(tx, row.user_id, 0);
          const wish = wishOf(row);
          const now = clock.now();
          const again = { state: 'waiting', cancel: 0, ended: null, lost: 0, updated_at: now };
          const said = JSON.stringify({ ...wish, limits: { ...wish.limits, ...limits } });
          await noted(tx, now, 'playbook.run_resumed', principal, row);
          return { status: 200, body: shown(await changed(tx, row, { ...again, wish: said })) };
        }),
    }),
    route('DELETE /v1/playbooks/runs/:id', {
      ...EDIT,
      summary: 'Remove a run with its files and its journal. A worker that is at it hears that its lease is over.',
      body: NothingSchema,
      replies: { 200: json(NothingSchema, 'It is gone.') },
      failures: [404],
      idempotent: true,
      answer: (c) =>
        mutate(c, deps, NothingSchema, 'IngestionChanged', async (tx, _body, principal) => {
          const row = await ownRun(tx, principal, c.req.param('id'));
          await forgetRun(tx, row.id);
          await noted(tx, clock.now(), 'playbook.run_removed', principal, row);
          return { status: 200, body: {} };
        }),
    }),
  ];
}

/** To others there is none. Throws HttpError 404. */
async function ownRun(db: Reader, principal: Principal, id: string): Promise<PlaybookRunTable> {
  const row = await findRow(db, 'playbook_runs', id);
  if (row === undefined || !mayKnow(principal, row.user_id))
    throw new HttpError('not_found', `There is no run "${id}".`);
  return row;
}

const over = ({ name, state }: PlaybookRunTable, what: string): HttpError =>
  new HttpError('conflict', `"${name}" is ${state.replaceAll('_', ' ')}; it cannot be ${what}.`, {
    details: { state },
  });

async function changed(tx: Tx, row: PlaybookRunTable, change: Partial<PlaybookRunTable>): Promise<PlaybookRunTable> {
  await tx.updateTable('playbook_runs').set(change).where('id', '=', row.id).execute();
  return { ...row, ...change };
}

async function noted(
  tx: Tx,
  at: number,
  action: 'playbook.run_begun' | 'playbook.run_cancelled' | 'playbook.run_resumed' | 'playbook.run_removed',
  { user_id }: Principal,
  { id, name, user_id: owner }: PlaybookRunTable,
): Promise<void> {
  await writeAudit(tx, { at, user_id, action, entity_id: id, details: { name, owner } });
}

export type RunWish = Omit<NewRun, 'files' | 'name'>;

/** As `beginIn` wrote it. */
export const wishOf = ({ wish }: Pick<PlaybookRunTable, 'wish'>): RunWish => JSON.parse(wish) as RunWish;

function sharedRun(row: PlaybookRunTable, now: number): SharedRun {
  const held = isHeld(row, now);
  return {
    ...{ id: row.id, user_id: row.user_id, name: row.name, bytes: Number(row.bytes) },
    // `state` is one of a list: whoever writes it takes it from there.
    state: (row.state === 'waiting' && held ? 'running' : row.state) as SharedRun['state'],
    ...{ cancelling: Number(row.cancel) === 1, worker: held ? row.worker : null },
    ...{ created_at: Number(row.created_at), updated_at: Number(row.updated_at) },
    end: row.ended === null ? null : v.parse(RunEndSchema, JSON.parse(row.ended)),
  };
}

async function beginIn(
  tx: Tx,
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  principal: Principal,
  { files = [], name, ...wish }: NewRun,
): Promise<PlaybookRunTable> {
  const texts = checkedFiles(files);
  if (wish.reuse !== undefined) await ownRun(tx, principal, wish.reuse);
  const said = JSON.stringify(wish);
  const bytes = bytesOf(said) + [...texts.values()].reduce((sum, text) => sum + bytesOf(text), 0);
  if (bytes > MOST_RUN_BYTES)
    throw new HttpError('too_large', 'A run may have 16 MiB of files with its playbook here.');
  await roomFor(tx, principal.user_id, bytes);
  const now = clock.now();
  const { playbook } = readPlaybook(wish.playbook);
  const called = name ?? playbook?.name ?? 'playbook';
  const row: PlaybookRunTable = {
    ...{
      id: ids.next(),
      user_id: principal.user_id,
      name: called.replaceAll('\0', ' ').slice(0, 200),
      state: 'waiting',
    },
    ...{
      cancel: 0,
      tools: namesTools(playbook) ? 1 : 0,
      wish: said,
      ended: null,
      bytes,
      pieces: 0,
      created_at: now,
      updated_at: now,
    },
    ...{ lease_id: null, lease_until: null, worker: null, lost: 0 },
  };
  await tx.insertInto('playbook_runs').values(row).execute();
  for (const [path, text] of texts)
    await tx.insertInto('playbook_run_files').values({ run: row.id, path, part: 0, made: 0, content: text }).execute();
  await noted(tx, now, 'playbook.run_begun', principal, row);
  return row;
}

/** What cannot be read names none: whoever takes it says what is wrong with it. */
const namesTools = (playbook: Playbook | null): boolean =>
  playbook?.steps.some(({ raw: { tool, agent } }) => tool !== undefined || agent !== undefined) === true;

/** By path. Throws HttpError 422. */
function checkedFiles(files: NonNullable<NewRun['files']>): Map<string, string> {
  const texts = new Map<string, string>();
  const wrong = (sentence: string): HttpError => new HttpError('invalid', sentence, { status: 422 });
  for (const { path, text } of files) {
    let inside: string;
    try {
      inside = insideRoot(path);
    } catch (error) {
      throw error instanceof PlaybookFault ? wrong(error.message) : error;
    }
    if (texts.has(inside)) throw wrong(`"${inside}" is there twice.`);
    if (text.includes('\0')) throw wrong(`"${inside}" is no text.`);
    texts.set(inside, text);
  }
  return texts;
}

/** Throws HttpError 429 where a person has too many runs without an end, 413 where they take too much room. */
async function roomFor(tx: Tx, userId: string, bytes: number): Promise<void> {
  const of = tx.selectFrom('playbook_runs').where('user_id', '=', userId);
  const waiting = await of
    .where('state', '=', 'waiting')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirst();
  if (Number(waiting?.count ?? 0) >= MOST_RUNS_WAITING)
    throw new HttpError(
      'rate_limited',
      `${MOST_RUNS_WAITING} of your runs have no end yet. Send this one when some have.`,
      {
        headers: { 'Retry-After': '30' },
      },
    );
  const kept = await of.select((eb) => eb.fn.sum<number | string | null>('bytes').as('bytes')).executeTakeFirst();
  if (Number(kept?.bytes ?? 0) + bytes > MOST_RUN_BYTES_KEPT)
    throw new HttpError('too_large', 'Your runs may take 1 GiB here in all. Remove some of them, then send this one.');
}
