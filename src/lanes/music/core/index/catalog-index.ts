import type { Album, AlbumWithTracks, Artist, Track } from '../catalog.ts';
import type { TimedFile } from './length-index.ts';
import type { WordIndex } from './word-index.ts';
import type { TextKey } from '#core/text/similarity.ts';

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
  /** As `album` without its tracks, which is cheaper to have. */
  albumAlone(id: string): Album | null;
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
  artist(id: string): Artist | null;
  /** Answers what a person types. Made when it is first asked for. */
  words(): WordIndex;
  /** Makes it ready, pausing (`yield`) every few milliseconds. */
  wordSteps(): Generator<void, void>;
}
