import { Hono } from 'hono';
import { NewDownloadRequestSchema } from '#core/sync/protocol.ts';
import { createRequest } from '../catalog/requests.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import { HttpError } from '../http/http-error.ts';
import { mutate } from '../http/mutate.ts';
import { pageOf, readLimit, readPlace } from '../http/page.ts';
import { toRequest } from '../store/records.ts';

/** /v1/download-requests */
export function requestRoutes(deps: Pick<CatalogDeps, 'store' | 'clock' | 'ids' | 'events'>): Hono<Env> {
  const app = new Hono<Env>();

  app.get('/', async (c) => {
    const limit = readLimit(c, 100, 500);
    const after = readPlace(c);
    const status = c.req.query('status');
    let query = deps.store.db.selectFrom('download_requests').selectAll();
    if (status === 'pending' || status === 'fulfilled') query = query.where('status', '=', status);
    else if (status !== undefined) throw new HttpError('invalid', '"status" is "pending" or "fulfilled".');
    if (after) {
      const [at, id] = [Number(after[0]), after[1]];
      query = query.where((eb) =>
        eb.or([eb('created_at', '>', at), eb.and([eb('created_at', '=', at), eb('id', '>', id)])]),
      );
    }
    const rows = await query
      .orderBy('created_at')
      .orderBy('id')
      .limit(limit + 1)
      .execute();
    return c.json(pageOf(rows, limit, (row) => [row.created_at, row.id], toRequest));
  });

  app.post('/', async (c) => {
    const answer = await mutate(c, deps, NewDownloadRequestSchema, async (tx, wanted, principal) => {
      return { status: 201, body: await createRequest(tx, deps, principal.user_id, wanted) };
    });
    deps.events.emit({ type: 'CatalogChanged' });
    return answer;
  });

  return app;
}
