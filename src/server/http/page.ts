import type { Context } from 'hono';
import { sql, type SelectQueryBuilder } from 'kysely';
import * as v from 'valibot';
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
const PlaceSchema = v.pipe(v.string(), v.parseJson(), v.tuple([v.union([v.string(), v.number()]), v.string()]));
export type Place = v.InferOutput<typeof PlaceSchema>;

/** Throws HttpError 400 for a cursor that this server did not give. */
export function readPlace(c: Context): Place | null {
  const text = c.req.query('cursor');
  if (text === undefined || text === '') return null;
  const place = v.safeParse(PlaceSchema, Buffer.from(text, 'base64url').toString('utf8'));
  if (place.success) return place.output;
  throw new HttpError('invalid', '"cursor" is not one that this server gave.');
}

/** One page of rows that were read one beyond the limit, and where the next one begins. */
export function pageOf<R>(rows: readonly R[], limit: number, place: (row: R) => Place) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { page, next_cursor: more ? Buffer.from(JSON.stringify(place(last))).toString('base64url') : null };
}

interface Order<By> {
  /** Rows of a page. */
  usual: number;
  most: number;
  by: By;
  /** `desc`: newest first. */
  way?: 'asc' | 'desc';
  /** How the query calls the column, where it has more than one `id`. */
  id?: string;
}

/** The page that a request wants of a list, by a column and then by `id`. Throws HttpError 400. */
export async function readPage<
  DB,
  TB extends keyof DB,
  By extends 'created_at' | 'sort_key',
  R extends Record<By, string | number> & { id: string },
>(c: Context, list: SelectQueryBuilder<DB, TB, R>, { usual, most, by, way = 'asc', id = 'id' }: Order<By>) {
  const limit = readLimit(c, usual, most);
  const after = readPlace(c);
  const [column, last] = [sql.ref(by), sql.ref(id)];
  let query = list.orderBy(column, way).orderBy(last, way);
  if (after !== null) {
    const key = by === 'sort_key' ? String(after[0]) : Number(after[0]);
    query = query.where(sql<boolean>`(${column}, ${last}) ${sql.raw(way === 'asc' ? '>' : '<')} (${key}, ${after[1]})`);
  }
  return pageOf(await query.limit(limit + 1).execute(), limit, (row) => [row[by], row.id]);
}
