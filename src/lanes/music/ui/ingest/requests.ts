/** Pending download requests with the words that a person knows them by. */
import type { DownloadRequest, Track } from '#lanes/music/core/catalog.ts';
import { db } from '#ui/client/db.ts';
import type { NamedRequest } from '#ui/lane-ui.ts';
import { plural } from '#ui/parts/words.ts';

export interface RequestRow extends NamedRequest {
  status: DownloadRequest['status'];
  /** Milliseconds. */
  created_at: number;
  fulfilled_at: number | null;
  album_id: string | null;
  track_id: string | null;
  /** Album whose page shows what was asked for; null where the catalog here does not have it. */
  page: string | null;
  /** Tracks that were asked for in all, and those of them that have audio. */
  total: number;
  there: number;
}

/** All requests, those that wait first, each half newest first. */
export async function allRequests(): Promise<RequestRow[]> {
  const rows = await db.requests.toArray();
  const waits = ({ status }: Pick<DownloadRequest, 'status'>): number => (status === 'pending' ? 0 : 1);
  rows.sort((a, b) => waits(a) - waits(b) || b.created_at - a.created_at);
  return Promise.all(
    rows.map(async (row) => {
      const { tracks, page, ...name } = await wanted(row);
      const there = tracks.filter(({ availability }) => availability === 'available').length;
      const { status, created_at, fulfilled_at, album_id, track_id } = row;
      return {
        ...{ ...name, status, created_at, fulfilled_at, album_id, track_id, page, total: tracks.length, there },
        ...missingOf(tracks),
      };
    }),
  );
}

export async function pendingRequests(): Promise<NamedRequest[]> {
  const rows = await db.requests.where('status').equals('pending').sortBy('created_at');
  return Promise.all(rows.map(named));
}

async function named(row: DownloadRequest): Promise<NamedRequest> {
  const { id, title, by, tracks } = await wanted(row);
  return { id, title, by, ...missingOf(tracks) };
}

function missingOf(tracks: readonly Track[]): Pick<NamedRequest, 'missing' | 'missingWords'> {
  const missing = tracks.filter((row) => row.availability === 'missing').length;
  return { missing, missingWords: missing > 0 ? plural(missing, 'track') : '' };
}

/** What was asked for, as the catalog here has it. */
async function wanted({ id, album_id, track_id }: DownloadRequest) {
  const track = track_id === null ? undefined : await db.tracks.get(track_id);
  const album = track !== undefined || album_id === null ? undefined : await db.albums.get(album_id);
  const entry = track ?? album;
  if (entry === undefined) return { id, title: `Request ${id}`, by: '', tracks: [], page: null };
  const tracks = track === undefined ? await db.tracks.where('album_id').equals(entry.id).toArray() : [track];
  return { id, title: entry.title, by: entry.artist, tracks, page: track?.album_id ?? entry.id };
}
