import type { Album, AlbumWithTracks, Artist, Track } from '../catalog.ts';
import type { TimedFile } from './length-index.ts';
import { type TextKey, textKey, textSimilarity } from '#core/text/similarity.ts';

/** A track with what is compared made ready; `absolute` counts through all discs from 1. */
export interface IndexedTrack {
  track: Track;
  title: TextKey;
  /** What is behind the last colon of a work's title (`Symphony No. 5: II. Andante`); null where there is none. */
  movement: TextKey | null;
  artist: TextKey;
  versions: readonly string[];
  absolute: number;
  /** Tracks of the catalog whose folded title is the same, this one included. */
  namesakes: number;
  /** Probability density (per second) of its length among all tracks; 1 without a length. */
  density: number;
}

export interface IndexedAlbum {
  album: Album;
  title: TextKey;
  artist: TextKey;
  versions: readonly string[];
  tracks: readonly IndexedTrack[];
  /** Orders equal albums by what they are, never by their id or their place in the catalog. */
  contentKey: string;
}

export interface Hit {
  id: string;
  /** 0..1 for text, a sum of log-likelihoods for durations; only for ranking. */
  score: number;
}

/**
 * What the matcher asks of a catalog. The in-memory index below answers it in Node, in tests and in the worker; a
 * typed-array replica in OPFS can be behind the same interface.
 */
export interface CatalogIndex {
  readonly trackCount: number;
  album(id: string): AlbumWithTracks | null;
  track(id: string): Track | null;
  indexedAlbum(id: string): IndexedAlbum | null;
  albumOfTrack(trackId: string): string | null;
  /** As in `IndexedAlbum`; empty where there is no such album. */
  contentKey(id: string): string;
  /** What `contentKey` begins with: the album without its tracks, which is cheaper to have. */
  contentHead(id: string): string;
  /** Albums whose title (with or without its artist) is near the text. */
  albumsByText(text: TextKey, limit: number): Hit[];
  /** Albums of artists whose name is near the text. */
  albumsByArtist(text: TextKey, limit: number): Hit[];
  /** `near`: of tracks that have one title, those of about this length (milliseconds) first. */
  tracksByText(text: TextKey, limit: number, near?: number | null): Hit[];
  /** Albums that have tracks of these lengths: a pattern of lengths alone finds its album. */
  albumsByDurations(files: readonly TimedFile[], limit: number): Hit[];
  artistsByText(text: TextKey, limit: number): (Hit & { artist: Artist })[];
}

/** What the search box shows, each list best first. */
export interface CatalogSearch {
  artists: Artist[];
  albums: Album[];
  tracks: Track[];
}

/** Answers of less than this likeness are noise to a person. */
const LEAST = 0.45;

/** Searches with typos, other scripts and parts of words; `limit` holds for each list. An empty query finds nothing. */
export function searchCatalog(index: CatalogIndex, query: string, limit: number): CatalogSearch {
  const text = textKey(query.slice(0, 200));
  if (text.compact === '') return { artists: [], albums: [], tracks: [] };
  const pool = Math.max(20, limit * 3);
  const near = (name: string, more = ''): number => {
    const key = textKey(name);
    const both =
      more === ''
        ? 0
        : Math.max(textSimilarity(text, textKey(`${name} ${more}`)), textSimilarity(text, textKey(`${more} ${name}`)));
    // What is typed is often only the beginning, or one word of several.
    const begun = key.compact.startsWith(text.compact)
      ? 0.9
      : text.compact.length >= 3 && key.tokens.some((token) => token.startsWith(text.compact))
        ? 0.85
        : 0;
    return Math.max(textSimilarity(text, key), both, begun);
  };
  const best = <T>(items: readonly (T | null)[], score: (item: T) => number, name: (item: T) => string): T[] =>
    items
      .flatMap((item) => (item === null ? [] : [{ item, score: score(item), name: name(item) }]))
      .filter((entry) => entry.score >= LEAST)
      .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
      .slice(0, limit)
      .map((entry) => entry.item);
  const artists = best(
    index.artistsByText(text, pool).map((hit) => hit.artist),
    (artist) => near(artist.name),
    (artist) => artist.name,
  );
  const ids = new Set([...index.albumsByText(text, pool), ...index.albumsByArtist(text, pool)].map((hit) => hit.id));
  const found = [...ids].map((id) => index.album(id));
  const albums = best(
    found,
    (album) => Math.max(near(album.title, album.artist), 0.9 * near(album.artist)),
    (album) => album.title,
  ).map(({ tracks: _tracks, ...album }) => album);
  const tracks = best(
    index.tracksByText(text, pool).map((hit) => index.track(hit.id)),
    (track) => near(track.title, track.artist),
    (track) => track.title,
  );
  return { artists, albums, tracks };
}
