import * as v from 'valibot';
import { listOf } from '#core/sync/fields.ts';
import { DownloadRequestSchema, NewDownloadRequestSchema } from '#lanes/music/core/protocol/catalog.ts';
import { json, paged, route, type Route } from '#server/api/route.ts';
import { writeAudit } from '#server/audit/audit.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { HttpError } from '#server/http/http-error.ts';
import { mutate } from '#server/http/mutate.ts';
import { cameAfter, pageOf, readLimit, readPlace } from '#server/http/page.ts';
import { createRequest } from './requests.ts';

/** /v1/download-requests */
export function requestRoutes(deps: Pick<CatalogDeps, 'store' | 'clock' | 'ids' | 'events'>): Route[] {
  return [
    route('GET /v1/download-requests', {
      scope: 'ReadCatalog',
      tag: 'Requests',
      summary: 'What was asked for, oldest first.',
      query: {
        ...paged(100, 500),
        status: { description: 'Those alone.', schema: v.picklist(['pending', 'fulfilled']) },
      },
      replies: { 200: json(listOf(DownloadRequestSchema), 'A page of requests.') },
      async answer(c) {
        const limit = readLimit(c, 100, 500);
        const after = readPlace(c);
        const status = c.req.query('status');
        let query = deps.store.db.selectFrom('download_requests').selectAll();
        if (status === 'pending' || status === 'fulfilled') query = query.where('status', '=', status);
        else if (status !== undefined) throw new HttpError('invalid', '"status" is "pending" or "fulfilled".');
        if (after) query = query.where(cameAfter(after, '>'));
        const rows = await query
          .orderBy('created_at')
          .orderBy('id')
          .limit(limit + 1)
          .execute();
        return c.json(
          pageOf(
            rows,
            limit,
            (row) => [row.created_at, row.id],
            (row) => row,
          ),
        );
      },
    }),
    route('POST /v1/download-requests', {
      scope: 'EditCatalog',
      tag: 'Requests',
      summary: 'Ask for an album or a track.',
      body: NewDownloadRequestSchema,
      replies: { 201: json(DownloadRequestSchema, 'The request.') },
      failures: [404, 409, 422],
      idempotent: 'key',
      answer: (c) =>
        mutate(c, deps, NewDownloadRequestSchema, 'CatalogChanged', async (tx, wanted, principal) => {
          const made = await createRequest(tx, deps, principal.user_id, wanted);
          const line = { at: deps.clock.now(), user_id: principal.user_id, action: 'request.created' } as const;
          await writeAudit(tx, { ...line, entity_id: made.id, details: { ...wanted } });
          return { status: 201, body: made };
        }),
    }),
  ];
}
