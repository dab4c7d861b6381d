import * as v from 'valibot';
import { ChangesPageSchema, type ChangesPage } from '#core/sync/protocol.ts';
import { json } from '../api/fields.ts';
import { route, type Route } from '../api/route.ts';
import type { CatalogDeps } from '../deps.ts';
import { HttpError } from '../http/http-error.ts';
import { readLimit } from '../http/page.ts';
import { feedCursor, feedPosition, readChanges } from '../store/feed.ts';
import type { Reader } from '../store/schema.ts';
import { CATALOG_ID, readMeta } from '../store/store.ts';

/** GET /v1/catalog/changes: the feed for the replicas. 410 for a cursor of another or an older database. */
export function changesRoutes({ store }: Pick<CatalogDeps, 'store'>): Route[] {
  return [
    route(
      {
        method: 'GET',
        path: '/v1/catalog/changes',
        scope: 'ReadCatalog',
        tag: 'Catalog',
        summary: 'The change feed: what was put or deleted since a cursor.',
        description: 'Store `next_cursor` and ask again while `more` is true; later, ask from there.',
        query: {
          limit: { description: 'Changes of a page, 1 to 5000; 1000 when absent.', schema: v.number() },
          cursor: {
            description: '`next_cursor` of the page before; from the beginning when absent.',
            schema: v.string(),
          },
        },
        replies: { 200: json(ChangesPageSchema, 'A page of changes.') },
        failures: [410],
        idempotent: true,
      },
      async (c) => {
        const limit = readLimit(c, 1000, 5000);
        const catalog_id = (await readMeta(store.db, CATALOG_ID)) ?? '';
        const mark = catalog_id.slice(0, 8);
        const after = await readCursor(store.db, c.req.query('cursor') ?? '', mark);
        const { items, last, more } = await readChanges(store.db, after, limit);
        const page: ChangesPage = { items, next_cursor: feedCursor(catalog_id, last), more, catalog_id };
        return c.json(page);
      },
    ),
  ];
}

/** The sequence number of a cursor (`feedCursor`). */
async function readCursor(db: Reader, cursor: string, mark: string): Promise<number> {
  if (cursor === '') return 0;
  const [, of, seq] = /^(\w{1,8})\.(\d{1,15})$/.exec(cursor) ?? [];
  if (of === undefined || seq === undefined)
    throw new HttpError('invalid', '"cursor" is not one that this server gave.');
  const after = Number(seq);
  // A database that was put back from a copy has not reached this cursor yet: what follows would be missed.
  if (of === mark && after <= (await feedPosition(db))) return after;
  throw new HttpError('not_found', 'This cursor belongs to another catalog; begin without one.', { status: 410 });
}
