/** What the editors of all lanes share: how their routes are described, and one change with its line in the log. */
import type { Context } from 'hono';
import type * as v from 'valibot';
import { writeAudit, type AuditAction } from '../audit/audit.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import type { Tx } from '../store/schema.ts';
import { versionOfTag } from './kept-answers.ts';
import { mutate } from './mutate.ts';
import { HttpError } from './http-error.ts';

/** Records with a version: sent as ETag, checked by `If-Match`, changed by a patch that names some fields. */

export type Versioned<T> = T & { version: number };

/** The header of a route that honours it. */
const IF_MATCH = { 'If-Match': 'The version that was read, in quotes; another one is 412.' };

/** Throws HttpError 412 when `If-Match` names another version than the row has. Without the header all is well. */
export function checkVersion(ifMatch: string | undefined, row: Versioned<{ id: string }>): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const wanted = ifMatch.split(',').map((tag) => versionOfTag(tag.trim().replace(/^W\//, '').replaceAll('"', '')));
  if (wanted.includes(String(row.version))) return;
  throw new HttpError('conflict', `"${row.id}" was changed by someone else in the meantime.`, {
    status: 412,
    details: { version: row.version },
  });
}

/** An answer with its row's version as ETag, for `If-Match`. */
export function tagged<T extends object>(c: Context<Env>, body: Versioned<T>): Response {
  c.header('ETag', `"${body.version}"`);
  return c.json(body);
}

/** The fields that a patch names, without those it leaves out. */
export function given<T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const named = Object.entries(patch).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

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
