import type { Album, Artist, ExternalIds, Track } from '../catalog.ts';
import { textKey } from '#core/text/similarity.ts';
import { Column, StringTableBuilder, stringTable, type StringTable } from '#core/index/strings.ts';
import { buildIdTable } from './id-table.ts';
import { finishSteps, buildTextArrays, PRICEY_SLICE, SLICE, type TextArrays } from './text-index.ts';
import { ALBUMS, ARTISTS, TRACKS, type Columns, type CompactCatalog, type Shape } from './compact-catalog.ts';
import { buildWordArrays } from './build-words.ts';
import type { Kind } from './word-arrays.ts';
import { arrayOf, type TypeName } from '#core/index/sections.ts';
import type { LengthArrays } from './length-index.ts';

export type AlbumRow = Pick<Album, 'id' | 'title' | 'artist_id' | 'artist'> & Partial<Album>;
export type TrackRow = Omit<Track, 'availability' | 'duration_ms'> & Partial<Track>;

/** The text indexes of another catalog, whose weights are taken over (see text-index.ts). */
export type Weights = Pick<CompactCatalog, 'titles' | 'albumTitles' | 'albumNames' | 'artistNames'>;

export interface Built {
  catalog: CompactCatalog;
  strings: { bytes: Uint8Array; ends: Uint32Array };
}

const columns = <S extends Shape>(shape: S) =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, new Column()])) as Record<keyof S, Column>;

/** The columns as arrays of the shape's types; what no row has filled is made elsewhere. @param order of the rows */
function arraysOf<S extends Shape>(shape: S, from: Record<keyof S, Column>, order?: Uint32Array): Columns<S> {
  const arrays = Object.entries(shape).map(([name, type]: [keyof S, TypeName]) => {
    const { values } = from[name];
    return [name, arrayOf(type, order ? Uint32Array.from(order, (at) => values[at] ?? 0) : values)];
  });
  return Object.fromEntries(arrays) as Columns<S>;
}

/**
 * Takes the rows of a catalog in any order and makes its columns. The first row of an id counts; tracks of unknown
 * albums are left out. About 25 microseconds a track; what it keeps meanwhile is columns and the distinct texts.
 */
export class CompactBuilder {
  readonly #strings = new StringTableBuilder();
  readonly #artists = columns(ARTISTS);
  readonly #albums = columns(ALBUMS);
  readonly #tracks = columns(TRACKS);
  readonly #artistOf = new Map<number, number>();
  readonly #albumOf = new Map<number, number>();
  readonly #hasDistinctTracks: boolean;

  /** @param options.hasDistinctTracks no id comes twice, as where they are a table's key: a third less memory meanwhile */
  constructor({ hasDistinctTracks = false } = {}) {
    this.#hasDistinctTracks = hasDistinctTracks;
    // Text 0 is the empty one: "no extra".
    this.#strings.add('');
  }

  addArtist(row: Artist): void {
    const id = this.#strings.add(row.id);
    if (this.#artistOf.has(id)) return;
    this.#artistOf.set(id, this.#artists.id.length);
    this.#artists.id.push(id);
    this.#artists.name.push(this.#strings.add(row.name));
    this.#artists.extra.push(this.#extra(row));
  }

  addAlbum(row: AlbumRow): void {
    const id = this.#strings.add(row.id);
    if (this.#albumOf.has(id)) return;
    const to = this.#albums;
    this.#albumOf.set(id, to.id.length);
    to.id.push(id);
    to.title.push(this.#strings.add(row.title));
    to.artistId.push(this.#strings.add(row.artist_id));
    to.artist.push(this.#strings.add(row.artist));
    to.year.push((row.year ?? -1) + 1);
    to.compilation.push(Number(row.is_compilation ?? false));
    to.discs.push(row.discs ?? 1);
    to.trackCount.push(row.track_count ?? 0);
    to.extra.push(this.#extra(row));
  }

  addTrack(row: TrackRow): void {
    const to = this.#tracks;
    to.id.push(this.#hasDistinctTracks ? this.#strings.append(row.id) : this.#strings.add(row.id));
    // A number for now: its album may come later.
    to.album.push(this.#strings.add(row.album_id));
    to.title.push(this.#strings.add(row.title));
    to.artistId.push(this.#strings.add(row.artist_id));
    to.artist.push(this.#strings.add(row.artist));
    to.disc.push(row.disc);
    to.position.push(row.position);
    const length = row.duration_ms ?? null;
    to.length.push(length === null ? 0 : Math.max(0, Math.round(length)) + 1);
    to.available.push(Number(row.availability === 'available'));
    to.extra.push(this.#extra(row));
  }

  /** What few rows have, as JSON; 0 where there is nothing. */
  /** What few records have: one text in JSON. */
  #extra(row: {
    external_ids?: ExternalIds | undefined;
    original_sha256?: string | undefined;
    lost_sha256?: string | undefined;
  }): number {
    const { external_ids, original_sha256, lost_sha256 } = row;
    if (external_ids === undefined && original_sha256 === undefined && lost_sha256 === undefined) return 0;
    return this.#strings.add(JSON.stringify({ external_ids, original_sha256, lost_sha256 }));
  }

  /** `note`: kept in the file. `like`: see text-index.ts. The builder is of no use afterwards. */
  finish(note: unknown = null, like?: Weights): Built {
    return finishSteps(this.steps(note, like));
  }

  /** As `finish`, pausing (`yield`) every few milliseconds, so that a worker can answer meanwhile. */
  *steps(note: unknown = null, like?: Weights): Generator<void, Built> {
    const packed = this.#strings.build();
    const columns = yield* this.#columns(stringTable(packed.bytes, packed.ends));
    const { strings, artists, albums, tracks } = columns;
    const keys = keysOf(strings.text);
    const catalog: CompactCatalog = {
      ...columns,
      albumsOfArtist: yield* this.#albumsOfArtist(tracks),
      titles: yield* titlesOf(tracks, keys, like?.titles.text),
      albumTitles: yield* buildTextArrays(
        albums.id.length,
        (row) => keys(albums.title[row] ?? 0).leet,
        like?.albumTitles,
      ),
      albumNames: yield* buildTextArrays(
        albums.id.length,
        (row) => keys(albums.artist[row] ?? 0).leet + keys(albums.title[row] ?? 0).leet,
        like?.albumNames,
      ),
      artistNames: yield* buildTextArrays(
        artists.id.length,
        (row) => keys(artists.name[row] ?? 0).leet,
        like?.artistNames,
      ),
      lengths: yield* lengthsOf(tracks, albums.id.length),
      words: yield* buildWordArrays(columns),
      note,
    };
    return { catalog, strings: packed };
  }

  *#columns(strings: StringTable): Generator<void, Pick<CompactCatalog, 'strings' | Kind>> {
    const { order, firstTrack } = yield* this.#order(strings.text);
    const rows = arraysOf(TRACKS, this.#tracks, order);
    const tracks: CompactCatalog['tracks'] = {
      ...rows,
      album: rows.album.map((id) => this.#albumOf.get(id) ?? 0),
      byId: yield* buildIdTable(strings, rows.id),
    };
    const artists = arraysOf(ARTISTS, this.#artists);
    const albums = arraysOf(ALBUMS, this.#albums);
    yield;
    return {
      strings,
      artists: { ...artists, byId: yield* buildIdTable(strings, artists.id) },
      albums: { ...albums, firstTrack, byId: yield* buildIdTable(strings, albums.id) },
      tracks,
    };
  }

  /** Tracks by album, disc, position, title; those of unknown albums and repeated ids left out. */
  *#order(text: (n: number) => string): Generator<void, { order: Uint32Array; firstTrack: Uint32Array }> {
    const { album, disc, position, title, length, id } = this.#tracks;
    const count = this.#albumOf.size;
    const albumRow = new Int32Array(id.length);
    const seen = new Set<number>();
    for (let at = 0; at < id.length; at++) {
      if (at % (SLICE * 20) === 0) yield;
      const row = seen.has(id.values[at] ?? 0) ? undefined : this.#albumOf.get(album.values[at] ?? 0);
      albumRow[at] = row ?? -1;
      if (row !== undefined && !this.#hasDistinctTracks) seen.add(id.values[at] ?? 0);
    }
    const { order, firstTrack: sizes } = byAlbum(albumRow, count);
    const of = (column: Column, at: number): number => column.values[at] ?? 0;
    for (let row = 0; row < count; row++) {
      if (row % SLICE === 0) yield;
      order.subarray(sizes[row], sizes[row + 1]).sort((a, b) => {
        const byPlace = of(disc, a) - of(disc, b) || of(position, a) - of(position, b);
        return byPlace || compareTexts(text(of(title, a)), text(of(title, b))) || of(length, a) - of(length, b);
      });
    }
    return { order, firstTrack: sizes };
  }

  *#albumsOfArtist(tracks: CompactCatalog['tracks']): Generator<void, CompactCatalog['albumsOfArtist']> {
    const pairs = new Set<number>();
    const span = this.#albums.id.length + 1;
    const add = (artistId: number, album: number): void => {
      const artist = this.#artistOf.get(artistId);
      if (artist !== undefined) pairs.add(artist * span + album);
    };
    this.#albums.artistId.values.forEach((artistId, album) => add(artistId, album));
    for (const [track, artistId] of tracks.artistId.entries()) {
      if (track % (SLICE * 20) === 0) yield;
      add(artistId, tracks.album[track] ?? 0);
    }
    yield;
    const sorted = Float64Array.from(pairs).sort();
    const starts = new Uint32Array(this.#artists.id.length + 1);
    for (const pair of sorted) {
      const next = Math.floor(pair / span) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
    }
    for (let n = 1; n < starts.length; n++) starts[n] = (starts[n] ?? 0) + (starts[n - 1] ?? 0);
    return { starts, list: Uint32Array.from(sorted, (pair) => pair % span) };
  }
}

/**
 * Tracks by album, those of one in the order in which they came.
 *
 * @param albumOf the album's row of each track, -1: none, which is left out
 * @returns the numbers of tracks, and `firstTrack[n] .. firstTrack[n + 1]`: where album n's stand
 */
export function byAlbum(albumOf: Int32Array, albums: number): { order: Uint32Array; firstTrack: Uint32Array } {
  const firstTrack = new Uint32Array(albums + 1);
  for (const row of albumOf) if (row >= 0) firstTrack[row + 1] = (firstTrack[row + 1] ?? 0) + 1;
  for (let row = 0; row < albums; row++) firstTrack[row + 1] = (firstTrack[row + 1] ?? 0) + (firstTrack[row] ?? 0);
  const order = new Uint32Array(firstTrack[albums] ?? 0);
  const fill = firstTrack.slice();
  for (let at = 0; at < albumOf.length; at++) {
    const row = albumOf[at] ?? -1;
    if (row < 0) continue;
    const to = fill[row] ?? 0;
    order[to] = at;
    fill[row] = to + 1;
  }
  return { order, firstTrack };
}

export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

type Keys = (text: number) => { compact: string; leet: string };

/** Folded forms by number of the text, each made once. */
function keysOf(text: (n: number) => string): Keys {
  const known = new Map<number, { compact: string; leet: string }>();
  return (n) => {
    let key = known.get(n);
    if (!key) {
      const { compact, leet } = textKey(text(n));
      known.set(n, (key = { compact, leet }));
    }
    return key;
  };
}

function* titlesOf(
  tracks: CompactCatalog['tracks'],
  keys: Keys,
  like?: TextArrays,
): Generator<void, CompactCatalog['titles']> {
  const namesakes = new Map<string, number>();
  const byTitle = new Map<string, number>();
  for (const [row, title] of tracks.title.entries()) {
    if (row % PRICEY_SLICE === 0) yield;
    const { compact, leet } = keys(title);
    namesakes.set(compact, (namesakes.get(compact) ?? 0) + 1);
    byTitle.set(leet, (byTitle.get(leet) ?? 0) + 1);
  }
  // In order of the alphabet: which of two equal hits comes first must not hang on the order of the catalog.
  const distinct = yield* sorted(byTitle.keys());
  const docOf = new Map(distinct.map((leet, doc) => [leet, doc]));
  const starts = new Uint32Array(distinct.length + 1);
  distinct.forEach((leet, doc) => (starts[doc + 1] = (starts[doc] ?? 0) + (byTitle.get(leet) ?? 0)));
  const fill = starts.slice();
  const list = new Uint32Array(tracks.title.length);
  yield;
  tracks.title.forEach((title, row) => {
    const { compact, leet } = keys(title);
    tracks.namesakes[row] = namesakes.get(compact) ?? 1;
    const doc = docOf.get(leet) ?? 0;
    const at = fill[doc] ?? 0;
    list[at] = row;
    fill[doc] = at + 1;
  });
  return { text: yield* buildTextArrays(distinct.length, (doc) => distinct[doc] ?? '', like), starts, tracks: list };
}

/** Sorted by code units; a group at a time, for a million texts take more than a second. */
function* sorted(texts: Iterable<string>): Generator<void, string[]> {
  const groups = new Map<string, string[]>();
  for (const text of texts) {
    const group = groups.get(text.slice(0, 2));
    if (group) group.push(text);
    else groups.set(text.slice(0, 2), [text]);
  }
  const out: string[] = [];
  for (const begin of [...groups.keys()].sort()) {
    yield;
    for (const text of (groups.get(begin) ?? []).sort()) out.push(text);
  }
  return out;
}

function* lengthsOf(tracks: CompactCatalog['tracks'], albums: number): Generator<void, LengthArrays> {
  const rows: number[] = [];
  tracks.length.forEach((length, row) => {
    if (length > 1) rows.push(row);
  });
  const timed = Uint32Array.from(rows).sort((a, b) => (tracks.length[a] ?? 0) - (tracks.length[b] ?? 0) || a - b);
  yield;
  const sizes = new Uint16Array(albums);
  for (const row of timed) {
    const album = tracks.album[row] ?? 0;
    sizes[album] = (sizes[album] ?? 0) + 1;
  }
  return {
    lengths: timed.map((row) => (tracks.length[row] ?? 1) - 1),
    albums: timed.map((row) => tracks.album[row] ?? 0),
    positions: Uint16Array.from(timed, (row) => tracks.position[row] ?? 0),
    sizes,
  };
}
