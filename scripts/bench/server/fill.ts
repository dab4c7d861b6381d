import { applyCatalog } from '#lanes/music/server/store/apply-catalog.ts';
import { albumRow, artistRow, trackRow } from '#lanes/music/server/store/rows.ts';
import type { Store } from '#server/store/store.ts';
import { mulberry32 } from '#core/mulberry32.ts';

const TRACKS_AN_ALBUM = 12;
const ALBUMS_AN_ARTIST = 5;
/** Albums written in one transaction. */
const PART = 4000;

const SYLLABLES = 'ka lo mi ren tu va shi no bel dor an es qui fa go zu pra ne li sto'.split(' ');

/** Words as many as a large catalog has, the common ones often. */
export function wordOf(number: number): string {
  let rest = number + 7;
  let word = '';
  while (rest > 0) {
    word += SYLLABLES[rest % SYLLABLES.length] ?? '';
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return word;
}

/** The title of a track, always the same for the same number. */
export function titleOf(track: number): string {
  const random = mulberry32(track + 1);
  const word = (): string => wordOf(Math.floor(60_000 * random() ** 3));
  return `${word()} ${word()} ${word()}`;
}

export const artistOf = (artist: number): string => `${wordOf(artist)} ${wordOf((artist * 31) % 5000)}`;

/** Fills an empty catalog with so many tracks: rows, feed and search index, as an import writes them. */
export async function fill(store: Store, tracks: number): Promise<void> {
  const albums = Math.ceil(tracks / TRACKS_AN_ALBUM);
  for (let first = 0; first < albums; first += PART) {
    const last = Math.min(albums, first + PART);
    await store.write((tx) => applyCatalog(tx, part(first, last)));
  }
}

function part(first: number, last: number) {
  const fresh = <T>(row: T) => ({ row, before: null });
  const artists = [];
  const albums = [];
  const tracks = [];
  for (let album = first; album < last; album += 1) {
    const number = Math.floor(album / ALBUMS_AN_ARTIST);
    const [artist_id, artist] = [`ar_${number}`, artistOf(number)];
    if (album % ALBUMS_AN_ARTIST === 0) artists.push(fresh(artistRow({ id: artist_id, name: artist })));
    const id = `al_${album}`;
    const shape = { year: 1950 + (album % 75), is_compilation: false, discs: 1, track_count: TRACKS_AN_ALBUM };
    albums.push(fresh(albumRow({ id, title: titleOf(album * 131), artist_id, artist, ...shape })));
    for (let at = 0; at < TRACKS_AN_ALBUM; at += 1) {
      const track = album * TRACKS_AN_ALBUM + at;
      const where = { id: `tr_${track}`, album_id: id, disc: 1, position: at + 1 };
      const what = { title: titleOf(track), artist_id, artist, duration_ms: 120_000 + (track % 200) * 1000 };
      tracks.push(fresh(trackRow({ ...where, ...what })));
    }
  }
  return { artists, albums, tracks };
}

/** Tracks of a file: with them it is as large as an administrator may send. */
const TRACKS_A_FILE = 480_000;

/** The same catalog as files for the import, each with the artists and albums of its tracks. */
export function* catalogFiles(tracks: number): Generator<string> {
  const albums = Math.ceil(tracks / TRACKS_AN_ALBUM);
  const step = TRACKS_A_FILE / TRACKS_AN_ALBUM;
  for (let first = 0; first < albums; first += step) {
    const rows = part(first, Math.min(albums, first + step));
    const artists = rows.artists.map(({ row: { id, name } }) => ({ id, name }));
    const ofAlbums = rows.albums.map(({ row: { id, title, artist_id, artist, year } }) => ({
      ...{ id, title, artist_id, artist, year },
    }));
    const ofTracks = rows.tracks.map(
      ({ row: { id, album_id, title, artist_id, artist, disc, position, duration_ms } }) => ({
        ...{ id, album_id, title, artist_id, artist, disc, position, duration_ms },
      }),
    );
    yield JSON.stringify({ artists, albums: ofAlbums, tracks: ofTracks });
  }
}
