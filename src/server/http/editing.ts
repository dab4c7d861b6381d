/** What the editors of all lanes share: how their routes are described, and one change with its line in the log. */
import type { Context } from 'hono';
import type * as v from 'valibot';
import { writeAudit, type AuditAction } from '../audit/audit.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import type { Tx } from '../store/schema.ts';
import { mutate } from './mutate.ts';
import { IF_MATCH } from './versions.ts';

const EDIT = { scope: 'EditCatalog', tag: 'Catalog' } as const;
export const CREATE = { ...EDIT, failures: [404, 409, 413, 422], idempotent: 'key' } as const;
export const PATCH = { ...EDIT, headers: IF_MATCH, failures: [404, 409, 412, 413, 422], idempotent: true } as const;
export const DELETE = { ...EDIT, headers: IF_MATCH, failures: [404, 412], idempotent: true } as const;

export type EditDeps = Pick<CatalogDeps, 'store' | 'clock' | 'ids' | 'events'>;

/**
 * Makes changes, each with its line in the log, which has what was asked for; then the pages are notified.
 * @param lists fields of a body that would fill the log: who asks for them finds them in the catalog
 */
export function editing(deps: EditDeps, lists: readonly string[]) {
  const { store, events, clock } = deps;
  return {
    edited<S extends v.GenericSchema<unknown, Record<string, unknown>>>(
      c: Context<Env>,
      status: 200 | 201,
      schema: S,
      action: AuditAction,
      work: (tx: Tx, body: v.InferOutput<S>) => Promise<{ id: string }>,
    ): Promise<Response> {
      return mutate(c, deps, schema, 'CatalogChanged', async (tx, body, { user_id }) => {
        const made = await work(tx, body);
        const details = Object.fromEntries(Object.entries(body).filter(([name]) => !lists.includes(name)));
        await writeAudit(tx, { at: clock.now(), user_id, action, entity_id: made.id, details });
        return { status, body: made };
      });
    },

    /** A change without a body. */
    async removed<T extends { id: string }>(
      c: Context<Env>,
      action: AuditAction,
      work: (tx: Tx) => Promise<T>,
    ): Promise<T> {
      const { user_id } = c.var.principal;
      const done = await store.write(async (tx) => {
        const made = await work(tx);
        const details = { removed: c.req.path };
        await writeAudit(tx, { at: clock.now(), user_id, action, entity_id: made.id, details });
        return made;
      });
      events.emit({ type: 'CatalogChanged' });
      return done;
    },
  };
}
