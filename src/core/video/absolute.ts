import type { Show } from './show-catalog.ts';

export interface CountedEpisode {
  season: number;
  episode: number;
  /** As the catalog says it, else counted. Null for specials that the catalog gives none, and for an episode 0. */
  absolute: number | null;
}

/**
 * The absolute number of every episode, in order of seasons and episodes. What the catalog says stands; the rest goes on
 * from the episode before it. A number that is missing in the catalog is left out in the count, too, and a season whose
 * numbers go on from the season before (S2 begins with E13) keeps its own.
 */
export function absoluteNumbers(show: Pick<Show, 'seasons'>): CountedEpisode[] {
  const seasons = show.seasons.toSorted((a, b) => a.number - b.number);
  const counted: CountedEpisode[] = [];
  let last = 0;
  for (const season of seasons) {
    let before: { episode: number; absolute: number } | null = null;
    for (const { number: episode, absolute: said } of season.episodes.toSorted((a, b) => a.number - b.number)) {
      const absolute: number | null =
        said ?? (season.number === 0 || episode === 0 ? null : following(episode, before, last));
      counted.push({ season: season.number, episode, absolute });
      // A special's number says nothing about the episodes.
      if (absolute === null || season.number === 0) continue;
      before = { episode, absolute };
      last = absolute;
    }
  }
  return counted;
}

/** @param before of the same season @param last the absolute number of the episode before, of whatever season */
function following(episode: number, before: { episode: number; absolute: number } | null, last: number): number {
  if (before !== null) return before.absolute + episode - before.episode;
  return episode > last ? episode : last + episode;
}
