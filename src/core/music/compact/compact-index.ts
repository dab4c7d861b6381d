/** The matcher's view of a compact catalog: rows become objects when they are looked at, and a bounded number stays. */
import type { Album, AlbumWithTracks, Artist, ExternalIds, Track } from '../catalog.ts';
import type { CatalogIndex, Hit, IndexedAlbum, IndexedTrack } from '../search.ts';
import { textKey, textSimilarity, type TextKey } from '../similarity.ts';
import { versionsIn } from '../versions.ts';
import type { CompactCatalog } from './compact-catalog.ts';
import { findRow } from './id-table.ts';
import { openLengthIndex } from './length-index.ts';
import { openTextIndex } from './text-index.ts';
import type { Weights } from './build.ts';

/** A map that forgets everything when it is full: simple, and what is needed soon is soon there again. */
class Bounded<K, V> {
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

interface Extra {
  external_ids?: ExternalIds;
  original_sha256?: string;
}

/** What an index offers to one that lies over it. */
export interface CompactIndex extends CatalogIndex {
  artist(id: string): Artist | null;
  /** The tracks that have this folded title, and how common a length is. */
  namesakesOf(key: TextKey): number;
  density(milliseconds: number): number;
  readonly compact: CompactCatalog;
}

export function openCompactIndex(compact: CompactCatalog, like?: Weights): CompactIndex {
  const { strings, artists, albums, tracks } = compact;
  const keys = new Bounded<string, TextKey>(MOST_KEYS);
  const keyOf = (text: string): TextKey => keys.get(text, () => textKey(text));
  const albumObjects = new Bounded<number, AlbumWithTracks>(MOST_ALBUMS);
  const indexedObjects = new Bounded<number, IndexedAlbum>(MOST_ALBUMS);
  const contentKeys = new Bounded<number, string>(MOST_ALBUMS);
  const text = (column: Uint32Array, row: number): string => strings.text(column[row] ?? 0);
  const extraOf = (column: Uint32Array, row: number): Extra =>
    column[row] === 0 ? {} : (JSON.parse(text(column, row)) as Extra);
  const lazy = <T>(make: () => T): (() => T) => {
    let made: T | undefined;
    return () => (made ??= make());
  };
  const titleIndex = lazy(() => openTextIndex(compact.titles.text, like?.titles.text));
  const albumIndex = lazy(() => openTextIndex(compact.albumTitles, like?.albumTitles));
  const fullIndex = lazy(() => openTextIndex(compact.albumNames, like?.albumNames));
  const artistIndex = lazy(() => openTextIndex(compact.artistNames, like?.artistNames));
  const lengths = lazy(() => openLengthIndex(compact.lengths));

  const artistAt = (row: number): Artist => {
    const { external_ids } = extraOf(artists.extra, row);
    return { id: text(artists.id, row), name: text(artists.name, row), ...(external_ids ? { external_ids } : {}) };
  };

  const trackAt = (row: number): Track => {
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
  };

  const albumAt = (row: number): AlbumWithTracks =>
    albumObjects.get(row, () => {
      const { external_ids } = extraOf(albums.extra, row);
      const year = albums.year[row] ?? 0;
      const list: Track[] = [];
      for (let at = albums.firstTrack[row] ?? 0; at < (albums.firstTrack[row + 1] ?? 0); at++) list.push(trackAt(at));
      const album: Album = {
        id: text(albums.id, row),
        title: text(albums.title, row),
        artist_id: text(albums.artistId, row),
        artist: text(albums.artist, row),
        year: year === 0 ? null : year,
        is_compilation: albums.compilation[row] === 1,
        discs: albums.discs[row] ?? 1,
        track_count: albums.trackCount[row] ?? list.length,
        ...(external_ids ? { external_ids } : {}),
      };
      return { ...album, tracks: list };
    });

  const albumRow = (id: string): number => findRow(albums.byId, strings, albums.id, id);
  const trackRow = (id: string): number => findRow(tracks.byId, strings, tracks.id, id);

  const namesakesOf = (key: TextKey): number => {
    const [hit] = titleIndex().search(key.leet, 1);
    if (!hit) return 0;
    const first = compact.titles.tracks[compact.titles.starts[hit.doc] ?? 0] ?? 0;
    return keyOf(text(tracks.title, first)).leet === key.leet ? (tracks.namesakes[first] ?? 0) : 0;
  };

  const indexedAt = (row: number): IndexedAlbum =>
    indexedObjects.get(row, () => {
      const album = albumAt(row);
      const first = albums.firstTrack[row] ?? 0;
      return indexAlbum(album, keyOf, lengths().density, (_, at) => tracks.namesakes[first + at] ?? 1);
    });

  function artistsByText(query: TextKey, limit: number): (Hit & { artist: Artist })[] {
    return artistIndex()
      .search(query.leet, limit)
      .map(({ doc }) => {
        const artist = artistAt(doc);
        return { id: artist.id, artist, score: textSimilarity(query, keyOf(artist.name)) };
      });
  }

  return {
    compact,
    trackCount: tracks.id.length,
    artist(id) {
      const row = findRow(artists.byId, strings, artists.id, id);
      return row < 0 ? null : artistAt(row);
    },
    album(id) {
      const row = albumRow(id);
      return row < 0 ? null : albumAt(row);
    },
    track(id) {
      const row = trackRow(id);
      return row < 0 ? null : trackAt(row);
    },
    indexedAlbum(id) {
      const row = albumRow(id);
      return row < 0 ? null : indexedAt(row);
    },
    albumOfTrack(id) {
      const row = trackRow(id);
      return row < 0 ? null : text(albums.id, tracks.album[row] ?? 0);
    },
    contentKey(id) {
      const row = albumRow(id);
      return row < 0 ? '' : contentKeys.get(row, () => contentKeyOf(albumAt(row)));
    },
    namesakesOf,
    density: (milliseconds) => lengths().density(milliseconds),
    albumsByText(query, limit) {
      const found = new Map<number, number>();
      for (const hit of [...albumIndex().search(query.leet, limit), ...fullIndex().search(query.leet, limit)])
        found.set(hit.doc, Math.max(found.get(hit.doc) ?? 0, hit.score));
      return [...found].map(([row, score]) => ({ id: text(albums.id, row), score })).sort((a, b) => b.score - a.score);
    },
    albumsByArtist(query, limit) {
      const found = new Map<number, number>();
      const near = artistIndex()
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
      for (const { doc, score } of titleIndex().search(query.leet, limit)) {
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

/** Tracks of equal titles that are taken, in multiples of what was asked for. */
const MOST_TIES = 4;

function contentKeyOf(album: AlbumWithTracks): string {
  const tracks = album.tracks.map((track) => `${track.title}@${track.duration_ms}`);
  return [album.title, album.artist, album.year, ...tracks].join('|');
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
    versions: versionsIn(keyOf(album.title).folded),
    contentKey: contentKeyOf(album),
    tracks: album.tracks.map((track, at): IndexedTrack => {
      const title = keyOf(track.title);
      return {
        track,
        title,
        artist: keyOf(track.artist),
        versions: versionsIn(title.folded),
        absolute: at + 1,
        namesakes: namesakes(track, at),
        density: track.duration_ms === null ? 1 : density(track.duration_ms),
      };
    }),
  };
}
