/** Makes an index of words of a catalog's columns. */
import { grams } from '#core/text/question.ts';
import { words } from '#core/text/word-score.ts';
import { Column, type StringTable } from '#core/index/strings.ts';
import { encodeUtf8 } from '#core/utf8.ts';
import type { CompactCatalog } from './compact-catalog.ts';
import { PRICEY_SLICE, SLICE } from './text-index.ts';
import type { EntryArrays, Kind, WordArrays } from './word-arrays.ts';

/** Words are of `[a-z0-9]`; a part has its edges marked. */
const PART_SIGNS = '^$abcdefghijklmnopqrstuvwxyz0123456789';
const PARTS = PART_SIGNS.length ** 3;

/** The number of a part of three signs. */
export function partOf(gram: string): number {
  let part = 0;
  for (const sign of gram) part = part * PART_SIGNS.length + Math.max(0, PART_SIGNS.indexOf(sign));
  return part;
}

/** What of a catalog its words are made from, and its entries found by. */
export interface Named {
  strings: StringTable;
  artists: Pick<CompactCatalog['artists'], 'id' | 'name' | 'byId'>;
  albums: Pick<CompactCatalog['albums'], 'id' | 'title' | 'artist' | 'year' | 'firstTrack' | 'byId'>;
  tracks: Pick<CompactCatalog['tracks'], 'id' | 'album' | 'title' | 'artist' | 'byId'>;
}

/** The numbers of the words of names, and of years, which are words of albums. */
export interface NameWords {
  /** Of a text of the string table. */
  of(text: number): Uint32Array;
  /** Of an album's year as it stands in its column. */
  ofYear(year: number): Uint32Array;
}

/** By which texts an entry is found, its own name first. As the server's `entryOf`. */
export function fieldsOf({ artists, albums, tracks }: Named, names: NameWords, kind: Kind, row: number): Uint32Array[] {
  if (kind === 'artists') return [names.of(artists.name[row] ?? 0)];
  if (kind === 'albums')
    return [names.of(albums.title[row] ?? 0), names.of(albums.artist[row] ?? 0), names.ofYear(albums.year[row] ?? 0)];
  return [
    names.of(tracks.title[row] ?? 0),
    names.of(tracks.artist[row] ?? 0),
    names.of(albums.title[tracks.album[row] ?? 0] ?? 0),
  ];
}

/** How much a hit in each of these fields counts. */
export const FIELD_WEIGHTS = [1, 0.95, 0.9] as const;

const NONE = new Uint32Array(0);

/** Builds it, pausing (`yield`) every few milliseconds. About 6 microseconds a track. */
export function* buildWordArrays(named: Named): Generator<void, WordArrays> {
  const { strings, artists, albums, tracks } = named;
  const counts = new Uint8Array(strings.length);
  const isName = new Uint8Array(strings.length);
  for (const column of [artists.name, albums.title, albums.artist, tracks.title, tracks.artist])
    for (const text of column) isName[text] = 1;
  const known = new Map<string, number>();
  const numberOf = (word: string): number => {
    const number = known.get(word) ?? known.size;
    if (number === known.size) known.set(word, number);
    return number;
  };
  const list = new Column();
  for (let text = 0, done = 0; text < strings.length; text++) {
    if (isName[text] !== 1) continue;
    if (done++ % PRICEY_SLICE === 0) yield;
    for (const word of words(strings.text(text))) {
      list.push(numberOf(word));
      counts[text] = (counts[text] ?? 0) + 1;
    }
  }
  yield;
  const years = new Map<number, number[]>();
  for (const year of new Set(albums.year)) years.set(year, year === 0 ? [] : words(String(year - 1)).map(numberOf));
  const vocabulary = yield* inOrder(known);
  const sortedOf = new Uint32Array(vocabulary.length);
  vocabulary.forEach((word, at) => (sortedOf[known.get(word) ?? 0] = at));
  yield;
  const numbers = list.values.map((number) => sortedOf[number] ?? 0);
  const starts = startsOf(counts);
  const yearWords = new Map(
    [...years].map(([year, found]) => [year, Uint32Array.from(found, (number) => sortedOf[number] ?? 0)]),
  );
  const names: NameWords = {
    of: (text) => numbers.subarray(starts[text], starts[text + 1]),
    ofYear: (year) => yearWords.get(year) ?? NONE,
  };
  const frequencies = new Uint32Array(vocabulary.length);
  const entries = (kind: Kind): Generator<void, EntryArrays> => entriesOf(named, names, kind, frequencies);
  return {
    ...packed(vocabulary),
    ...(yield* partsOf(vocabulary)),
    ...{ frequencies, counts, words: numbers },
    artists: yield* entries('artists'),
    albums: yield* entries('albums'),
    tracks: yield* entries('tracks'),
  };
}

/** Where the words of each text begin. */
export function startsOf(counts: Uint8Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  let sum = 0;
  for (let text = 0; text < counts.length; text++) {
    sum += counts[text] as number;
    starts[text + 1] = sum;
  }
  return starts;
}

function packed(vocabulary: readonly string[]): { terms: Uint8Array; ends: Uint32Array } {
  const terms = encodeUtf8(vocabulary.join(''));
  const ends = new Uint32Array(vocabulary.length);
  let end = 0;
  vocabulary.forEach((word, at) => (ends[at] = end += word.length));
  return { terms: terms.slice(), ends };
}

/** The words in order of the alphabet, those that begin alike at a time. */
function* inOrder(known: ReadonlyMap<string, number>): Generator<void, string[]> {
  const groups = new Map<string, string[]>();
  let done = 0;
  for (const word of known.keys()) {
    if (done++ % (SLICE * 20) === 0) yield;
    const begin = word.slice(0, 2);
    const group = groups.get(begin);
    if (group) group.push(word);
    else groups.set(begin, [word]);
  }
  const out: string[] = [];
  for (const begin of [...groups.keys()].sort()) {
    yield;
    for (const word of (groups.get(begin) ?? []).sort()) out.push(word);
  }
  return out;
}

function* partsOf(vocabulary: readonly string[]): Generator<void, { partStarts: Uint32Array; partTerms: Uint32Array }> {
  const partStarts = new Uint32Array(PARTS + 1);
  for (const [term, word] of vocabulary.entries()) {
    if (term % SLICE === 0) yield;
    for (const gram of grams(word)) partStarts[partOf(gram) + 1] = (partStarts[partOf(gram) + 1] ?? 0) + 1;
  }
  for (let part = 0; part < PARTS; part++) partStarts[part + 1] = (partStarts[part + 1] ?? 0) + (partStarts[part] ?? 0);
  const partTerms = new Uint32Array(partStarts[PARTS] ?? 0);
  const fill = partStarts.slice();
  for (const [term, word] of vocabulary.entries()) {
    if (term % SLICE === 0) yield;
    for (const gram of grams(word)) {
      const part = partOf(gram);
      partTerms[fill[part] ?? 0] = term;
      fill[part] = (fill[part] ?? 0) + 1;
    }
  }
  return { partStarts, partTerms };
}

/** Notes the distinct words of an entry in `into`, and says how many there are. */
export function distinctOf(fields: readonly ArrayLike<number>[], into: number[]): number {
  into.length = 0;
  for (const field of fields)
    for (let at = 0; at < field.length; at++) {
      const word = field[at] as number;
      if (!into.includes(word)) into.push(word);
    }
  return into.length;
}

/** @param frequencies to which each term's entries are added */
function* entriesOf(
  named: Named,
  names: NameWords,
  kind: Kind,
  frequencies: Uint32Array,
): Generator<void, EntryArrays> {
  const ids = named[kind].id;
  const sizes = new Uint8Array(ids.length);
  const found: number[] = [];
  for (let row = 0; row < ids.length; row++) {
    if (row % SLICE === 0) yield;
    sizes[row] = distinctOf(fieldsOf(named, names, kind, row), found);
  }
  const rows = yield* sortedRows(
    ids.length,
    (a, b) => (sizes[a] ?? 0) - (sizes[b] ?? 0) || named.strings.compare(ids[a] ?? 0, ids[b] ?? 0),
  );
  const starts = new Uint32Array(frequencies.length + 1);
  const last = new Int32Array(frequencies.length).fill(-1);
  const each = function* (take: (term: number, gap: number) => void): Generator<void, void> {
    last.fill(-1);
    for (const [entry, row] of rows.entries()) {
      if (entry % SLICE === 0) yield;
      distinctOf(fieldsOf(named, names, kind, row), found);
      for (const term of found) {
        take(term, entry - (last[term] as number));
        last[term] = entry;
      }
    }
  };
  yield* each((term, gap) => {
    starts[term + 1] = (starts[term + 1] as number) + bytesOf(gap);
    frequencies[term] = (frequencies[term] as number) + 1;
  });
  for (let term = 0; term < frequencies.length; term++)
    starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
  const bytes = new Uint8Array(starts[frequencies.length] as number);
  const fill = starts.slice();
  yield* each((term, gap) => {
    let at = fill[term] as number;
    let rest = gap;
    for (; rest >= 128; rest >>>= 7) bytes[at++] = (rest & 127) | 128;
    bytes[at++] = rest;
    fill[term] = at;
  });
  return { rows, starts, bytes };
}

const bytesOf = (gap: number): number => (gap < 1 << 7 ? 1 : gap < 1 << 14 ? 2 : gap < 1 << 21 ? 3 : 4);

/** The numbers below `count` in an order, merged from runs of some that are sorted at once. */
function* sortedRows(count: number, order: (a: number, b: number) => number): Generator<void, Uint32Array> {
  let from = Uint32Array.from({ length: count }, (_, row) => row);
  for (let begin = 0; begin < count; begin += SLICE) {
    yield;
    from.subarray(begin, begin + SLICE).sort(order);
  }
  let into = new Uint32Array(count);
  for (let run = SLICE; run < count; run *= 2) {
    let done = 0;
    for (let begin = 0; begin < count; begin += 2 * run) {
      const [middle, end] = [Math.min(begin + run, count), Math.min(begin + 2 * run, count)];
      let [a, b] = [begin, middle];
      for (let to = begin; to < end; to++) {
        if (done++ % (SLICE * 5) === 0) yield;
        const first = b >= end || (a < middle && order(from[a] as number, from[b] as number) <= 0);
        into[to] = from[first ? a++ : b++] as number;
      }
    }
    [from, into] = [into, from];
  }
  return from;
}
