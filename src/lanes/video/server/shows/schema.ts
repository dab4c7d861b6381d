/** The tables of shows. */

export interface ShowTable {
  id: string;
  title: string;
  /** JSON array of other titles. */
  titles: string;
  year: number | null;
  /** Folded title, the order of lists. */
  sort_key: string;
  version: number;
}

/** 0: the specials. */
export interface ShowSeasonTable {
  show_id: string;
  number: number;
  title: string | null;
}

export interface ShowEpisodeTable {
  show_id: string;
  season: number;
  number: number;
  title: string | null;
  /** ISO 8601 day. */
  air_date: string | null;
  absolute: number | null;
}

declare module '#server/store/schema.ts' {
  interface Database {
    shows: ShowTable;
    show_seasons: ShowSeasonTable;
    show_episodes: ShowEpisodeTable;
  }
}
