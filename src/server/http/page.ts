import type { Context } from 'hono';
import { sql, type RawBuilder } from 'kysely';
import { HttpError } from './http-error.ts';

/** `limit` of the query: 1 to `most`, `usual` when absent. Throws HttpError 400. */
export function readLimit(c: Context, usual: number, most: number): number {
  const text = c.req.query('limit');
  if (text === undefined) return usual;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > most)
    throw new HttpError('invalid', `"limit" must be 1 to ${most}.`);
  return limit;
}

/** The place after which a page begins: the sort key and id of the last row of the page before. */
export type Place = [key: string | number, id: string];

/** Throws HttpError 400 for a cursor that this server did not give. */
export function readPlace(c: Context): Place | null {
  const text = c.req.query('cursor');
  if (text === undefined || text === '') return null;
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (Array.isArray(place) && place.length === 2) {
      const [key, id]: unknown[] = place;
      if ((typeof key === 'string' || typeof key === 'number') && typeof id === 'string') return [key, id];
    }
  } catch {
    // Said below.
  }
  throw new HttpError('invalid', '"cursor" is not one that this server gave.');
}

/** Rows that come after the place in a list by `created_at` and `id`: `>` oldest first, `<` newest first. */
export function cameAfter([at, id]: Place, way: '>' | '<'): RawBuilder<boolean> {
  return sql<boolean>`(created_at, id) ${sql.raw(way)} (${Number(at)}, ${id})`;
}

/** Rows that come after the place in a list by `sort_key` and `id`. @param table where a query has more than one `id` */
export function sortsAfter([key, id]: Place, table?: string): RawBuilder<boolean> {
  const column = sql.ref(table === undefined ? 'id' : `${table}.id`);
  return sql<boolean>`(sort_key, ${column}) > (${String(key)}, ${id})`;
}

/** One page of rows that were read one beyond the limit. */
export function pageOf<R, T>(
  rows: readonly R[],
  limit: number,
  place: (row: R) => Place,
  item: (row: R) => T,
): { items: T[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    items: page.map(item),
    next_cursor: more ? Buffer.from(JSON.stringify(place(last))).toString('base64url') : null,
  };
}
