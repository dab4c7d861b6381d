/**
 * How the demo's albums are written: `album('Blue Train', 'John Coltrane', 1958, 'Blue Train 10:43 | ...')`.
 * Tracks stand in playing order, parted by `|` or a new line, each with its length as the last word;
 * one text a disc.
 */

export interface DemoTrack {
  title: string;
  /** Only on compilations; otherwise the album's artist. */
  artist: string | null;
  duration_ms: number;
}

export interface DemoAlbum {
  title: string;
  artist: string;
  year: number;
  is_compilation: boolean;
  discs: DemoTrack[][];
}

export const VARIOUS_ARTISTS = 'Various Artists';

/** An album by one artist. Throws a RangeError that names the track when a line is not `title m:ss`. */
export function album(title: string, artist: string, year: number, ...discs: string[]): DemoAlbum {
  return { title, artist, year, is_compilation: false, discs: discs.map((disc) => parseTracks(disc)) };
}

/** An album by several artists; its tracks are written `artist :: title m:ss`. Throws like `album`. */
export function compilation(title: string, year: number, ...discs: string[]): DemoAlbum {
  const credited = discs.map((disc) => parseTracks(disc).map(splitArtist));
  return { title, artist: VARIOUS_ARTISTS, year, is_compilation: true, discs: credited };
}

function parseTracks(disc: string): DemoTrack[] {
  const lines = disc.split(/[|\n]/).map((line) => line.trim());
  return lines.filter((line) => line !== '').map(parseTrack);
}

function parseTrack(line: string): DemoTrack {
  const [, title, minutes, seconds] = /^(.+) (\d+):([0-5]\d)$/.exec(line) ?? [];
  if (title === undefined) throw new RangeError(`A demo track is "title m:ss", not "${line}".`);
  return { title, artist: null, duration_ms: (Number(minutes) * 60 + Number(seconds)) * 1000 };
}

function splitArtist(track: DemoTrack): DemoTrack {
  const [artist, title] = track.title.split(' :: ');
  if (artist === undefined || title === undefined) {
    throw new RangeError(`A track of a compilation is "artist :: title m:ss", not "${track.title}".`);
  }
  return { ...track, artist, title };
}
