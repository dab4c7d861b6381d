import { type StringTable, stringTable, findRow } from './strings.ts';
import { openSections, packSections, type Sections, type TypedArray } from './sections.ts';
import type { LengthArrays } from './length-index.ts';
import type { TextArrays } from './text-index.ts';
import type { Album, Artist, ExternalIds, Track } from '../catalog.ts';

/**
 * A catalog in columns. Rows are numbered: artists in the order they came, albums too, tracks by album, disc, position
 * and title, so that an album's tracks are one run. Texts and ids are numbers of `strings`.
 */
export interface CompactCatalog {
  strings: StringTable;
  artists: { id: Uint32Array; name: Uint32Array; extra: Uint32Array; byId: Uint32Array };
  albums: {
    id: Uint32Array;
    title: Uint32Array;
    /** Row of the artist, or NOBODY; the id is in `artistId` all the same. */
    artistId: Uint32Array;
    artist: Uint32Array;
    /** The year + 1; 0: unknown. */
    year: Uint16Array;
    compilation: Uint8Array;
    discs: Uint16Array;
    /** As the record says; tracks that are here may be more. */
    trackCount: Uint32Array;
    /** Tracks of album n: `firstTrack[n] .. firstTrack[n + 1]`. */
    firstTrack: Uint32Array;
    extra: Uint32Array;
    byId: Uint32Array;
  };
  tracks: {
    id: Uint32Array;
    album: Uint32Array;
    title: Uint32Array;
    artistId: Uint32Array;
    artist: Uint32Array;
    disc: Uint16Array;
    position: Uint16Array;
    /** Milliseconds + 1; 0: unknown. */
    length: Uint32Array;
    available: Uint8Array;
    extra: Uint32Array;
    /** Tracks of the catalog with the same folded title, this one included. */
    namesakes: Uint32Array;
    byId: Uint32Array;
  };
  /** Albums of artist n: `list[starts[n] .. starts[n + 1]]`, their own and those they are on. */
  albumsOfArtist: { starts: Uint32Array; list: Uint32Array };
  /** Distinct folded titles, in order of the alphabet, and the tracks that have them. */
  titles: { text: TextArrays; starts: Uint32Array; tracks: Uint32Array };
  /** By row of albums: title; artist and title. By row of artists: name. */
  albumTitles: TextArrays;
  albumNames: TextArrays;
  artistNames: TextArrays;
  lengths: LengthArrays;
  /** What the writer noted: the catalog's position in the change feed. */
  note: unknown;
}

type Flat = Record<string, TypedArray>;

/** `n` pieces that, written one after the other, are the file. */
export function packCatalog(catalog: CompactCatalog, strings: { bytes: Uint8Array; ends: Uint32Array }): Uint8Array[] {
  const sections = new Map<string, TypedArray>([
    ['strings.bytes', strings.bytes],
    ['strings.ends', strings.ends],
  ]);
  const add = (prefix: string, flat: object): void => {
    for (const [name, value] of Object.entries(flat as Flat)) {
      if (ArrayBuffer.isView(value)) sections.set(`${prefix}.${name}`, value);
      else add(`${prefix}.${name}`, value);
    }
  };
  const { artists, albums, tracks, albumsOfArtist, titles, albumTitles, albumNames, artistNames, lengths } = catalog;
  add('', { artists, albums, tracks, albumsOfArtist, titles, albumTitles, albumNames, artistNames, lengths });
  return packSections(sections, catalog.note);
}

/** Views on a packed catalog. Throws AccessionError `storage_failed` where it is damaged or of another version. */
export function unpackCatalog(buffer: ArrayBuffer): CompactCatalog {
  const from = openSections(buffer);
  const strings = stringTable(from.u8('strings.bytes'), from.u32('strings.ends'));
  const row = (kind: string) => (name: string) => from.u32(`.${kind}.${name}`);
  const [artist, album, track] = [row('artists'), row('albums'), row('tracks')];
  return {
    strings,
    artists: { id: artist('id'), name: artist('name'), extra: artist('extra'), byId: artist('byId') },
    albums: {
      id: album('id'),
      title: album('title'),
      artistId: album('artistId'),
      artist: album('artist'),
      year: from.u16('.albums.year'),
      compilation: from.u8('.albums.compilation'),
      discs: from.u16('.albums.discs'),
      trackCount: from.u32('.albums.trackCount'),
      firstTrack: album('firstTrack'),
      extra: album('extra'),
      byId: album('byId'),
    },
    tracks: {
      id: track('id'),
      album: track('album'),
      title: track('title'),
      artistId: track('artistId'),
      artist: track('artist'),
      disc: from.u16('.tracks.disc'),
      position: from.u16('.tracks.position'),
      length: track('length'),
      available: from.u8('.tracks.available'),
      extra: track('extra'),
      namesakes: track('namesakes'),
      byId: track('byId'),
    },
    albumsOfArtist: { starts: from.u32('.albumsOfArtist.starts'), list: from.u32('.albumsOfArtist.list') },
    titles: { text: text(from, 'titles.text'), starts: from.u32('.titles.starts'), tracks: from.u32('.titles.tracks') },
    albumTitles: text(from, 'albumTitles'),
    albumNames: text(from, 'albumNames'),
    artistNames: text(from, 'artistNames'),
    lengths: {
      lengths: from.u32('.lengths.lengths'),
      albums: from.u32('.lengths.albums'),
      positions: from.u16('.lengths.positions'),
      sizes: from.u16('.lengths.sizes'),
    },
    note: from.note,
  };
}

function text(from: Sections, name: string): TextArrays {
  return {
    starts: from.u32(`.${name}.starts`),
    postings: from.u32(`.${name}.postings`),
    norms: from.f32(`.${name}.norms`),
  };
}

/** Reads the columns of a compact catalog as records. Rows of ids that are not there are -1. */
export interface CompactRows {
  text(column: Uint32Array, row: number): string;
  artistRow(id: string): number;
  albumRow(id: string): number;
  trackRow(id: string): number;
  artistAt(row: number): Artist;
  albumAt(row: number): Album;
  trackAt(row: number): Track;
}

interface Extra {
  external_ids?: ExternalIds;
  original_sha256?: string;
}

export function openRows(compact: CompactCatalog): CompactRows {
  const { strings, artists, albums, tracks } = compact;
  const text = (column: Uint32Array, row: number): string => strings.text(column[row] ?? 0);
  const extraOf = (column: Uint32Array, row: number): Extra =>
    column[row] === 0 ? {} : (JSON.parse(text(column, row)) as Extra);
  return {
    text,
    artistRow: (id) => findRow(artists.byId, strings, artists.id, id),
    albumRow: (id) => findRow(albums.byId, strings, albums.id, id),
    trackRow: (id) => findRow(tracks.byId, strings, tracks.id, id),
    artistAt: (row) => ({ id: text(artists.id, row), name: text(artists.name, row), ...extraOf(artists.extra, row) }),
    albumAt: (row) => {
      const year = albums.year[row] ?? 0;
      return {
        id: text(albums.id, row),
        title: text(albums.title, row),
        artist_id: text(albums.artistId, row),
        artist: text(albums.artist, row),
        year: year === 0 ? null : year - 1,
        is_compilation: albums.compilation[row] === 1,
        discs: albums.discs[row] ?? 1,
        track_count: albums.trackCount[row] ?? 0,
        ...extraOf(albums.extra, row),
      };
    },
    trackAt: (row) => {
      const length = tracks.length[row] ?? 0;
      return {
        id: text(tracks.id, row),
        album_id: text(albums.id, tracks.album[row] ?? 0),
        title: text(tracks.title, row),
        artist_id: text(tracks.artistId, row),
        artist: text(tracks.artist, row),
        disc: tracks.disc[row] ?? 1,
        position: tracks.position[row] ?? 1,
        duration_ms: length === 0 ? null : length - 1,
        availability: tracks.available[row] === 1 ? 'available' : 'missing',
        ...extraOf(tracks.extra, row),
      };
    },
  };
}
