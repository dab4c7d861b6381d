import type { FoundEpisode, ShowSource } from '#core/plan/tools/context.ts';
import type { AccessionDb } from '../db.ts';
import { readShowState } from '../meta.ts';
import { findShows, showById } from '../shows.ts';

const MOST = 8;

/** The offline copy of the shows, as tools look at it. */
export async function replicaShows(db: AccessionDb): Promise<ShowSource> {
  const { cursor } = await readShowState(db);
  return {
    find: async (words) =>
      (await findShows(db, words, MOST)).map(({ show: { id, title, year } }) => ({ id, title, year })),
    episodes: async (showId, season) => {
      const show = await showById(db, showId);
      if (show === null) return null;
      const { id, title, year, seasons } = show;
      const wanted = seasons.filter(({ number }) => season === null || number === season);
      const episodes = wanted.flatMap(({ number, episodes: of }) =>
        of.map((one): FoundEpisode => {
          const { number: episode, title: called, air_date, absolute } = one;
          return { season: number, episode, title: called, air_date, absolute };
        }),
      );
      return { show: { id, title, year }, episodes };
    },
    cursor: () => cursor ?? 'none',
  };
}
