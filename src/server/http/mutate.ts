/**
 * What every changing route does: read and check the body, run in one transaction, and keep the answer under the
 * `Idempotency-Key` in that same transaction. A request that is sent again is answered from there, whatever
 * happened to the first answer on its way; a key that comes with another request is refused.
 */
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type * as v from 'valibot';
import type { Principal } from '../auth/principal.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import type { Changed } from '../events.ts';
import { upsert } from '../store/rows.ts';
import type { Reader, Tx } from '../store/schema.ts';
import { readBody, readRows, type ReadBody } from './body.ts';
import type { InParts } from './long-parts.ts';
import { HttpError } from './http-error.ts';
import type { Answer, MadeAnswer } from './made-answer.ts';
import { writeAudit, type AuditLine } from '../audit/audit.ts';

/** A changing request, read and known. */
export interface Keyed {
  principal: Principal;
  /** Null when the client sent none. */
  key: string | null;
  /** SHA-256 over method, path and body. */
  request_sha256: string;
}

/** Runs `work` once for each key, and tells what changed. Failures are not kept: the request may be sent again. */
export async function mutate<S extends v.GenericSchema>(
  c: Context<Env>,
  deps: Pick<CatalogDeps, 'store' | 'clock' | 'events'>,
  schema: S,
  changed: Changed,
  work: (tx: Tx, body: v.InferOutput<S>, principal: Principal) => Promise<Answer>,
): Promise<Response> {
  return answerOnce(c, deps, await readBody(c, schema), changed, work);
}

/** The same of a body that may be too large for its rows to be in memory all at once. */
export async function mutateRows<S extends v.GenericSchema>(
  c: Context<Env>,
  deps: Pick<CatalogDeps, 'store' | 'clock' | 'events'>,
  schema: S,
  changed: Changed,
  work: (tx: Tx, body: InParts<v.InferOutput<S>>, principal: Principal) => Promise<Answer>,
): Promise<Response> {
  return answerOnce(c, deps, await readRows(c, schema), changed, work);
}

async function answerOnce<T>(
  c: Context<Env>,
  { store, clock, events }: Pick<CatalogDeps, 'store' | 'clock' | 'events'>,
  { value, request_sha256 }: ReadBody<T>,
  changed: Changed,
  work: (tx: Tx, body: T, principal: Principal) => Promise<Answer>,
): Promise<Response> {
  const request = keyed(c, request_sha256);
  const { answer, replayed } = await mutateOnce(store, request, clock.now(), (tx) =>
    work(tx, value, request.principal),
  );
  events.emit({ type: changed });
  return send(c, answer, replayed);
}

/** Runs `work` in a transaction, once for each key. */
export async function mutateOnce(
  store: Pick<CatalogDeps['store'], 'db' | 'write'>,
  request: Keyed,
  now: number,
  work: (tx: Tx) => Promise<Answer>,
): Promise<MadeAnswer> {
  const kept = await keptAnswer(store.db, request);
  if (kept) return { answer: kept, replayed: true };
  return store.write(async (tx) => {
    const first = await keptAnswer(tx, request);
    if (first) return { answer: first, replayed: true };
    const made = await work(tx);
    await keepAnswer(tx, request, made, now);
    return { answer: made, replayed: false };
  });
}

/** Null where the client sent none. Throws HttpError 400 for one in another form. */
export function idempotencyKey(c: Context<Env>): string | null {
  const key = c.req.header('idempotency-key') ?? null;
  if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new HttpError('invalid', '"Idempotency-Key" must be 1 to 255 printable characters.');
  return key;
}

/** SHA-256 over method, path and what stands for the body, hex. */
export function requestHash(c: Context<Env>, text: string): string {
  return createHash('sha256').update(`${c.req.method} ${c.req.path}\n`).update(text).digest('hex');
}

export function keyed(c: Context<Env>, request_sha256: string): Keyed {
  const key = idempotencyKey(c);
  return { principal: c.get('principal'), key, request_sha256 };
}

/** The answer given before, or null. Throws HttpError 422 when the key was used for another request. */
export async function keptAnswer(db: Reader, request: Keyed): Promise<Answer | null> {
  if (request.key === null) return null;
  const row = await db
    .selectFrom('idempotency')
    .selectAll()
    .where('user_id', '=', request.principal.user_id)
    .where('key', '=', request.key)
    .executeTakeFirst();
  if (!row) return null;
  if (row.request_sha256 !== request.request_sha256)
    throw new HttpError('invalid', 'This Idempotency-Key was used for another request.', { status: 422 });
  // Both were written by `keepAnswer`.
  return { status: row.status as ContentfulStatusCode, body: JSON.parse(row.response) as object };
}

/** Whether something was answered under this key, whatever it was about. */
export async function isUsed(db: Reader, userId: string, key: string | null): Promise<boolean> {
  if (key === null) return false;
  const row = db.selectFrom('idempotency').select('key').where('user_id', '=', userId).where('key', '=', key);
  return (await row.executeTakeFirst()) !== undefined;
}

export async function keepAnswer(tx: Tx, request: Keyed, answer: Answer, now: number): Promise<void> {
  if (request.key === null) return;
  const { principal, key, request_sha256 } = request;
  const { user_id } = principal;
  const made = { status: answer.status, response: JSON.stringify(answer.body), created_at: now };
  // Over one that is true no more (a published file was lost since): the same request was done anew.
  const over = { key: ['user_id', 'key'], columns: ['status', 'response', 'created_at'] } as const;
  await upsert(tx, 'idempotency', [{ user_id, key, request_sha256, ...made }], over);
}

export function send(c: Context, answer: Answer, replayed: boolean): Response {
  if (replayed) c.header('Idempotent-Replayed', 'true');
  return c.json(answer.body, answer.status);
}

/** Kept answers are forgotten after this time, milliseconds: long after any outbox has given up or been emptied. */
const KEEP_MS = 90 * 86_400_000;

export async function forgetOldAnswers(tx: Tx, now: number): Promise<void> {
  await tx
    .deleteFrom('idempotency')
    .where('created_at', '<', now - KEEP_MS)
    .execute();
}

/**
 * A changing route whose work is not of the database: done outside of a transaction, once for each `Idempotency-Key`, its
 * answer and the log's line kept afterwards in one. What is done twice all the same (a crash between the two) is refused
 * or recognised by the work itself.
 */

export interface Done extends Answer {
  audit?: Omit<AuditLine, 'at' | 'user_id'>;
}

/** Keeps the answer in a transaction of the work's own: its last one. */
export type Keep = (tx: Tx, answer: Answer) => Promise<void>;

export async function keyedOnce<S extends v.GenericSchema>(
  c: Context<Env>,
  { store, clock }: Pick<CatalogDeps, 'store' | 'clock'>,
  schema: S,
  work: (body: v.InferOutput<S>, principal: Principal, key: string | null, keep: Keep) => Promise<Done>,
): Promise<Response> {
  const { value, request_sha256 } = await readBody(c, schema);
  const request = keyed(c, request_sha256);
  const { user_id } = request.principal;
  const once = async (): Promise<Response> => {
    const kept = await keptAnswer(store.db, request);
    if (kept) return send(c, kept, true);
    const keep: Keep = (tx, answer) => keepAnswer(tx, request, answer, clock.now());
    const { audit, ...answer } = await work(value, request.principal, request.key, keep);
    const isKept = request.key === null || (await keptAnswer(store.db, request)) !== null;
    if (audit === undefined && isKept) return send(c, answer, false);
    await store.write(async (tx) => {
      if (audit) await writeAudit(tx, { ...audit, user_id, at: clock.now() });
      await keepAnswer(tx, request, answer, clock.now());
    });
    return send(c, answer, false);
  };
  return request.key === null ? once() : store.locks.run(`key ${user_id} ${request.key}`, once);
}
