/**
 * A large catalog file is checked whole and then written in pieces, each a transaction of its own, so that everybody else
 * reads and writes meanwhile. A row of `catalog_imports` says how far it is, and is gone with its end: after a kill the
 * same file sent again goes on, since what is there already is passed over.
 *
 *   check (nothing is written) -> begin -> piece* -> end
 *                                    cancelled: the next piece says so, and what was written stays
 */
import { createHash } from 'node:crypto';
import type { Clock } from '#core/ports.ts';
import type { ImportResult } from '#core/sync/fields.ts';
import { writeAudit } from '../audit/audit.ts';
import { HttpError } from '../http/http-error.ts';
import type { MadeAnswer } from '../http/made-answer.ts';
import { keepAnswer, keptAnswer, type Keyed } from '../http/mutate.ts';
import type { CatalogImportTable, Reader, Tx } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import {
  listsOfFile,
  type CatalogFile,
  type LaneImport,
  type PieceDone,
  type PreparedImport,
  type WritePiece,
} from './import-file.ts';

/** Rows of a file from which on it is written in pieces; fewer are written in one transaction in a moment. */
export const MANY_ROWS = 2000;

/** How many rows a file has, all lists together. */
export const rowsIn = (file: CatalogFile): number =>
  Object.values(file).reduce((sum, rows) => sum + (rows?.length ?? 0), 0);

export interface ImportInPieces {
  request: Keyed;
  clock: Pick<Clock, 'now'>;
  /** What else the log's line says. */
  details?: Record<string, unknown>;
}

/**
 * Imports the file. The answer counts what all runs of the same request did, so that one that was killed and sent again
 * is answered as one that was not.
 * Throws HttpError 422 `invalid` or 409 `conflict` that names the bad rows, before anything is written.
 */
export async function importInPieces(
  store: Pick<Store, 'db' | 'write'>,
  imports: readonly LaneImport[],
  file: CatalogFile,
  { request, clock, details = {} }: ImportInPieces,
): Promise<MadeAnswer> {
  const kept = await keptAnswer(store.db, request);
  if (kept !== null) return { answer: kept, replayed: true };
  const wanted = imports.flatMap((lane) => listsOfFile(lane, file) ?? []);
  const ready: PreparedImport[] = [];
  for (const { lane, lists } of wanted) if (lane.prepare) ready.push(await lane.prepare(store.db, lists));
  const id = idOf(request);
  const { user_id } = request.principal;
  const line = { user_id, action: 'catalog.imported', entity_id: 'catalog' } as const;
  const rows = rowsIn(file);
  const result: ImportResult = {};
  await store.write(async (tx) => {
    const at = clock.now();
    await begin(tx, { id, user_id, begun_at: at, at, rows, done: 0, counts: '{}', cancelled_by: null });
    await writeAudit(tx, { ...line, at, details: { ...details, begun: rows } });
    // Lists of lanes that are small: all of them or, with a bad row named, nothing at all.
    for (const { lane, lists } of wanted) if (!lane.prepare) Object.assign(result, await lane.run(tx, lists));
  });
  const piece: WritePiece = (work) =>
    store.write(async (tx) => {
      const before = await underWay(tx, id);
      if (before?.cancelled_by != null) throw cancelled(before);
      const { rows: done, made } = await work(tx);
      const counts = JSON.stringify(sum(countsOf(before), made));
      await tx.updateTable('catalog_imports').set({ done, counts, at: clock.now() }).where('id', '=', id).execute();
    });
  const own: ImportResult = {};
  for (const one of ready) Object.assign(own, await one.write(piece));
  return store.write(async (tx) => {
    const first = await keptAnswer(tx, request);
    if (first !== null) return { answer: first, replayed: true };
    Object.assign(result, ofAllRuns(own, countsOf(await underWay(tx, id))));
    await tx.deleteFrom('catalog_imports').where('id', '=', id).execute();
    await writeAudit(tx, { ...line, at: clock.now(), details: { ...result, ...details } });
    const answer = { status: 200, body: result } as const;
    await keepAnswer(tx, request, answer, clock.now());
    return { answer, replayed: false };
  });
}

/** The same request of the same person has the same. */
function idOf({ principal, request_sha256 }: Keyed): string {
  return createHash('sha256').update(`${principal.user_id}\n${request_sha256}`).digest('hex').slice(0, 32);
}

/** Goes on with one that ended early: its counts stay, and nobody has cancelled it any more. */
async function begin(tx: Tx, row: CatalogImportTable): Promise<void> {
  await tx
    .insertInto('catalog_imports')
    .values(row)
    .onConflict((c) => c.column('id').doUpdateSet({ at: row.at, rows: row.rows, done: 0, cancelled_by: null }))
    .execute();
}

const underWay = (db: Reader, id: string): Promise<CatalogImportTable | undefined> =>
  db.selectFrom('catalog_imports').selectAll().where('id', '=', id).executeTakeFirst();

function cancelled({ done, rows, cancelled_by }: CatalogImportTable): HttpError {
  const by = cancelled_by ?? '';
  return new HttpError('cancelled', `The import was ended by "${by}" after ${Number(done)} of ${Number(rows)} rows.`, {
    remedy: 'What was written stays. Send the same file again to go on.',
  });
}

type Made = PieceDone['made'];

/** Written by `importInPieces` alone. */
const countsOf = (row: CatalogImportTable | undefined): Made =>
  row === undefined ? {} : (JSON.parse(row.counts) as Made);

function sum(before: Made, more: Made): Made {
  const all: Record<string, Made[string]> = { ...before };
  for (const [list, { created, updated }] of Object.entries(more)) {
    const was = all[list] ?? { created: 0, updated: 0 };
    all[list] = { created: was.created + created, updated: was.updated + updated };
  }
  return all;
}

/** What an earlier run made is nothing new to the last one; the numbers of a list are all of its rows. */
function ofAllRuns(last: ImportResult, all: Made): ImportResult {
  const entries = Object.entries(last).map(([list, own]) => {
    const { created, updated } = all[list] ?? own;
    const rows = own.created + own.updated + own.unchanged;
    return [list, { created, updated, unchanged: Math.max(0, rows - created - updated) }] as const;
  });
  return Object.fromEntries(entries);
}

/** Imports that began and did not end, newest first: under way, or stopped (`at` stands still) until they are sent again. */
export async function importsUnderWay(db: Reader): Promise<CatalogImportTable[]> {
  const rows = await db.selectFrom('catalog_imports').selectAll().orderBy('begun_at', 'desc').orderBy('id').execute();
  return rows.map((row) => ({
    ...row,
    ...{ begun_at: Number(row.begun_at), at: Number(row.at), rows: Number(row.rows), done: Number(row.done) },
  }));
}

/** Has the import end before its next piece. False where there is none of this id. */
export async function cancelImport(tx: Tx, id: string, by: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('catalog_imports')
    .set({ cancelled_by: by })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
