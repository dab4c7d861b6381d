import type { Context } from 'hono';
import * as v from 'valibot';
import { json, route, type Route } from '../api/route.ts';
import type { Env } from '../deps.ts';
import type { ServerDeps } from '../lane-server.ts';
import { HttpError } from '../http/http-error.ts';
import { readLimit } from '../http/page.ts';
import { feedCursor, readChanges, readFeedCursor } from '../store/feed.ts';
import type { Reader } from '../store/schema.ts';
import { CATALOG_ID, readMeta } from '../store/store.ts';

/** GET /v1/catalog/changes and what is below it: the lanes' feeds. 410 for a cursor of another or an older database. */
export function changesRoutes({ store, lanes }: Pick<ServerDeps, 'store' | 'lanes'>): Route[] {
  const feeds = lanes.flatMap((lane) => lane.feeds);
  return feeds.map((feed) => {
    const { usual, most } = feed.limit;
    const others = feeds.filter((other) => other !== feed).flatMap(({ kinds }) => kinds);
    return route(`GET ${feed.path}`, {
      scope: feed.scope ?? 'ReadCatalog',
      tag: 'Catalog',
      summary: feed.summary,
      description: 'Store `next_cursor` and ask again while `more` is true; later, ask from there.',
      query: {
        limit: { description: `Changes of a page, 1 to ${most}; ${usual} when absent.`, schema: v.number() },
        cursor: {
          description: '`next_cursor` of the page before; from the beginning when absent.',
          schema: v.string(),
        },
      },
      replies: { 200: json(feed.page, 'A page of changes.') },
      failures: [410],
      async answer(c) {
        const limit = readLimit(c, usual, most);
        const catalog_id = (await readMeta(store.db, CATALOG_ID)) ?? '';
        const after = await readCursor(store.db, c, catalog_id);
        const { items, last, more } = await readChanges(store.db, feed, others, after, limit);
        return c.json({ items, next_cursor: await feedCursor(store.db, catalog_id, last), more, catalog_id });
      },
    });
  });
}

/** The sequence number of a cursor. Throws HttpError 400, or 410 for one that this history never gave. */
async function readCursor(db: Reader, c: Context<Env>, catalogId: string): Promise<number> {
  const cursor = c.req.query('cursor') ?? '';
  if (cursor === '') return 0;
  const after = await readFeedCursor(db, catalogId, cursor);
  if (after === undefined) throw new HttpError('invalid', '"cursor" is not one that this server gave.');
  if (after !== null) return after;
  // A database that was put back: what it lost would stay in the copy, and what it has since would be missed.
  throw new HttpError('not_found', 'This cursor belongs to another catalog; begin without one.', { status: 410 });
}
