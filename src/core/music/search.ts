import type { Album, AlbumWithTracks, Artist, Track } from './catalog.ts';
import { buildDurationIndex } from './duration-index.ts';
import type { TimedFile } from './duration-index.ts';
import { textKey, textSimilarity } from './similarity.ts';
import type { TextKey } from './similarity.ts';
import { buildTextIndex } from './text-index.ts';
import type { TextIndex } from './text-index.ts';
import { versionsIn } from './versions.ts';

/** A track with what is compared made ready; `absolute` counts through all discs from 1. */
export interface IndexedTrack {
  track: Track;
  title: TextKey;
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
 * typed-array replica in OPFS can stand behind the same interface.
 */
export interface CatalogIndex {
  readonly trackCount: number;
  album(id: string): AlbumWithTracks | null;
  track(id: string): Track | null;
  indexedAlbum(id: string): IndexedAlbum | null;
  albumOfTrack(trackId: string): string | null;
  /** Albums whose title (with or without its artist) is near the text. */
  albumsByText(text: TextKey, limit: number): Hit[];
  /** Albums of artists whose name is near the text. */
  albumsByArtist(text: TextKey, limit: number): Hit[];
  tracksByText(text: TextKey, limit: number): Hit[];
  /** Albums that have tracks of these lengths: a pattern of lengths alone finds its album. */
  albumsByDurations(files: readonly TimedFile[], limit: number): Hit[];
  artistsByText(text: TextKey, limit: number): (Hit & { artist: Artist })[];
}

/** Builds the index in memory. Tracks of unknown albums are left out. Takes about a second for 25,000 tracks. */
export function buildCatalogIndex(catalog: {
  artists: readonly Artist[];
  albums: readonly (Pick<Album, 'id' | 'title' | 'artist_id' | 'artist'> & Partial<Album>)[];
  tracks: readonly (Omit<Track, 'availability' | 'duration_ms'> & Partial<Track>)[];
}): CatalogIndex {
  const albums = new Map<string, AlbumWithTracks>();
  for (const album of catalog.albums) {
    albums.set(album.id, {
      ...album,
      year: album.year ?? null,
      is_compilation: album.is_compilation ?? false,
      discs: album.discs ?? 1,
      track_count: album.track_count ?? 0,
      tracks: [],
    });
  }
  const tracks: Track[] = [];
  const trackById = new Map<string, Track>();
  for (const row of catalog.tracks) {
    const album = albums.get(row.album_id);
    if (!album) continue;
    const track: Track = { ...row, duration_ms: row.duration_ms ?? null, availability: row.availability ?? 'missing' };
    album.tracks.push(track);
    tracks.push(track);
    trackById.set(track.id, track);
  }
  for (const album of albums.values()) {
    album.tracks.sort((a, b) => a.disc - b.disc || a.position - b.position || (a.title < b.title ? -1 : 1));
    album.track_count = Math.max(album.track_count, album.tracks.length);
  }

  const keys = new Map<string, TextKey>();
  const keyOf = (text: string): TextKey => {
    let key = keys.get(text);
    if (!key) keys.set(text, (key = textKey(text)));
    return key;
  };
  const namesakes = new Map<string, number>();
  for (const track of tracks) {
    const { compact } = keyOf(track.title);
    namesakes.set(compact, (namesakes.get(compact) ?? 0) + 1);
  }
  const indexed = new Map<string, IndexedAlbum>();
  const indexedAlbum = (id: string): IndexedAlbum | null => {
    const known = indexed.get(id);
    if (known) return known;
    const album = albums.get(id);
    if (!album) return null;
    const entry: IndexedAlbum = {
      album,
      title: keyOf(album.title),
      artist: keyOf(album.artist),
      versions: versionsIn(keyOf(album.title).folded),
      contentKey: [
        album.title,
        album.artist,
        album.year,
        ...album.tracks.map((track) => `${track.title}@${track.duration_ms}`),
      ].join('|'),
      tracks: album.tracks.map((track, i) => ({
        track,
        title: keyOf(track.title),
        artist: keyOf(track.artist),
        versions: versionsIn(keyOf(track.title).folded),
        absolute: i + 1,
        namesakes: namesakes.get(keyOf(track.title).compact) ?? 1,
        density: track.duration_ms === null ? 1 : durations().density(track.duration_ms),
      })),
    };
    indexed.set(id, entry);
    return entry;
  };

  const albumList = [...albums.values()];
  const artistNames = new Map<string, Artist>();
  for (const artist of catalog.artists) if (!artistNames.has(artist.id)) artistNames.set(artist.id, artist);
  const artistList = [...artistNames.values()];
  const albumsOfArtist = new Map<string, Set<string>>();
  for (const album of albumList) {
    for (const artist of [album.artist_id, ...album.tracks.map((track) => track.artist_id)]) {
      let set = albumsOfArtist.get(artist);
      if (!set) albumsOfArtist.set(artist, (set = new Set()));
      set.add(album.id);
    }
  }
  const lazy = <T>(make: () => T): (() => T) => {
    let made: T | undefined;
    return () => (made ??= make());
  };
  const titleIndex = lazy(() => buildTextIndex(tracks.map((track) => keyOf(track.title).leet)));
  const albumIndex = lazy(() => buildTextIndex(albumList.map((album) => keyOf(album.title).leet)));
  const fullIndex = lazy(() =>
    buildTextIndex(albumList.map((album) => keyOf(album.artist).leet + keyOf(album.title).leet)),
  );
  const artistIndex = lazy(() => buildTextIndex(artistList.map((artist) => keyOf(artist.name).leet)));
  const durations = lazy(() => buildDurationIndex(tracks));

  const pick = (index: TextIndex, ids: readonly { id: string }[], text: TextKey, limit: number): Hit[] =>
    index
      .search(text.leet, limit)
      .flatMap((hit) => (ids[hit.doc] ? [{ id: (ids[hit.doc] as { id: string }).id, score: hit.score }] : []));

  function artistsByText(text: TextKey, limit: number): (Hit & { artist: Artist })[] {
    return artistIndex()
      .search(text.leet, limit)
      .flatMap((hit) => {
        const artist = artistList[hit.doc];
        return artist ? [{ id: artist.id, artist, score: textSimilarity(text, keyOf(artist.name)) }] : [];
      });
  }

  return {
    trackCount: tracks.length,
    album: (id) => albums.get(id) ?? null,
    track: (id) => trackById.get(id) ?? null,
    indexedAlbum,
    albumOfTrack: (id) => trackById.get(id)?.album_id ?? null,
    albumsByText(text, limit) {
      const found = new Map<string, number>();
      for (const hit of [...pick(albumIndex(), albumList, text, limit), ...pick(fullIndex(), albumList, text, limit)]) {
        found.set(hit.id, Math.max(found.get(hit.id) ?? 0, hit.score));
      }
      return [...found].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score);
    },
    albumsByArtist(text, limit) {
      const near = artistsByText(text, 6).filter((hit) => hit.score >= 0.7);
      const found = new Map<string, number>();
      for (const hit of near)
        for (const id of albumsOfArtist.get(hit.id) ?? []) found.set(id, Math.max(found.get(id) ?? 0, hit.score));
      return [...found]
        .map(([id, score]) => ({ id, score }))
        .sort((a, b) => b.score - a.score)
        .slice(0, limit);
    },
    tracksByText: (text, limit) => pick(titleIndex(), tracks, text, limit),
    albumsByDurations: (files, limit) => durations().albums(files, limit),
    artistsByText,
  };
}
