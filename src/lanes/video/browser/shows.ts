/** The shows of the replica, for whoever recognises videos: works without the server. */
import { searchShows, type ShowHit } from '#lanes/video/core/search-shows.ts';
import type { Show, ShowHead } from '#lanes/video/core/show-catalog.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';

type Shows = Pick<AccessionDb, 'shows' | 'show_heads'>;

/** Every show without its episodes, by title. */
export function shows(db: Shows): Promise<ShowHead[]> {
  return db.show_heads.orderBy('title').toArray();
}

/** A show with its seasons and episodes; null where the replica does not have it. */
export async function showById(db: Shows, id: string): Promise<Show | null> {
  return (await db.shows.get(id)) ?? null;
}

/** As `showByTitle`, without the episodes. */
export async function findShows(
  db: Pick<AccessionDb, 'show_heads'>,
  words: string,
  limit: number,
): Promise<ShowHit<ShowHead>[]> {
  return searchShows(await db.show_heads.toArray(), words, limit);
}

/**
 * Shows whose title, or another of their titles, is near the words, best first, at most `limit`; each with all its
 * episodes. Typing errors are forgiven (search-shows.ts).
 */
export async function showByTitle(db: Shows, words: string, limit = 5): Promise<ShowHit<Show>[]> {
  const hits = await findShows(db, words, limit);
  const found = await db.shows.bulkGet(hits.map(({ show }) => show.id));
  return hits.flatMap((hit, at) => {
    const show = found[at];
    return show === undefined ? [] : [{ ...hit, show }];
  });
}
