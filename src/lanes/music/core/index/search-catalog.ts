import type { Album, Artist, Track } from '../catalog.ts';
import type { CatalogIndex, Hit } from './catalog-index.ts';
import { LEAST_BEGUN } from './text-index.ts';
import { type TextKey, textKey, textSimilarity } from '#core/text/similarity.ts';
import { LEAST_SCORE, typoNearness, words, wordScore, type Field } from '#core/text/word-score.ts';

/** What the search box shows, each list best first. */
export interface CatalogSearch {
  artists: Artist[];
  albums: Album[];
  tracks: Track[];
}

/** Words of a question that are looked up, as on the server. */
const MOST_WORDS = 12;
/** Of what has a question's other words, so many are looked at for one that goes on with its last one. */
const MOST_BEGUN = 200;
/** Albums whose tracks are looked through for that. */
const MOST_ALBUMS = 40;

/** Searches with typos, other scripts and parts of words; `limit` holds for each list. An empty query finds nothing. */
export function searchCatalog(index: CatalogIndex, query: string, limit: number): CatalogSearch {
  const question = query.slice(0, 200);
  const text = textKey(question);
  if (text.compact === '') return { artists: [], albums: [], tracks: [] };
  const asked = words(question).slice(0, MOST_WORDS);
  const { near, begun } = candidates(index, asked, text, Math.max(20, limit * 3));
  const whole = nearness(asked, text);
  const best = <T extends { id: string }>(
    kind: keyof Candidates,
    read: (id: string) => T | null,
    namesOf: (item: T) => readonly [name: string, more?: string],
  ): T[] => {
    const scored = (ids: Iterable<string>, score: typeof whole) =>
      [...ids].flatMap((id) => {
        const item = read(id);
        return item === null ? [] : [{ item, score: score(...namesOf(item)), name: namesOf(item)[0] }];
      });
    const others = [...begun[kind].keys()].filter((id) => !near[kind].has(id));
    return [...scored(near[kind].keys(), whole), ...scored(others, (name, more) => byWords(asked, name, more))]
      .filter((entry) => entry.score >= LEAST_SCORE)
      .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
      .slice(0, limit)
      .map((entry) => entry.item);
  };
  return {
    artists: best(
      'artists',
      (id) => near.artists.get(id) ?? begun.artists.get(id) ?? null,
      ({ name }) => [name],
    ),
    albums: best(
      'albums',
      (id) => index.album(id),
      ({ title, artist }) => [title, artist],
    ).map(({ tracks: _tracks, ...album }) => album),
    tracks: best(
      'tracks',
      (id) => index.track(id),
      ({ title, artist }) => [title, artist],
    ),
  };
}

/** How well a name, and what goes with it, answers: as a whole, as its beginning, or word by word. */
function nearness(asked: readonly string[], text: TextKey): (name: string, more?: string) => number {
  const alike = (name: string, more: string): number => {
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
  return (name, more = '') =>
    Math.max(alike(name, more), more === '' ? 0 : 0.9 * alike(more, ''), byWords(asked, name, more));
}

function byWords(asked: readonly string[], name: string, more = ''): number {
  const fields: Field[] = [
    { text: name, weight: 1 },
    { text: more, weight: 0.95 },
  ];
  return wordScore(asked, [], fields);
}

interface Candidates {
  artists: Map<string, Artist>;
  albums: Set<string>;
  tracks: Set<string>;
}

/**
 * `near`: what looks like the whole question, or begins with it. `begun`: what has its other words and one that begins like
 * the last, since the index knows no beginnings of later words; and tracks of such albums, since it knows no track by its
 * artist.
 */
function candidates(
  index: CatalogIndex,
  asked: readonly string[],
  text: TextKey,
  pool: number,
): { near: Candidates; begun: Candidates } {
  const near: Candidates = {
    artists: new Map(index.artistsByText(text, pool).map(({ id, artist }) => [id, artist])),
    albums: idsOf(index.albumsByText(text, pool), index.albumsByArtist(text, pool)),
    tracks: idsOf(index.tracksByText(text, pool)),
  };
  const begun: Candidates = { artists: new Map(), albums: new Set(), tracks: new Set() };
  const goesOn = goesOnWith(asked.at(-1) ?? '');
  const albums = new Set(near.albums);
  const before = asked.length > 1 ? [textKey(asked.slice(0, -1).join(' '))] : [];
  for (const { key, most } of [{ key: text, most: pool }, ...before.map((key) => ({ key, most: MOST_BEGUN }))]) {
    for (const { id, artist } of index.artistsByText(key, pool, LEAST_BEGUN).slice(0, pool))
      if (goesOn(artist.name)) begun.artists.set(id, artist);
    for (const id of idsOf(
      index.albumsByArtist(key, most),
      index.albumsByText(key, most, LEAST_BEGUN).slice(0, most),
    )) {
      albums.add(id);
      if (goesOn(index.contentHead(id))) begun.albums.add(id);
    }
    for (const { id } of index.tracksByText(key, most, null, LEAST_BEGUN).slice(0, most)) {
      const track = index.track(id);
      if (track !== null && (goesOn(track.title) || goesOn(track.artist))) begun.tracks.add(id);
    }
  }
  // All that an artist's name alone leads to answers equally well.
  let byArtist = 0;
  for (const id of [...albums].slice(0, MOST_ALBUMS))
    for (const track of index.album(id)?.tracks ?? [])
      if (goesOn(track.title) || (byArtist < pool && goesOn(track.artist) && ++byArtist > 0))
        begun.tracks.add(track.id);
  return { near, begun };
}

/** Whether one of a text's words begins with this one, or is this one mistyped. */
function goesOnWith(last: string): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    let goesOn = known.get(text);
    if (goesOn === undefined)
      known.set(text, (goesOn = words(text).some((word) => word.startsWith(last) || typoNearness(last, word) > 0)));
    return goesOn;
  };
}

const idsOf = (...hits: readonly Hit[][]): Set<string> => new Set(hits.flat().map(({ id }) => id));
