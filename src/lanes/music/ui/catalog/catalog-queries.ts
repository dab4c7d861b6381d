/** The catalog as the replica has it, for browsing: works without the server. */
import type { Album, DownloadRequest, Track } from '#lanes/music/core/catalog.ts';
import { textKey } from '#core/text/similarity.ts';
import { db, rowsOfAny } from '#ui/client/db.ts';

export interface AlbumRow extends Album {
  /** Tracks with audio. */
  available: number;
  /** Tracks in all. */
  total: number;
  /** Someone asked for it, or for one of its tracks, and it is not all there yet. */
  requested: boolean;
}

export type AvailabilityFilter = 'all' | 'missing' | 'partly' | 'available';

export function standing(row: Pick<AlbumRow, 'available' | 'total'>): Exclude<AvailabilityFilter, 'all'> {
  if (row.available === 0) return 'missing';
  return row.available < row.total ? 'partly' : 'available';
}

/** Every album with its counts. Reads the tracks that are available, not all of them. */
export async function albumRows(): Promise<AlbumRow[]> {
  return db.transaction('r', db.albums, db.tracks, db.requests, async () => {
    const [albums, available, pending] = await Promise.all([
      db.albums.toArray(),
      db.tracks.where('availability').equals('available').toArray(),
      db.requests.where('status').equals('pending').toArray(),
    ]);
    const there = new Map<string, number>();
    for (const { album_id } of available) there.set(album_id, (there.get(album_id) ?? 0) + 1);
    const requested = await wantedAlbums(pending);
    return albums.map((album) => {
      const count = there.get(album.id) ?? 0;
      const total = Math.max(album.track_count, count);
      return { ...album, available: count, total, requested: requested.has(album.id) };
    });
  });
}

async function wantedAlbums(pending: readonly DownloadRequest[]): Promise<Set<string>> {
  const trackIds = pending.flatMap(({ track_id }) => (track_id === null ? [] : [track_id]));
  const tracks = await db.tracks.bulkGet(trackIds);
  return new Set([
    ...pending.flatMap(({ album_id }) => (album_id === null ? [] : [album_id])),
    ...tracks.flatMap((track) => (track === undefined ? [] : [track.album_id])),
  ]);
}

export interface AlbumView {
  album: Album;
  /** In playing order. */
  tracks: Track[];
  /** Pending requests for the album or for tracks of it. */
  requests: DownloadRequest[];
  /** Other albums of its artist and title. */
  twins: Album[];
}

/** An album with everything its page shows; null where the replica does not have it. */
export async function albumView(id: string): Promise<AlbumView | null> {
  return db.transaction('r', db.albums, db.tracks, db.requests, async () => {
    const album = await db.albums.get(id);
    if (album === undefined) return null;
    const tracks = await db.tracks.where('album_id').equals(id).toArray();
    const ids = new Set(tracks.map((track) => track.id));
    const pending = await db.requests.where('status').equals('pending').toArray();
    const title = textKey(album.title).folded;
    const twins = await db.albums
      .where('artist_id')
      .equals(album.artist_id)
      .filter((other) => other.id !== id && textKey(other.title).folded === title)
      .toArray();
    return {
      album,
      twins,
      tracks: tracks.sort((a, b) => a.disc - b.disc || a.position - b.position),
      requests: pending.filter((one) => one.album_id === id || (one.track_id !== null && ids.has(one.track_id))),
    };
  });
}

export interface TrackHit extends Track {
  album: string;
}

/** Tracks by id in the order asked for, with the name of their album. */
export async function tracksById(ids: readonly string[]): Promise<TrackHit[]> {
  const tracks = (await db.tracks.bulkGet([...ids])).filter((track) => track !== undefined);
  const albums = await db.albums.bulkGet(tracks.map((track) => track.album_id));
  return tracks.map((track, at) => ({ ...track, album: albums[at]?.title ?? '' }));
}

/** Ids of the albums of these artists, artist by artist, oldest album first. */
export async function albumsByArtists(ids: readonly string[]): Promise<string[]> {
  const albums = await rowsOfAny(db.albums, 'artist_id', ids);
  return albums
    .sort((a, b) => ids.indexOf(a.artist_id) - ids.indexOf(b.artist_id) || (a.year ?? 9999) - (b.year ?? 9999))
    .map((album) => album.id);
}
