import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { CompactBuilder, type Built } from '#lanes/music/core/index/build.ts';

/** What the figures are measured on; the seed never changes, so that they compare. */
export const SEED = 1;

export function compactOf(catalog: CatalogFile, note: unknown): Built {
  const builder = new CompactBuilder();
  for (const row of catalog.artists) builder.addArtist(row);
  for (const row of catalog.albums) builder.addAlbum(row);
  for (const row of catalog.tracks) builder.addTrack(row);
  return builder.finish(note);
}
