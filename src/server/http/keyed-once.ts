/**
 * A changing route whose work is not of the database: done outside of a transaction, once for each `Idempotency-Key`, its
 * answer and the log's line kept afterwards in one. What is done twice all the same (a crash between the two) is refused
 * or recognised by the work itself.
 */
import type { Context } from 'hono';
import type * as v from 'valibot';
import { writeAudit, type AuditLine } from '../audit/audit.ts';
import type { Principal } from '../auth/principal.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import { readBody } from './body.ts';
import { keepAnswer, keptAnswer, keyed, send, type Answer } from './mutate.ts';

export interface Done extends Answer {
  audit?: Omit<AuditLine, 'at' | 'user_id'>;
}

export async function keyedOnce<S extends v.GenericSchema>(
  c: Context<Env>,
  { store, clock }: Pick<CatalogDeps, 'store' | 'clock'>,
  schema: S,
  work: (body: v.InferOutput<S>, principal: Principal, key: string | null) => Promise<Done>,
): Promise<Response> {
  const { text, value } = await readBody(c, schema);
  const request = keyed(c, text);
  const { user_id } = request.principal;
  const once = async (): Promise<Response> => {
    const kept = await keptAnswer(store.db, request);
    if (kept) return send(c, kept, true);
    const { audit, ...answer } = await work(value, request.principal, request.key);
    await store.write(async (tx) => {
      if (audit) await writeAudit(tx, { ...audit, user_id, at: clock.now() });
      await keepAnswer(tx, request, answer, clock.now());
    });
    return send(c, answer, false);
  };
  return request.key === null ? once() : store.locks.run(`key ${user_id} ${request.key}`, once);
}
