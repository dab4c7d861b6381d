/** Rows by their ids, however many. */
import { chunks } from './chunks.ts';
import type { AlbumTable, ArtistTable, Reader, TrackTable } from './schema.ts';

export async function loadArtists(db: Reader, ids: readonly string[]): Promise<Map<string, ArtistTable>> {
  const found = new Map<string, ArtistTable>();
  for (const part of chunks(ids)) {
    for (const row of await db.selectFrom('artists').selectAll().where('id', 'in', part).execute())
      found.set(row.id, row);
  }
  return found;
}

export async function loadAlbums(db: Reader, ids: readonly string[]): Promise<Map<string, AlbumTable>> {
  const found = new Map<string, AlbumTable>();
  for (const part of chunks(ids)) {
    for (const row of await db.selectFrom('albums').selectAll().where('id', 'in', part).execute())
      found.set(row.id, row);
  }
  return found;
}

export async function loadTracks(db: Reader, ids: readonly string[]): Promise<Map<string, TrackTable>> {
  const found = new Map<string, TrackTable>();
  for (const part of chunks(ids)) {
    for (const row of await db.selectFrom('tracks').selectAll().where('id', 'in', part).execute())
      found.set(row.id, row);
  }
  return found;
}

/** Tracks of the albums, each album's in playing order. */
export async function loadTracksOf(db: Reader, albumIds: readonly string[]): Promise<TrackTable[]> {
  const found: TrackTable[] = [];
  for (const part of chunks(albumIds)) {
    const query = db.selectFrom('tracks').selectAll().where('album_id', 'in', part);
    found.push(...(await query.orderBy('album_id').orderBy('disc').orderBy('position').execute()));
  }
  return found;
}
