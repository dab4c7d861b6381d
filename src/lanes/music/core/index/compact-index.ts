/** The matcher's view of a compact catalog: rows become objects when they are asked for, and a bounded number stays. */
import type { Album, AlbumWithTracks, Artist, Track } from '../catalog.ts';
import type { CatalogIndex, Hit, IndexedAlbum, IndexedTrack } from './catalog-index.ts';
import { textKey, textSimilarity, type TextKey } from '#core/text/similarity.ts';
import { versionsOf } from '../names/versions.ts';
import { type CompactCatalog, openRows, type CompactRows } from './compact-catalog.ts';
import { openLengthIndex, type LengthIndex } from './length-index.ts';
import { openTextIndex, type TextIndex } from './text-index.ts';
import { openWordBase, type WordBase } from './word-base.ts';
import { openWordIndex } from './word-index.ts';
import { type Weights, CompactBuilder, type AlbumRow, type TrackRow } from './build.ts';

/** A map that forgets everything when it is full: simple, and what is needed soon is soon there again. */
export class Bounded<K, V> {
  readonly #most: number;
  readonly #map = new Map<K, V>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: K, make: () => V): V {
    const known = this.#map.get(key);
    if (known !== undefined) return known;
    if (this.#map.size >= this.#most) this.#map.clear();
    const made = make();
    this.#map.set(key, made);
    return made;
  }
}

const MOST_KEYS = 60_000;
const MOST_ALBUMS = 3000;
const MOST_HEADS = 20_000;

/** What an index offers to one that lies over it. */
export interface CompactIndex extends CatalogIndex {
  readonly compact: CompactCatalog;
  readonly rows: CompactRows;
  readonly titles: () => TextIndex;
  readonly albumTitles: () => TextIndex;
  readonly albumNames: () => TextIndex;
  readonly artistNames: () => TextIndex;
  readonly wordBase: () => WordBase;
  keyOf(text: string): TextKey;
  /** Tracks with this folded title. */
  namesakesOf(key: TextKey): number;
}

/** `like`: the catalog whose weights this one was built with. */
export function openCompactIndex(compact: CompactCatalog, like?: Weights): CompactIndex {
  const { artists, albums, tracks } = compact;
  const rows = openRows(compact);
  const keys = new Bounded<string, TextKey>(MOST_KEYS);
  const keyOf = (text: string): TextKey => keys.get(text, () => textKey(text));
  const albumObjects = new Bounded<number, AlbumWithTracks>(MOST_ALBUMS);
  const indexedObjects = new Bounded<number, IndexedAlbum>(MOST_ALBUMS);
  const contentKeys = new Bounded<number, string>(MOST_ALBUMS);
  const contentHeads = new Bounded<number, string>(MOST_HEADS);
  const { text, artistAt, trackAt, albumRow, trackRow } = rows;
  const lazy = <T>(make: () => T): (() => T) => {
    let made: T | undefined;
    return () => (made ??= make());
  };
  const titles = lazy(() => openTextIndex(compact.titles.text, like?.titles.text));
  const albumTitles = lazy(() => openTextIndex(compact.albumTitles, like?.albumTitles));
  const albumNames = lazy(() => openTextIndex(compact.albumNames, like?.albumNames));
  const artistNames = lazy(() => openTextIndex(compact.artistNames, like?.artistNames));
  const lengths = lazy((): LengthIndex => openLengthIndex(compact.lengths));
  const wordBase = lazy(() => openWordBase(compact.words, compact, rows));
  const words = lazy(() => openWordIndex(wordBase()));

  const aloneAt = (row: number): Album => {
    const own = rows.albumAt(row);
    const tracksOf = (albums.firstTrack[row + 1] ?? 0) - (albums.firstTrack[row] ?? 0);
    return { ...own, track_count: Math.max(own.track_count, tracksOf) };
  };
  const albumAt = (row: number): AlbumWithTracks =>
    albumObjects.get(row, () => {
      const list: Track[] = [];
      for (let at = albums.firstTrack[row] ?? 0; at < (albums.firstTrack[row + 1] ?? 0); at++) list.push(trackAt(at));
      return { ...aloneAt(row), tracks: list };
    });

  const namesakesOf = (key: TextKey): number => {
    const { starts, tracks: list } = compact.titles;
    const keyAt = (at: number): TextKey => keyOf(text(tracks.title, list[at] ?? 0));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keyAt(starts[middle] ?? 0).leet < key.leet) low = middle + 1;
      else high = middle;
    }
    // Titles that are searched as one may still differ in a digit that looks like a letter.
    for (let at = starts[low] ?? 0; at < (starts[low + 1] ?? 0); at++) {
      const own = keyAt(at);
      if (own.leet !== key.leet) return 0;
      if (own.compact === key.compact) return tracks.namesakes[list[at] ?? 0] ?? 0;
    }
    return 0;
  };

  const indexedAt = (row: number): IndexedAlbum =>
    indexedObjects.get(row, () => {
      const album = albumAt(row);
      const first = albums.firstTrack[row] ?? 0;
      return indexAlbum(album, keyOf, lengths().density, (_, at) => tracks.namesakes[first + at] ?? 1);
    });

  function artistsByText(query: TextKey, limit: number): (Hit & { artist: Artist })[] {
    return artistNames()
      .search(query.leet, limit)
      .map(({ doc }) => {
        const artist = artistAt(doc);
        return { id: artist.id, artist, score: textSimilarity(query, keyOf(artist.name)) };
      });
  }

  return {
    compact,
    rows,
    titles,
    albumTitles,
    albumNames,
    artistNames,
    keyOf,
    trackCount: tracks.id.length,
    artist: at(rows.artistRow, artistAt, null),
    album: at(albumRow, albumAt, null),
    albumAlone: at(albumRow, aloneAt, null),
    track: at(trackRow, trackAt, null),
    indexedAlbum: at(albumRow, indexedAt, null),
    albumOfTrack: at(trackRow, (row) => text(albums.id, tracks.album[row] ?? 0), null),
    contentKey: at(albumRow, (row) => contentKeys.get(row, () => contentKeyOf(albumAt(row))), ''),
    contentHead: at(albumRow, (row) => contentHeads.get(row, () => contentHeadOf(rows.albumAt(row))), ''),
    namesakesOf,
    albumsByText(query, limit) {
      const found = new Map<number, number>();
      for (const index of [albumTitles(), albumNames()])
        for (const hit of index.search(query.leet, limit))
          found.set(hit.doc, Math.max(found.get(hit.doc) ?? 0, hit.score));
      return [...found].map(([row, score]) => ({ id: text(albums.id, row), score })).sort((a, b) => b.score - a.score);
    },
    albumsByArtist(query, limit) {
      const found = new Map<number, number>();
      const near = artistNames()
        .search(query.leet, 6)
        .map(({ doc }) => ({ row: doc, score: textSimilarity(query, keyOf(text(artists.name, doc))) }))
        .filter((hit) => hit.score >= 0.7);
      const { starts, list } = compact.albumsOfArtist;
      for (const { row, score } of near)
        for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++) {
          const album = list[at] ?? 0;
          found.set(album, Math.max(found.get(album) ?? 0, score));
        }
      return [...found]
        .map(([row, score]) => ({ id: text(albums.id, row), score }))
        .sort((a, b) => b.score - a.score)
        .slice(0, limit);
    },
    tracksByText(query, limit, near) {
      const hits: Hit[] = [];
      for (const { doc, score } of titles().search(query.leet, limit)) {
        if (hits.length >= limit * MOST_TIES) break;
        for (const row of nearest(doc, near ?? null, limit * MOST_TIES)) hits.push({ id: text(tracks.id, row), score });
      }
      return hits;
    },
    albumsByDurations: (files, limit) =>
      lengths()
        .albums(files, limit)
        .map(({ row, score }) => ({ id: text(albums.id, row), score })),
    artistsByText,
    wordBase,
    words,
    *wordSteps() {
      yield;
      words();
    },
  };

  /** The tracks of one title, those of the wanted length first when there are more than are taken. */
  function nearest(doc: number, near: number | null, most: number): Uint32Array {
    const list = compact.titles.tracks.subarray(compact.titles.starts[doc], compact.titles.starts[doc + 1]);
    if (list.length <= most) return list;
    if (near === null) return list.subarray(0, most);
    const off = (row: number): number => Math.abs((tracks.length[row] ?? 0) - 1 - near);
    return list
      .slice()
      .sort((a, b) => off(a) - off(b) || a - b)
      .subarray(0, most);
  }
}

/** What is found by its id; `none` where it is not there. */
const at =
  <T, None>(rowOf: (id: string) => number, make: (row: number) => T, none: None) =>
  (id: string): T | None => {
    const row = rowOf(id);
    return row < 0 ? none : make(row);
  };

/** Tracks of equal titles that are taken, in multiples of what was asked for. */
export const MOST_TIES = 4;

export const contentHeadOf = ({ title, artist, year }: Album): string => [title, artist, year, ''].join('|');

export function contentKeyOf(album: AlbumWithTracks): string {
  const tracks = album.tracks.map((track) => `${track.title}@${track.duration_ms}`);
  return contentHeadOf(album) + tracks.join('|');
}

/** An album with what is compared made ready. */
export function indexAlbum(
  album: AlbumWithTracks,
  keyOf: (text: string) => TextKey,
  density: (milliseconds: number) => number,
  namesakes: (track: Track, at: number) => number,
): IndexedAlbum {
  return {
    album,
    title: keyOf(album.title),
    artist: keyOf(album.artist),
    versions: versionsOf(album.title, keyOf(album.title).folded),
    contentKey: contentKeyOf(album),
    tracks: album.tracks.map((track, at): IndexedTrack => {
      const title = keyOf(track.title);
      return {
        track,
        title,
        movement: movementOf(track.title, keyOf),
        artist: keyOf(track.artist),
        versions: versionsOf(track.title, title.folded),
        absolute: at + 1,
        namesakes: namesakes(track, at),
        density: track.duration_ms === null ? 1 : density(track.duration_ms),
      };
    }),
  };
}

/** Behind the last colon, when a work is before it and a name behind it. */
function movementOf(title: string, keyOf: (text: string) => TextKey): TextKey | null {
  const at = title.lastIndexOf(': ');
  if (at < 3) return null;
  const key = keyOf(title.slice(at + 2));
  return key.compact.length < 3 ? null : key;
}

/** Builds the index in memory: columns, and views on them. Takes about a second for 25,000 tracks. */
export function buildCatalogIndex(catalog: {
  artists: readonly Artist[];
  albums: readonly AlbumRow[];
  tracks: readonly TrackRow[];
}): CompactIndex {
  const builder = new CompactBuilder();
  for (const artist of catalog.artists) builder.addArtist(artist);
  for (const album of catalog.albums) builder.addAlbum(album);
  for (const track of catalog.tracks) builder.addTrack(track);
  return openCompactIndex(builder.finish().catalog);
}
