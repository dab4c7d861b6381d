import type { Show, ShowHead } from '#core/video/show-catalog.ts';
import { chunks } from '../store/chunks.ts';
import type { Reader, ShowTable } from '../store/schema.ts';

export interface StoredShow extends Show {
  version: number;
}

/** Shows by their ids with seasons and episodes in order; what is not there is left out. */
export async function readShows(db: Reader, ids: readonly string[]): Promise<Map<string, StoredShow>> {
  const found = new Map<string, StoredShow>();
  for (const part of chunks(ids)) {
    const rows = await db.selectFrom('shows').selectAll().where('id', 'in', part).execute();
    for (const row of rows) found.set(row.id, { ...titlesOf(row), seasons: [], version: row.version });
    const seasons = await db
      .selectFrom('show_seasons')
      .selectAll()
      .where('show_id', 'in', part)
      .orderBy('number')
      .execute();
    for (const { show_id, number, title } of seasons) found.get(show_id)?.seasons.push({ number, title, episodes: [] });
    const episodes = db.selectFrom('show_episodes').selectAll().where('show_id', 'in', part);
    for (const { show_id, season, ...episode } of await episodes.orderBy('number').execute())
      found
        .get(show_id)
        ?.seasons.find(({ number }) => number === season)
        ?.episodes.push(episode);
  }
  return found;
}

/** A show with its seasons and episodes, or null. */
export async function readShow(db: Reader, id: string): Promise<StoredShow | null> {
  return (await readShows(db, [id])).get(id) ?? null;
}

/** What a list says of these rows, in their order. */
export async function readHeads(db: Reader, rows: readonly ShowTable[]): Promise<ShowHead[]> {
  const counts = new Map<string, { seasons: number; episodes: number }>();
  for (const part of chunks(rows.map(({ id }) => id))) {
    const counted = db
      .selectFrom('show_seasons')
      .leftJoin('show_episodes', (join) =>
        join
          .onRef('show_episodes.show_id', '=', 'show_seasons.show_id')
          .onRef('show_episodes.season', '=', 'show_seasons.number'),
      )
      .select((eb) => [
        'show_seasons.show_id',
        eb.fn.count<number>('show_seasons.number').distinct().as('seasons'),
        eb.fn.count<number>('show_episodes.number').as('episodes'),
      ])
      .where('show_seasons.show_id', 'in', part)
      .where('show_seasons.number', '>', 0)
      .groupBy('show_seasons.show_id');
    for (const { show_id, seasons, episodes } of await counted.execute())
      counts.set(show_id, { seasons: Number(seasons), episodes: Number(episodes) });
  }
  return rows.map((row) => ({ ...titlesOf(row), ...(counts.get(row.id) ?? { seasons: 0, episodes: 0 }) }));
}

function titlesOf({ id, title, titles, year }: ShowTable): Pick<Show, 'id' | 'title' | 'titles' | 'year'> {
  // Written by `writeShows` alone.
  return { id, title, titles: JSON.parse(titles) as string[], year };
}
