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
