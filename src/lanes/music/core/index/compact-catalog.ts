import { type StringTable, stringTable } from '#core/index/strings.ts';
import { findRow } from './id-table.ts';
import { openSections, packSections, type Arrays, type TypedArray, type TypeName } from '#core/index/sections.ts';
import type { LengthArrays } from './length-index.ts';
import type { TextArrays } from './text-index.ts';
import type { WordArrays } from './word-arrays.ts';
import type { Album, Artist, ExternalIds, Track } from '../catalog.ts';

/** Of the file. 3: with an index of words. A file of another version is built or fetched anew. */
export const CATALOG_FORMAT = 3;

export type Shape = Readonly<Record<string, TypeName>>;
export type Columns<S extends Shape> = { [Name in keyof S]: Arrays[S[Name]] };

export const ARTISTS = { id: 'u32', name: 'u32', extra: 'u32', byId: 'u32' } as const;

export const ALBUMS = {
  id: 'u32',
  title: 'u32',
  /** Row of the artist, or NOBODY; the id is in `artistId` all the same. */
  artistId: 'u32',
  artist: 'u32',
  /** The year + 1; 0: unknown. */
  year: 'u16',
  compilation: 'u8',
  discs: 'u16',
  /** As the record says; tracks that are here may be more. */
  trackCount: 'u32',
  /** Tracks of album n: `firstTrack[n] .. firstTrack[n + 1]`. */
  firstTrack: 'u32',
  extra: 'u32',
  byId: 'u32',
} as const;

export const TRACKS = {
  id: 'u32',
  album: 'u32',
  title: 'u32',
  artistId: 'u32',
  artist: 'u32',
  disc: 'u16',
  position: 'u16',
  /** Milliseconds + 1; 0: unknown. */
  length: 'u32',
  available: 'u8',
  extra: 'u32',
  /** Tracks of the catalog with the same folded title, this one included. */
  namesakes: 'u32',
  byId: 'u32',
} as const;

const ENTRIES = { rows: 'u32', starts: 'u32', bytes: 'u8' } as const;
const WORDS = {
  terms: 'u8',
  ends: 'u32',
  frequencies: 'u32',
  partStarts: 'u32',
  partTerms: 'u32',
  counts: 'u8',
  words: 'u32',
} as const;
const TEXT = { starts: 'u32', postings: 'u32', norms: 'f32' } as const;

/**
 * A catalog in columns. Rows are numbered: artists in the order they came, albums too, tracks by album, disc, position
 * and title, so that an album's tracks are one run. Texts and ids are numbers of `strings`.
 */
export interface CompactCatalog {
  strings: StringTable;
  artists: Columns<typeof ARTISTS>;
  albums: Columns<typeof ALBUMS>;
  tracks: Columns<typeof TRACKS>;
  /** Albums of artist n: `list[starts[n] .. starts[n + 1]]`, their own and those they are on. */
  albumsOfArtist: { starts: Uint32Array; list: Uint32Array };
  /** Distinct folded titles, in order of the alphabet, and the tracks that have them. */
  titles: { text: TextArrays; starts: Uint32Array; tracks: Uint32Array };
  /** By row of albums: title; artist and title. By row of artists: name. */
  albumTitles: TextArrays;
  albumNames: TextArrays;
  artistNames: TextArrays;
  lengths: LengthArrays;
  words: WordArrays;
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
  const { artists, albums, tracks, albumsOfArtist, titles, albumTitles, albumNames, artistNames, lengths, words } =
    catalog;
  add('', { artists, albums, tracks, albumsOfArtist, titles, albumTitles, albumNames, artistNames, lengths, words });
  return packSections(sections, catalog.note, CATALOG_FORMAT);
}

/** Views on a packed catalog. Throws AccessionError `storage_failed` where it is damaged or of another version. */
export function unpackCatalog(buffer: ArrayBuffer): CompactCatalog {
  const from = openSections(buffer, CATALOG_FORMAT);
  const columns = <S extends Shape>(prefix: string, shape: S): Columns<S> => {
    const named = Object.entries(shape).map(([name, type]) => [name, from.view(`.${prefix}.${name}`, type)]);
    return Object.fromEntries(named) as Columns<S>;
  };
  return {
    strings: stringTable(from.view('strings.bytes', 'u8'), from.view('strings.ends', 'u32')),
    artists: columns('artists', ARTISTS),
    albums: columns('albums', ALBUMS),
    tracks: columns('tracks', TRACKS),
    albumsOfArtist: columns('albumsOfArtist', { starts: 'u32', list: 'u32' }),
    titles: { text: columns('titles.text', TEXT), ...columns('titles', { starts: 'u32', tracks: 'u32' }) },
    albumTitles: columns('albumTitles', TEXT),
    albumNames: columns('albumNames', TEXT),
    artistNames: columns('artistNames', TEXT),
    lengths: columns('lengths', { lengths: 'u32', albums: 'u32', positions: 'u16', sizes: 'u16' }),
    words: {
      ...columns('words', WORDS),
      artists: columns('words.artists', ENTRIES),
      albums: columns('words.albums', ENTRIES),
      tracks: columns('words.tracks', ENTRIES),
    },
    note: from.note,
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
  lost_sha256?: string;
}

type Ids = Record<'artists' | 'albums' | 'tracks', { id: Uint32Array; byId: Uint32Array }>;

/** Finds rows by their ids. */
export function openIds({
  strings,
  artists,
  albums,
  tracks,
}: Ids & { strings: StringTable }): Pick<CompactRows, 'text' | 'artistRow' | 'albumRow' | 'trackRow'> {
  return {
    text: (column, row) => strings.text(column[row] ?? 0),
    artistRow: (id) => findRow(artists.byId, strings, artists.id, id),
    albumRow: (id) => findRow(albums.byId, strings, albums.id, id),
    trackRow: (id) => findRow(tracks.byId, strings, tracks.id, id),
  };
}

export function openRows(compact: Pick<CompactCatalog, 'strings' | 'artists' | 'albums' | 'tracks'>): CompactRows {
  const { artists, albums, tracks } = compact;
  const ids = openIds(compact);
  const { text } = ids;
  const extraOf = (column: Uint32Array, row: number): Extra =>
    column[row] === 0 ? {} : (JSON.parse(text(column, row)) as Extra);
  return {
    ...ids,
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
