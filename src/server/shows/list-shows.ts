import { searchShows } from '#core/video/search-shows.ts';
import type { ShowHead } from '#core/video/show-catalog.ts';
import { pageOf, type Place } from '../http/page.ts';
import { candidatesOf } from '../search/search.ts';
import type { Reader } from '../store/schema.ts';
import { readHeads } from './read-shows.ts';

/** Shows by title, a page of them. */
export async function listShows(
  db: Reader,
  limit: number,
  after: Place | null,
): Promise<{ items: ShowHead[]; next_cursor: string | null }> {
  let query = db.selectFrom('shows').selectAll();
  if (after !== null) {
    const [key, id] = [String(after[0]), after[1]];
    query = query.where((eb) =>
      eb.or([eb('sort_key', '>', key), eb.and([eb('sort_key', '=', key), eb('id', '>', id)])]),
    );
  }
  const rows = await query
    .orderBy('sort_key')
    .orderBy('id')
    .limit(limit + 1)
    .execute();
  const heads = new Map((await readHeads(db, rows.slice(0, limit))).map((head) => [head.id, head]));
  const { items, next_cursor } = pageOf(
    rows,
    limit,
    (row) => [row.sort_key, row.id],
    (row) => heads.get(row.id),
  );
  return { items: items.filter((head) => head !== undefined), next_cursor };
}

/** Shows by words, best first: as a workstation finds them offline, from those that have any of the words. */
export async function findShows(db: Reader, words: string, limit: number): Promise<ShowHead[]> {
  const ids = await candidatesOf(db, 'show', words);
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('shows').selectAll().where('id', 'in', ids).execute();
  return searchShows(await readHeads(db, rows), words, limit).map(({ show }) => show);
}
