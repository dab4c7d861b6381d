import type { Artist } from '../catalog.ts';
import { CompactBuilder, type AlbumRow, type TrackRow } from './build.ts';
import { openCompactIndex, type CompactIndex } from './compact-index.ts';

/** Builds the index in memory: columns, and views on them. Takes about a second for 25,000 tracks. */
export function buildCatalogIndex(catalog: {
  artists: readonly Artist[];
  albums: readonly AlbumRow[];
  tracks: readonly TrackRow[];
}): CompactIndex {
  const builder = new CompactBuilder();
  for (const artist of catalog.artists) builder.addArtist(artist);
  for (const album of catalog.albums) builder.addAlbum(album);
  for (const track of catalog.tracks) builder.addTrack(track);
  return openCompactIndex(builder.finish().catalog);
}
