import type { ShowSource } from '#lanes/video/core/agent/video-tools.ts';
import { foundEpisodes } from '#lanes/video/core/show-catalog.ts';
import type { Reader } from '#server/store/schema.ts';
import { findShows, readShow } from './shows/read-shows.ts';

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
