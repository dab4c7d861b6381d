import * as v from 'valibot';
import { listOf } from '#core/sync/fields.ts';
import { AuditEntrySchema, type AuditEntry } from '#core/sync/people.ts';
import { json, paged, route, type Route } from '../api/route.ts';
import type { ServerDeps } from '../lane-server.ts';
import { parse } from '../http/body.ts';
import { pageOf, readLimit, readPlace } from '../http/page.ts';
import { AUDIT_ACTIONS } from './audit.ts';

const IdSchema = v.optional(v.pipe(v.string(), v.maxLength(128)));

/** GET /v1/audit: who did what, newest first. */
export function auditRoutes({ store, lanes }: Pick<ServerDeps, 'store' | 'lanes'>): Route[] {
  const ActionSchema = v.optional(v.picklist([...AUDIT_ACTIONS, ...lanes.flatMap(({ audit }) => audit)]));
  return [
    route('GET /v1/audit', {
      scope: 'Admin',
      tag: 'People',
      summary: 'Who approved, changed, replaced, revoked what; newest first.',
      query: {
        ...paged(50, 500),
        user_id: { description: 'What this person did.', schema: IdSchema },
        action: { description: 'Lines of this kind.', schema: ActionSchema },
        entity_id: { description: 'What was done to this.', schema: IdSchema },
      },
      replies: { 200: json(listOf(AuditEntrySchema), 'A page of lines.') },
      async answer(c) {
        const limit = readLimit(c, 50, 500);
        const after = readPlace(c);
        const user = parse(IdSchema, c.req.query('user_id'), '"user_id"');
        const action = parse(ActionSchema, c.req.query('action'), '"action"');
        const entity = parse(IdSchema, c.req.query('entity_id'), '"entity_id"');
        let query = store.db
          .selectFrom('audit')
          .leftJoin('users', 'users.id', 'audit.user_id')
          .selectAll('audit')
          .select('users.name');
        if (user !== undefined) query = query.where('audit.user_id', '=', user);
        if (action !== undefined) query = query.where('audit.action', '=', action);
        if (entity !== undefined) query = query.where('audit.entity_id', '=', entity);
        if (after) query = query.where('audit.id', '<', after[1]);
        const rows = await query
          .orderBy('audit.id', 'desc')
          .limit(limit + 1)
          .execute();
        const entry = (row: (typeof rows)[number]): AuditEntry => ({
          ...row,
          at: Number(row.at),
          // Written by `writeAudit` alone.
          details: JSON.parse(row.details) as Record<string, unknown>,
        });
        const { page, next_cursor } = pageOf(rows, limit, (row) => [Number(row.at), row.id]);
        return c.json({ items: page.map(entry), next_cursor });
      },
    }),
  ];
}
