/** Entries of the catalog beside a question. */
import type { CatalogHits } from '#lanes/music/browser/replica/catalog-index.ts';
import type { Track } from '#lanes/music/core/catalog.ts';
import { db, rowsOfAny } from '#ui/client/db.ts';
import { tracksById } from '../catalog/catalog-queries.ts';

export type Found = Pick<CatalogHits, 'albums' | 'tracks'>;

/** The album or track with exactly this id; `album:` and `track:` may be before it. */
export async function entriesById(text: string): Promise<Found> {
  const id = text.trim().replace(/^(album|track):/, '');
  const [album, tracks] = await Promise.all([db.albums.get(id), tracksById([id])]);
  return { albums: album === undefined ? [] : [album], tracks };
}

/** Tracks of the albums in playing order, for the side-by-side table. */
export async function tracksOfAlbums(ids: readonly string[]): Promise<Map<string, Track[]>> {
  const rows = await rowsOfAny(db.tracks, 'album_id', ids);
  const order = (a: Track, b: Track): number => a.disc - b.disc || a.position - b.position;
  return new Map(ids.map((id) => [id, rows.filter((row) => row.album_id === id).sort(order)]));
}
