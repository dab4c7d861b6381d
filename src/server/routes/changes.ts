import type { Context } from 'hono';
import * as v from 'valibot';
import { ChangesPageSchema, type ChangesPage } from '#core/sync/protocol.ts';
import { ShowChangesPageSchema, type ShowChangesPage } from '#core/sync/shows.ts';
import { json } from '../api/fields.ts';
import { route, type Field, type Route } from '../api/route.ts';
import type { CatalogDeps, Env } from '../deps.ts';
import { HttpError } from '../http/http-error.ts';
import { readLimit } from '../http/page.ts';
import { feedCursor, feedPosition, readChanges, readShowChanges } from '../store/feed.ts';
import type { Reader } from '../store/schema.ts';
import { CATALOG_ID, readMeta } from '../store/store.ts';

/**
 * GET /v1/catalog/changes: the music's feed for the replicas, and GET /v1/catalog/changes/shows: that of the shows.
 * 410 for a cursor of another or an older database.
 */
export function changesRoutes({ store }: Pick<CatalogDeps, 'store'>): Route[] {
  return [
    route(
      {
        ...FEED,
        path: '/v1/catalog/changes',
        summary: 'The change feed: what was put or deleted since a cursor.',
        query: feedQuery(1000, 5000),
        replies: { 200: json(ChangesPageSchema, 'A page of changes.') },
      },
      async (c) => c.json((await feedPage(c, store.db, readLimit(c, 1000, 5000), readChanges)) satisfies ChangesPage),
    ),
    route(
      {
        ...FEED,
        path: '/v1/catalog/changes/shows',
        summary: 'The change feed of the shows, each with its seasons and episodes. Its cursors are its own.',
        query: feedQuery(100, 500),
        replies: { 200: json(ShowChangesPageSchema, 'A page of changes.') },
      },
      async (c) =>
        c.json((await feedPage(c, store.db, readLimit(c, 100, 500), readShowChanges)) satisfies ShowChangesPage),
    ),
  ];
}

const FEED = {
  method: 'GET',
  scope: 'ReadCatalog',
  tag: 'Catalog',
  description: 'Store `next_cursor` and ask again while `more` is true; later, ask from there.',
  failures: [410],
  idempotent: true,
} as const;

const feedQuery = (usual: number, most: number): Record<string, Field> => ({
  limit: { description: `Changes of a page, 1 to ${most}; ${usual} when absent.`, schema: v.number() },
  cursor: {
    description: '`next_cursor` of the page before; from the beginning when absent.',
    schema: v.string(),
  },
});

async function feedPage<T>(
  c: Context<Env>,
  db: Reader,
  limit: number,
  read: (db: Reader, after: number, limit: number) => Promise<{ items: T[]; last: number; more: boolean }>,
) {
  const catalog_id = (await readMeta(db, CATALOG_ID)) ?? '';
  const after = await readCursor(db, c.req.query('cursor') ?? '', catalog_id.slice(0, 8));
  const { items, last, more } = await read(db, after, limit);
  return { items, next_cursor: feedCursor(catalog_id, last), more, catalog_id };
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
