import type { Context } from 'hono';
import { searchShows } from '#lanes/video/core/search-shows.ts';
import { type Episode, type Season, type Show, type ShowHead, foundEpisodes } from '#lanes/video/core/show-catalog.ts';
import { readPage } from '#server/http/page.ts';
import { ask } from '#server/search/question.ts';
import { chunks, findRows } from '#server/store/rows.ts';
import type { Reader } from '#server/store/schema.ts';
import type { ShowSource } from '#lanes/video/core/agent/video-tools.ts';

export interface ShowTable extends Pick<Show, 'id' | 'title' | 'year'> {
  /** JSON array of other titles. */
  titles: string;
  /** Folded title, the order of lists. */
  sort_key: string;
  version: number;
}

export interface ShowSeasonTable extends Pick<Season, 'number' | 'title'> {
  show_id: string;
}

export interface ShowEpisodeTable extends Episode {
  show_id: string;
  season: number;
}

declare module '#server/store/schema.ts' {
  interface Database {
    shows: ShowTable;
    show_seasons: ShowSeasonTable;
    show_episodes: ShowEpisodeTable;
  }
}

export interface StoredShow extends Show {
  version: number;
}

/** Shows by their ids with seasons and episodes in order; what is not there is left out. */
export async function readShows(db: Reader, ids: readonly string[]): Promise<Map<string, StoredShow>> {
  const found = new Map<string, StoredShow>();
  for (const part of chunks(ids)) {
    for (const row of (await findRows(db, 'shows', part)).values())
      found.set(row.id, { ...titlesOf(row), seasons: [], version: row.version });
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
async function readHeads(db: Reader, rows: readonly ShowTable[]): Promise<ShowHead[]> {
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

/** Shows by title, a page of them. */
export async function listShows(c: Context, db: Reader): Promise<{ items: ShowHead[]; next_cursor: string | null }> {
  const order = { usual: 50, most: 500, by: 'sort_key' } as const;
  const { page, next_cursor } = await readPage(c, db.selectFrom('shows').selectAll(), order);
  return { items: await readHeads(db, page), next_cursor };
}

/** Shows by words, best first: as a workstation finds them offline, from those that have any of the words. */
export async function findShows(db: Reader, words: string, limit: number): Promise<ShowHead[]> {
  const rows = await findRows(db, 'shows', await (await ask(db, words)).candidates('show'));
  return searchShows(await readHeads(db, [...rows.values()]), words, limit).map(({ show }) => show);
}

function titlesOf({ id, title, titles, year }: ShowTable): Pick<Show, 'id' | 'title' | 'titles' | 'year'> {
  // Written by `writeShows` alone.
  return { id, title, titles: JSON.parse(titles) as string[], year };
}

const MOST = 8;

/** The server's catalog of shows, as tools look at it. */
export function catalogShows(db: Reader): ShowSource {
  return {
    find: async (words) => (await findShows(db, words, MOST)).map(({ id, title, year }) => ({ id, title, year })),
    episodes: async (showId, season) => {
      const show = await readShow(db, showId);
      return show === null ? null : foundEpisodes(show, season);
    },
    cursor: () => 'now',
  };
}
