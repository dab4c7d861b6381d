import type { CatalogIndex } from './search.ts';
import { textKey } from './similarity.ts';

export interface CatalogHits {
  albums: { id: string; title: string; artist: string; year: number | null; track_count: number }[];
  tracks: {
    id: string;
    title: string;
    artist: string;
    album: string;
    album_id: string;
    disc: number;
    position: number;
    duration_ms: number | null;
  }[];
  artists: { id: string; name: string }[];
}

/** Free-text search with typos over the index, `limit` of each kind, best first: for the search boxes. */
export function searchCatalog(index: CatalogIndex, query: string, limit: number): CatalogHits {
  const hits: CatalogHits = { albums: [], tracks: [], artists: [] };
  const text = textKey(query);
  if (query.trim() === '') return hits;
  hits.artists = index.artistsByText(text, limit).map(({ artist }) => ({ id: artist.id, name: artist.name }));
  for (const { id } of [...index.albumsByText(text, limit), ...index.albumsByArtist(text, limit)]) {
    const album = index.album(id);
    if (!album || hits.albums.length >= limit || hits.albums.some((one) => one.id === id)) continue;
    const { title, artist, year, tracks } = album;
    hits.albums.push({ id, title, artist, year, track_count: tracks.length });
  }
  for (const { id } of index.tracksByText(text, limit)) {
    const track = index.track(id);
    if (!track) continue;
    const { title, artist, album_id, disc, position, duration_ms } = track;
    const album = index.album(album_id)?.title ?? '';
    hits.tracks.push({ id, title, artist, album, album_id, disc, position, duration_ms });
  }
  return hits;
}
