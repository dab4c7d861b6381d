/** Pending download requests with the words that a person knows them by. */
import type { DownloadRequest } from '#lanes/music/core/catalog.ts';
import { db } from '#ui/client/db.ts';
import type { NamedRequest } from '#ui/lane-ui.ts';
import { plural } from '#ui/parts/words.ts';

export async function pendingRequests(): Promise<NamedRequest[]> {
  const rows = await db.requests.where('status').equals('pending').sortBy('created_at');
  return Promise.all(rows.map(named));
}

async function named({ id, album_id, track_id }: DownloadRequest): Promise<NamedRequest> {
  const track = track_id === null ? undefined : await db.tracks.get(track_id);
  const album = track !== undefined || album_id === null ? undefined : await db.albums.get(album_id);
  const entry = track ?? album;
  if (entry === undefined) return { id, title: `Request ${id}`, by: '', missing: 0, missingWords: '' };
  const tracks = track === undefined ? await db.tracks.where('album_id').equals(entry.id).toArray() : [track];
  const missing = tracks.filter((row) => row.availability === 'missing').length;
  return {
    id,
    title: entry.title,
    by: entry.artist,
    missing,
    missingWords: missing > 0 ? plural(missing, 'track') : '',
  };
}
