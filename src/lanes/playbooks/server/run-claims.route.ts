/** /v1/playbooks/claims: what workers ask for. */
import * as v from 'valibot';
import {
  FileFoundSchema,
  FilePartSchema,
  HeardSchema,
  LinesSchema,
  MOST_PIECE_BYTES,
  MOST_RUN_BYTES_KEPT,
  NothingSchema,
  RunEndSchema,
  RunFilesSchema,
  TakenRunSchema,
  TakeRunSchema,
  type TakenRun,
} from '#lanes/playbooks/core/shared/run-protocol.ts';
import { json, route, type Route } from '#server/api/route.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { readBody } from '#server/http/body.ts';
import { HttpError } from '#server/http/http-error.ts';
import { encoded, streamOf } from '#server/http/stream.ts';
import { LEASE_MS } from '#server/work/lease.ts';
import { holdRun, leasedRun, letGoOfRun, takeRun } from './run-lease.ts';
import { dropTornLine, fileText, filesOf, journalOf, putFilePart, putLines } from './run-files.ts';
import { wishOf } from './runs.route.ts';
import type { PlaybookRunTable } from './tables.ts';

const WORK = { scope: 'Work', tag: 'Playbooks' } as const;

export function runClaimRoutes(deps: Pick<CatalogDeps, 'store' | 'clock' | 'ids' | 'events'>): Route[] {
  const { store, clock } = deps;
  const { db } = store;
  return [
    route('POST /v1/playbooks/claims', {
      ...WORK,
      summary: 'Take the oldest run of a playbook that wants a worker, under a lease.',
      description:
        "An admin's token, or one of the scope Work that an admin made, takes everybody's runs; any other its owner's. A lease that is not renewed ends, and another worker goes on from the journal.",
      body: TakeRunSchema,
      replies: { 200: json(TakenRunSchema, 'The run, or null where none waits.') },
      idempotent: false,
      async answer(c) {
        const { value } = await readBody(c, TakeRunSchema);
        const row = await store.write(async (tx) => {
          const taken = await takeRun(tx, deps, c.var.principal, value);
          if (taken === null) return null;
          const { pieces, bytes } = await dropTornLine(tx, taken);
          if (pieces === Number(taken.pieces)) return taken;
          return holdRun(tx, taken.lease_id ?? '', clock.now(), { pieces, bytes: Number(taken.bytes) - bytes });
        });
        return c.json({ run: row === null ? null : takenRun(row) });
      },
    }),
    route('GET /v1/playbooks/claims/:lease_id/journal', {
      ...WORK,
      summary: 'The journal of the run as far as it came; with `reuse`, that of the run whose units it takes over.',
      query: { reuse: { description: '`true`: of the run that it takes units over from.', schema: v.string() } },
      replies: { 200: { description: 'Its lines.', type: 'application/x-ndjson' } },
      failures: [404, 409],
      async answer(c) {
        const row = await leasedRun(db, c.var.principal, c.req.param('lease_id'));
        const of = c.req.query('reuse') === 'true' ? await reusedBy(row) : row.id;
        return c.body(streamOf(encoded(journalOf(db, of))), 200, { 'Content-Type': 'application/x-ndjson' });
      },
    }),
    route('GET /v1/playbooks/claims/:lease_id/files', {
      ...WORK,
      summary: 'The files of the run under this lease.',
      replies: { 200: json(RunFilesSchema, 'The files by path.') },
      failures: [404, 409],
      async answer(c) {
        const { id } = await leasedRun(db, c.var.principal, c.req.param('lease_id'));
        return c.json({ items: await filesOf(db, id) });
      },
    }),
    route('GET /v1/playbooks/claims/:lease_id/file', {
      ...WORK,
      summary: 'A file of the run under this lease.',
      query: { path: { description: 'Below the root of the run.', schema: v.string() } },
      replies: { 200: json(FileFoundSchema, 'Its text; null where there is none.') },
      failures: [404, 409],
      async answer(c) {
        const { id } = await leasedRun(db, c.var.principal, c.req.param('lease_id'));
        return c.json({ text: await fileText(db, id, c.req.query('path') ?? '') });
      },
    }),
    route('PUT /v1/playbooks/claims/:lease_id/file', {
      ...WORK,
      summary: 'Write a file of the run: its parts from one on are replaced by these texts.',
      body: FilePartSchema,
      maxBody: MOST_PIECE_BYTES,
      replies: { 200: json(HeardSchema, 'It is written.') },
      failures: [404, 409, 413],
      idempotent: true,
      async answer(c) {
        const lease = c.req.param('lease_id');
        // Before the body is read: it may be large.
        await leasedRun(db, c.var.principal, lease);
        const { value } = await readBody(c, FilePartSchema);
        const row = await store.write(async (tx) => {
          const { id, bytes } = await holdRun(tx, lease, clock.now());
          const more = await putFilePart(tx, id, value);
          return holdRun(tx, lease, clock.now(), { bytes: within(Number(bytes) + more) });
        });
        return c.json({ cancel: Number(row.cancel) === 1 });
      },
    }),
    route('POST /v1/playbooks/claims/:lease_id/lines', {
      ...WORK,
      summary: 'Write the journal of the run: its pieces from one on are replaced by these texts.',
      body: LinesSchema,
      maxBody: MOST_PIECE_BYTES,
      replies: { 200: json(HeardSchema, 'They are durable.') },
      failures: [404, 409, 413],
      idempotent: true,
      async answer(c) {
        const lease = c.req.param('lease_id');
        await leasedRun(db, c.var.principal, lease);
        const { value } = await readBody(c, LinesSchema);
        const row = await store.write(async (tx) => {
          const held = await holdRun(tx, lease, clock.now(), { lost: 0 });
          const more = await putLines(tx, { ...held, pieces: Number(held.pieces) }, value);
          const change = { pieces: value.n + 1, bytes: within(Number(held.bytes) + more) };
          return holdRun(tx, lease, clock.now(), change);
        });
        return c.json({ cancel: Number(row.cancel) === 1 });
      },
    }),
    route('POST /v1/playbooks/claims/:lease_id/renew', {
      ...WORK,
      summary: 'Keep a lease, and hear whether the run is to be cancelled.',
      body: NothingSchema,
      replies: { 200: json(HeardSchema, 'It is held.') },
      failures: [404, 409],
      idempotent: true,
      async answer(c) {
        const lease = c.req.param('lease_id');
        await leasedRun(db, c.var.principal, lease);
        const row = await store.write((tx) => holdRun(tx, lease, clock.now()));
        return c.json({ cancel: Number(row.cancel) === 1 });
      },
    }),
    route('POST /v1/playbooks/claims/:lease_id/end', {
      ...WORK,
      summary: 'Say how the run ended.',
      body: RunEndSchema,
      maxBody: MOST_PIECE_BYTES,
      replies: { 204: { description: 'It is kept, and the lease is over.' } },
      failures: [404, 409, 413],
      idempotent: false,
      async answer(c) {
        const lease = c.req.param('lease_id');
        await leasedRun(db, c.var.principal, lease);
        const { value } = await readBody(c, RunEndSchema);
        await store.write(async (tx) => {
          await holdRun(tx, lease, clock.now());
          const ended = JSON.stringify(value);
          await letGoOfRun(tx, lease, { state: value.state, ended, cancel: 0, lost: 0, updated_at: clock.now() });
        });
        deps.events.emit({ type: 'IngestionChanged' });
        return c.body(null, 204);
      },
    }),
    route('DELETE /v1/playbooks/claims/:lease_id', {
      ...WORK,
      summary: 'Give a run back: another worker goes on from its journal at once.',
      replies: { 204: { description: 'It is free.' } },
      failures: [404, 409],
      idempotent: false,
      async answer(c) {
        const lease = c.req.param('lease_id');
        await leasedRun(db, c.var.principal, lease);
        await store.write((tx) => letGoOfRun(tx, lease));
        deps.events.emit({ type: 'IngestionChanged' });
        return c.body(null, 204);
      },
    }),
  ];

  async function reusedBy(row: PlaybookRunTable): Promise<string> {
    const { reuse } = wishOf(row);
    const found = db
      .selectFrom('playbook_runs')
      .select('id')
      .where('id', '=', reuse ?? '');
    const other = await found.where('user_id', '=', row.user_id).executeTakeFirst();
    // A run that goes on has what it took over in its own journal.
    if (other === undefined && Number(row.pieces) > 0) return '';
    if (other === undefined) throw new HttpError('not_found', 'The run whose units are taken over is gone.');
    return other.id;
  }
}

/** Throws HttpError 413. */
function within(bytes: number): number {
  if (bytes <= MOST_RUN_BYTES_KEPT) return bytes;
  throw new HttpError('too_large', 'The files of this run take more room than all runs of a person may have.');
}

function takenRun(row: PlaybookRunTable): TakenRun {
  const { playbook, config = {}, set = {}, step = {}, domains = [], again = {}, ...more } = wishOf(row);
  const { limits = {}, parallel = null, seed = 1, reuse = null } = more;
  return {
    ...{ lease_id: row.lease_id ?? '', lease_ms: LEASE_MS, id: row.id, name: row.name, pieces: Number(row.pieces) },
    ...{ playbook, config, set, step, domains, again, limits, parallel, seed, reuse },
  };
}
