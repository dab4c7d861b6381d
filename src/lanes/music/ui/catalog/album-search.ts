import { ask } from '#ui/client/workers.ts';
import { music } from '../client.ts';
import type { Hit } from '#ui/lane-ui.ts';

const MOST = 6;

/** Of an album's page, below the origin. */
export const albumPath = (id: string): string => `catalog/albums/${encodeURIComponent(id)}`;

/** Albums of the replica by their words, for the palette. */
export async function findAlbums(words: string): Promise<Hit[] | null> {
  const found = await ask(music().searchCatalog(words, MOST));
  if (found === null) return null;
  return found.albums.map(({ id, title, artist, year }) => ({
    key: `album ${id}`,
    label: title,
    detail: year === null ? artist : `${artist}, ${year}`,
    path: albumPath(id),
  }));
}
