/** What the editor's routes share: how they are described, and one change with its line in the log. */
import type { Context } from 'hono';
import type * as v from 'valibot';
import { IF_MATCH } from '../api/fields.ts';
import { writeAudit, type AuditAction } from '../audit/audit.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import { mutate } from '../http/mutate.ts';
import type { Tx } from '../store/schema.ts';

export const CREATE = {
  method: 'POST',
  scope: 'EditCatalog',
  tag: 'Catalog',
  failures: [404, 409, 413, 422],
  idempotent: 'key',
} as const;
export const PATCH = {
  method: 'PATCH',
  scope: 'EditCatalog',
  tag: 'Catalog',
  headers: IF_MATCH,
  failures: [404, 409, 412, 413, 422],
  idempotent: true,
} as const;

export type EditDeps = Pick<CatalogDeps, 'store' | 'clock' | 'ids' | 'events'>;

/** Makes changes, each with its line in the log, which has what was asked for; then the pages hear of it. */
export function editing(deps: EditDeps) {
  const { events, clock } = deps;
  return async <S extends v.GenericSchema<unknown, Record<string, unknown>>>(
    c: Context<Env>,
    status: 200 | 201,
    schema: S,
    action: AuditAction,
    work: (tx: Tx, body: v.InferOutput<S>) => Promise<{ id: string }>,
  ): Promise<Response> => {
    const answer = await mutate(c, deps, schema, async (tx, body, by) => {
      const made = await work(tx, body);
      // Long lists would fill the log; who asks for them finds them in the catalog.
      const { tracks: _tracks, seasons: _seasons, episodes: _episodes, ...details }: Record<string, unknown> = body;
      await writeAudit(tx, { at: clock.now(), user_id: by.user_id, action, entity_id: made.id, details });
      return { status, body: made };
    });
    events.emit({ type: 'CatalogChanged' });
    return answer;
  };
}
