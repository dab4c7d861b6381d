/** What a file's name (or path) alone says of a video. */
export interface NameReading {
  /** `extra`: a sample, opening, trailer, featurette or other bonus; never an episode. `unknown`: nothing can be said. */
  type: 'episode' | 'movie' | 'extra' | 'unknown';
  title: string | null;
  /** A list where the name says several (a pack of seasons). 0: specials. */
  season: number | number[] | null;
  /** Within the season, ascending. */
  episodes: number[];
  /** Counted over all seasons (anime, daily soaps), ascending; may be fractional (26.5: a recap). */
  absolute: number[];
  year: number | null;
  /** ISO 8601 day of an air date; null where none is said. */
  date: string | null;
  /** The other days that an ambiguous date can be (01.02.03); a catalog settles it. */
  dates: string[];
  /** Part of an episode that is split over files: 1, 2, ... */
  part: number | null;
  episode_title: string | null;
  /** Of the release: v2 is 2. */
  version: number | null;
  /** What kind of special or extra: `OVA`, `NCOP`, `sample`, `trailer`, ...; null otherwise. */
  special: string | null;
  /** 0..1: how sure the name is by itself. */
  confidence: number;
  /** One short sentence each, for a person. */
  reasons: string[];
}

/** What a name says that says nothing. */
export const NOTHING_READ: NameReading = {
  type: 'unknown',
  title: null,
  season: null,
  episodes: [],
  absolute: [],
  year: null,
  date: null,
  dates: [],
  part: null,
  episode_title: null,
  version: null,
  special: null,
  confidence: 0,
  reasons: [],
};
