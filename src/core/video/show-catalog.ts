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
