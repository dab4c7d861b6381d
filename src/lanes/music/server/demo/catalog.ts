/**
 * The catalog that the first start loads (unless ACCESSION_DEMO=0): well-known albums, so that a
 * newcomer can try the whole path at once. Facts only, lengths to the second, ids readable and the
 * same on every machine.
 */
import { slugify } from 'transliteration';
import type { Artist, CatalogFile } from '#lanes/music/core/catalog.ts';
import { ALBUMS } from './albums.ts';

/**
 * How the demo's albums are written: `album('Blue Train', 'John Coltrane', 1958, 'Blue Train 10:43 | ...')`.
 * Tracks are in playing order, parted by `|` or a new line, each with its length as the last word;
 * one text a disc.
 */
interface DemoTrack {
  title: string;
  /** Only on compilations; otherwise the album's artist. */
  artist: string | null;
  duration_ms: number;
}

interface DemoAlbum {
  title: string;
  artist: string;
  year: number;
  is_compilation: boolean;
  discs: DemoTrack[][];
}

const VARIOUS_ARTISTS = 'Various Artists';

/** An album by one artist. Throws a RangeError that names the track when a line is not `title m:ss`. */
export function album(title: string, artist: string, year: number, ...discs: string[]): DemoAlbum {
  return { title, artist, year, is_compilation: false, discs: discs.map((disc) => parseTracks(disc)) };
}

/** An album by several artists; its tracks are written `artist :: title m:ss`. Throws like `album`. */
export function compilation(title: string, year: number, ...discs: string[]): DemoAlbum {
  const credited = discs.map((disc) => parseTracks(disc).map(splitArtist));
  return { title, artist: VARIOUS_ARTISTS, year, is_compilation: true, discs: credited };
}

/** Albums parted by blank lines, each under its `artist :: title (year)`; discs by `---`. Throws like `album`. */
function albumsIn(text: string): DemoAlbum[] {
  return text
    .trim()
    .split('\n\n')
    .map((block) => {
      const [, artist = '', title = '', year, tracks = ''] = /^(.+) :: (.+) \((\d{4})\)\n(.+)$/s.exec(block) ?? [];
      const discs = tracks.split('\n---\n');
      if (artist === VARIOUS_ARTISTS) return compilation(title, Number(year), ...discs);
      return album(title, artist, Number(year), ...discs);
    });
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

/** Letters and digits of any script as ASCII, the rest as `-`: part of an id. */
function slug(text: string): string {
  return slugify(text, { lowercase: true, separator: '-' });
}

/**
 * Ids: `ar_radiohead`, `al_ok-computer`, `tr_ok-computer_1-01` (disc, position). Two albums with one
 * title would share an id; a test holds that there are none.
 */
function buildCatalog(demoAlbums: readonly DemoAlbum[]): CatalogFile {
  const artists = new Map<string, Artist>();
  const artistId = (name: string): string => {
    const id = `ar_${slug(name)}`;
    artists.set(id, { id, name });
    return id;
  };
  const albums: CatalogFile['albums'] = [];
  const tracks: CatalogFile['tracks'] = [];
  for (const { title, artist, year, is_compilation, discs } of demoAlbums) {
    const album_id = `al_${slug(title)}`;
    const albumArtistId = artistId(artist);
    const about = { title, artist_id: albumArtistId, artist, year, is_compilation };
    albums.push({ id: album_id, ...about, discs: discs.length, track_count: discs.flat().length });
    for (const [discIndex, disc] of discs.entries()) {
      for (const [index, track] of disc.entries()) {
        const place = `${discIndex + 1}-${String(index + 1).padStart(2, '0')}`;
        const by = track.artist ?? artist;
        tracks.push({
          ...{ id: `tr_${slug(title)}_${place}`, album_id, title: track.title },
          ...{ artist_id: artistId(by), artist: by },
          ...{ disc: discIndex + 1, position: index + 1, duration_ms: track.duration_ms },
        });
      }
    }
  }
  return { artists: [...artists.values()], albums, tracks };
}

export const demoCatalog: CatalogFile = buildCatalog(albumsIn(ALBUMS));

/** Pending requests of the demo. *Try it* takes one: a whole album, and one that is done in a minute. */
export const demoRequests: { album_id: string }[] = [
  { album_id: 'al_ok-computer' },
  { album_id: 'al_long-tall-sally' },
];
