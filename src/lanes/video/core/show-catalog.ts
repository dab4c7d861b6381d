/** A show as the catalog knows it; every part optional, for a folder is recognised without any catalog too. */
export interface Show {
  id: string;
  title: string;
  /** Other titles, of any language. */
  titles: string[];
  year: number | null;
  /** Season 0 holds the specials. */
  seasons: Season[];
}

export interface Season {
  number: number;
  title: string | null;
  /** Ascending by number. */
  episodes: Episode[];
}

export interface Episode {
  number: number;
  title: string | null;
  /** ISO 8601 day. */
  air_date: string | null;
  /** Counted over all seasons; null where the catalog does not say (it is then counted). */
  absolute: number | null;
}

/** A show without its episodes: what lists and searches go through. */
export interface ShowHead {
  id: string;
  title: string;
  titles: string[];
  year: number | null;
  /** How many seasons and episodes it has; specials (season 0) do not count. */
  seasons: number;
  episodes: number;
}

/** What a list shows of a show. */
export function headOf({ id, title, titles, year, seasons }: Show): ShowHead {
  const counted = seasons.filter((season) => season.number > 0);
  const episodes = counted.reduce((sum, season) => sum + season.episodes.length, 0);
  return { id, title, titles, year, seasons: counted.length, episodes };
}

/** Seasons and episodes in order, other titles each once and none that is the title itself. */
export function inOrder(show: Show): Show {
  const byNumber = (a: { number: number }, b: { number: number }): number => a.number - b.number;
  return {
    ...show,
    titles: [...new Set(show.titles)].filter((title) => title !== show.title),
    seasons: show.seasons.map((season) => ({ ...season, episodes: season.episodes.toSorted(byNumber) })).sort(byNumber),
  };
}

/** A show as it is found by its title. */
export interface FoundShow {
  id: string;
  title: string;
  year: number | null;
}

/** Episodes of one show in one list. */
export interface FoundEpisodes {
  show: FoundShow;
  /** `air_date`: ISO 8601 day. */
  episodes: {
    season: number;
    episode: number;
    title: string | null;
    air_date: string | null;
    absolute: number | null;
  }[];
}

/** Of one season, or of all. */
export function foundEpisodes({ id, title, year, seasons }: Show, season: number | null): FoundEpisodes {
  const wanted = seasons.filter(({ number }) => season === null || number === season);
  const episodes = wanted.flatMap(({ number, episodes: of }) =>
    of.map(({ number: episode, title: called, air_date, absolute }) => ({
      season: number,
      episode,
      title: called,
      air_date,
      absolute,
    })),
  );
  return { show: { id, title, year }, episodes };
}

export interface CountedEpisode {
  season: number;
  episode: number;
  /** As the catalog says it, else counted. Null for specials that the catalog gives none, and for an episode 0. */
  absolute: number | null;
}

/**
 * The absolute number of every episode, in order of seasons and episodes. What the catalog says counts; the rest goes on
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
