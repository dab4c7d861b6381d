import type { FoundEpisode, ShowSource } from '#core/plan/tools/context.ts';
import { findShows } from '../shows/list-shows.ts';
import { readShow } from '../shows/read-shows.ts';
import type { Reader } from '../store/schema.ts';

const MOST = 8;

/** The server's catalog of shows, as tools look at it. */
export function catalogShows(db: Reader): ShowSource {
  return {
    find: async (words) => (await findShows(db, words, MOST)).map(({ id, title, year }) => ({ id, title, year })),
    episodes: async (showId, season) => {
      const show = await readShow(db, showId);
      if (show === null) return null;
      const episodes = show.seasons
        .filter(({ number }) => season === null || number === season)
        .flatMap(({ number, episodes: of }) =>
          of.map(({ number: episode, title, air_date, absolute }): FoundEpisode => {
            return { season: number, episode, title, air_date, absolute };
          }),
        );
      return { show: { id: show.id, title: show.title, year: show.year }, episodes };
    },
    cursor: () => 'now',
  };
}
