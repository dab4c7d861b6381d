import type { Album, Artist, Track } from '../catalog.ts';
import type { CatalogIndex } from './catalog-index.ts';
import { textKey, textSimilarity } from '#core/text/similarity.ts';

/** What the search box shows, each list best first. */
export interface CatalogSearch {
  artists: Artist[];
  albums: Album[];
  tracks: Track[];
}

/** Answers of less than this likeness are noise to a person. */
const LEAST = 0.45;

/** Searches with typos, other scripts and parts of words; `limit` holds for each list. An empty query finds nothing. */
export function searchCatalog(index: CatalogIndex, query: string, limit: number): CatalogSearch {
  const text = textKey(query.slice(0, 200));
  if (text.compact === '') return { artists: [], albums: [], tracks: [] };
  const pool = Math.max(20, limit * 3);
  const near = (name: string, more = ''): number => {
    const key = textKey(name);
    const both =
      more === ''
        ? 0
        : Math.max(textSimilarity(text, textKey(`${name} ${more}`)), textSimilarity(text, textKey(`${more} ${name}`)));
    // What is typed is often only the beginning, or one word of several.
    const begun = key.compact.startsWith(text.compact)
      ? 0.9
      : text.compact.length >= 3 && key.tokens.some((token) => token.startsWith(text.compact))
        ? 0.85
        : 0;
    return Math.max(textSimilarity(text, key), both, begun);
  };
  const best = <T>(items: readonly (T | null)[], score: (item: T) => number, name: (item: T) => string): T[] =>
    items
      .flatMap((item) => (item === null ? [] : [{ item, score: score(item), name: name(item) }]))
      .filter((entry) => entry.score >= LEAST)
      .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
      .slice(0, limit)
      .map((entry) => entry.item);
  const artists = best(
    index.artistsByText(text, pool).map((hit) => hit.artist),
    (artist) => near(artist.name),
    (artist) => artist.name,
  );
  const ids = new Set([...index.albumsByText(text, pool), ...index.albumsByArtist(text, pool)].map((hit) => hit.id));
  const found = [...ids].map((id) => index.album(id));
  const albums = best(
    found,
    (album) => Math.max(near(album.title, album.artist), 0.9 * near(album.artist)),
    (album) => album.title,
  ).map(({ tracks: _tracks, ...album }) => album);
  const tracks = best(
    index.tracksByText(text, pool).map((hit) => index.track(hit.id)),
    (track) => near(track.title, track.artist),
    (track) => track.title,
  );
  return { artists, albums, tracks };
}
