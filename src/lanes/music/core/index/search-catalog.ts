import type { Album, Artist, Track } from '../catalog.ts';
import type { CatalogIndex } from './catalog-index.ts';
import { MAX_QUESTION } from '#core/text/question.ts';
import { textKey, textSimilarity } from '#core/text/similarity.ts';
import { LEAST_SCORE } from '#core/text/word-score.ts';

/** What the search box shows, each list best first. */
export interface CatalogSearch {
  artists: Artist[];
  albums: Album[];
  tracks: Track[];
}

/**
 * Searches word by word, as the server does; where that finds nothing at all, for what looks like the whole question
 * (words in one piece, digits in the place of letters). `limit` holds for each list. An empty query finds nothing.
 */
export function searchCatalog(index: CatalogIndex, query: string, limit: number): CatalogSearch {
  const { artists, albums, tracks } = index.words().search(query, limit);
  const records = <T>(ids: readonly string[], read: (id: string) => T | null): T[] =>
    ids.flatMap((id) => read(id) ?? []);
  const found = {
    artists: records(artists, (id) => index.artist(id)),
    albums: records(albums, (id) => index.albumAlone(id)),
    tracks: records(tracks, (id) => index.track(id)),
  };
  const isEmpty = artists.length + albums.length + tracks.length === 0;
  return isEmpty ? searchAlike(index, query.slice(0, MAX_QUESTION), limit) : found;
}

function searchAlike(index: CatalogIndex, query: string, limit: number): CatalogSearch {
  const text = textKey(query);
  if (text.compact === '') return { artists: [], albums: [], tracks: [] };
  const pool = Math.max(20, limit * 3);
  const best = <T>(items: readonly T[], names: (item: T) => string[]): T[] =>
    items
      .map((item) => ({ item, score: Math.max(...names(item).map((name) => textSimilarity(text, textKey(name)))) }))
      .filter(({ score }) => score >= LEAST_SCORE)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ item }) => item);
  const ids = (hits: readonly { id: string }[]): string[] => [...new Set(hits.map(({ id }) => id))];
  const bothOrders = ({ title, artist }: { title: string; artist: string }): string[] => [
    title,
    `${title} ${artist}`,
    `${artist} ${title}`,
  ];
  return {
    artists: best(
      index.artistsByText(text, pool).map(({ artist }) => artist),
      ({ name }) => [name],
    ),
    albums: best(
      ids(index.albumsByText(text, pool)).flatMap((id) => index.albumAlone(id) ?? []),
      bothOrders,
    ),
    tracks: best(
      ids(index.tracksByText(text, pool)).flatMap((id) => index.track(id) ?? []),
      bothOrders,
    ),
  };
}
