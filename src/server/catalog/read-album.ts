import type { AlbumWithTracks } from '#core/music/catalog.ts';
import { loadTracksOf } from '../store/load-rows.ts';
import { toAlbum, toTrack } from '../store/records.ts';
import type { Reader } from '../store/schema.ts';

/** An album with its tracks in playing order, or null. */
export async function readAlbum(db: Reader, id: string): Promise<(AlbumWithTracks & { version: number }) | null> {
  const row = await db.selectFrom('albums').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return null;
  const tracks = await loadTracksOf(db, [id]);
  return { ...toAlbum(row), tracks: tracks.map(toTrack), version: row.version };
}
