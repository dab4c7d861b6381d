/**
 * Questions to an index of words, typing errors forgiven: the algorithm of the server's `question.ts` over arrays, with
 * the same answers. What a question costs is bounded by what it looks at, whatever the catalog's size:
 *
 *   word --> terms of the vocabulary (itself; those that begin with it; those that are near) --> entries, fewest words
 *   first, at most 2,000 a word --> the 120 most promising --> ranked by their own words
 */
import {
  candidateWeight,
  CLOSE_TERMS,
  COMMON_PART,
  grams,
  LEAST_BEGINNING,
  leastShared,
  MAX_QUESTION,
  MAX_WORDS,
  MOST_PER_WORD,
  MOST_RESCORED,
  PREFIX_TERMS,
  rankWeight,
  SHARING_TERMS,
} from '#core/text/question.ts';
import {
  allowedEdits,
  LEAST_SCORE,
  prefixNearness,
  scoreWords,
  typoNearness,
  wordNearness,
  words,
} from '#core/text/word-score.ts';
import { Best } from './text-index.ts';
import { FIELD_WEIGHTS, partOf } from './build-words.ts';
import { type Kind } from './word-arrays.ts';
import type { WordBase } from './word-base.ts';
import { compareEntries, type ChangedEntry, type WordChanges } from './word-changes.ts';

/** Ids, best first. */
export type FoundIds = Record<Kind, string[]>;

export interface WordIndex {
  /** At most `limit` of each kind. An empty question finds nothing. */
  search(question: string, limit: number): FoundIds;
}

/** A term that an asked word may mean. */
interface Meant {
  term: number;
  text: string;
  frequency: number;
  /** 0..1: how near it is to what was asked. */
  nearness: number;
}

/** An entry of the base by its place, or one that changed. */
type Entry = number | ChangedEntry;
type Take = (entry: Entry, nearness: number) => void;

/** @param changes laid over the base; they may go on changing */
export function openWordIndex(base: WordBase, changes: WordChanges | null = null): WordIndex {
  /** Parts that terms of the base share with the asked word; empty between two questions. */
  let shared: Uint8Array | null = null;
  /** Of terms that an asked word may mean, counted from 1 (they are at most 101); empty between two as well. */
  let placeOf: Uint8Array | null = null;
  const textOf = (term: number): string => (term < base.size ? base.term(term) : (changes?.term(term) ?? ''));
  const frequencyOf = (term: number): number => (base.arrays.frequencies[term] ?? 0) + (changes?.frequency(term) ?? 0);
  const isBefore = (a: number, b: number): boolean => (a < base.size && b < base.size ? a < b : textOf(a) < textOf(b));

  function expand(word: string, open: boolean): Meant[] {
    const best = new Map<number, Meant>();
    const add = (term: number, text: string, nearness: number): void => {
      const frequency = frequencyOf(term);
      if (frequency > 0 && nearness > (best.get(term)?.nearness ?? 0))
        best.set(term, { term, text, frequency, nearness });
    };
    const known = base.find(word);
    const itself = known < 0 ? (changes?.find(word) ?? -1) : known;
    if (itself >= 0) add(itself, word, 1);
    if (open && word.length >= LEAST_BEGINNING)
      for (const term of beginning(word)) add(term, textOf(term), prefixNearness(word, textOf(term)));
    const edits = allowedEdits(word);
    if (edits > 0) for (const { term, text, nearness } of near(word, edits)) add(term, text, nearness);
    return [...best.values()];
  }

  /** Terms that go on where the word ends, the most frequent. */
  function beginning(word: string): readonly number[] {
    const best = new Best<number>(PREFIX_TERMS, (a, b) => {
      const more = frequencyOf(a) - frequencyOf(b);
      return more > 0 || (more === 0 && isBefore(a, b));
    });
    const show = (term: number): void => {
      const { last } = best;
      if (last === undefined || frequencyOf(term) >= frequencyOf(last)) best.show(term);
    };
    const end = base.lowerBound(`${word}\uffff`);
    let term = base.lowerBound(word);
    if (term < end && base.term(term) === word) term++;
    for (; term < end; term++) show(term);
    for (const added of changes?.beginningWith(word) ?? []) if (textOf(added) !== word) show(added);
    return best.all;
  }

  /** Terms within reach of typing errors, those first that share most parts. */
  function near(word: string, edits: number): { term: number; text: string; nearness: number }[] {
    const { partStarts, partTerms } = base.arrays;
    const counts = (shared ??= new Uint8Array(base.size));
    const touched: number[] = [];
    const added = new Map<number, number>();
    const touch = (term: number): void => {
      if (term >= base.size) added.set(term, (added.get(term) ?? 0) + 1);
      else {
        if (counts[term] === 0) touched.push(term);
        counts[term] = (counts[term] as number) + 1;
      }
    };
    const begins = word.slice(0, 2);
    const [from, to] = [base.lowerBound(begins), base.lowerBound(`${begins}\uffff`)];
    let rare = 0;
    for (const part of grams(word).map(partOf)) {
      const [start, end] = [partStarts[part] ?? 0, partStarts[part + 1] ?? 0];
      const more = changes?.having(part) ?? [];
      if (end - start + more.length <= COMMON_PART) {
        rare++;
        for (let at = start; at < end; at++) touch(partTerms[at] as number);
        for (const term of more) touch(term);
        continue;
      }
      const few: number[] = [];
      for (let at = firstAtLeast(partTerms, start, end, from); at < end && few.length < COMMON_PART; at++) {
        const term = partTerms[at] as number;
        if (term >= to) break;
        few.push(term);
      }
      const begun = more.filter((term) => textOf(term).startsWith(begins));
      const first = begun.length === 0 ? few : [...few, ...begun].sort((a, b) => (isBefore(a, b) ? -1 : 1));
      for (const term of first.slice(0, COMMON_PART)) touch(term);
    }
    const least = leastShared(rare, edits);
    const byShared: number[][] = [];
    const put = (term: number, count: number): void => {
      if (count >= least) (byShared[count] ??= []).push(term);
    };
    for (const term of touched) {
      put(term, counts[term] as number);
      counts[term] = 0;
    }
    for (const [term, count] of added) put(term, count);
    const found: { term: number; text: string; nearness: number }[] = [];
    let looked = 0;
    for (let count = byShared.length - 1; count > 0; count--)
      for (const term of (byShared[count] ?? []).sort((a, b) => (isBefore(a, b) ? -1 : 1))) {
        if (looked++ >= SHARING_TERMS || found.length >= CLOSE_TERMS) return found;
        const text = textOf(term);
        const nearness = typoNearness(word, text);
        if (nearness > 0) found.push({ term, text, nearness });
      }
    return found;
  }

  function candidates(kind: Kind, asked: readonly Asked[]): Entry[] {
    const promise = new Map<Entry, number>();
    for (const { terms, frequency } of asked) {
      const weight = candidateWeight(frequency);
      const add: Take = (entry, nearness) => void promise.set(entry, (promise.get(entry) ?? 0) + weight * nearness);
      if (promise.size > 0 && frequency > MOST_PER_WORD) {
        eachKnown(kind, [...promise.keys()], terms, add);
        continue;
      }
      eachEntry(kind, terms, add);
    }
    const best = new Best<[Entry, number]>(MOST_RESCORED, ([a, x], [b, y]) => x > y || (x === y && compare(a, b) < 0));
    for (const one of promise) if (one[1] >= (best.last?.[1] ?? 0)) best.show(one);
    return best.all.map(([entry]) => entry);
  }

  /** Of these entries those that have one of the terms, with how near the best is. */
  function eachKnown(kind: Kind, entries: readonly Entry[], terms: readonly Meant[], take: Take): void {
    const nearness = [0, ...terms.map((one) => one.nearness)];
    const ofTerm = new Map(terms.map((one) => [one.term, one.nearness]));
    const places = (placeOf ??= new Uint8Array(base.size));
    terms.forEach(({ term }, at) => void (term < base.size && (places[term] = at + 1)));
    for (const entry of entries) {
      const best =
        typeof entry === 'number'
          ? base.best(kind, entry, places, nearness)
          : Math.max(...entry.terms.map((term) => ofTerm.get(term) ?? 0));
      if (best > 0) take(entry, best);
    }
    for (const { term } of terms) if (term < base.size) places[term] = 0;
  }

  /** The first entries that have one of the terms, each once, with how near its best term is. */
  function eachEntry(kind: Kind, terms: readonly Meant[], take: Take): void {
    const { starts, bytes } = base.arrays[kind];
    const gone = changes?.goneOf(kind) ?? null;
    const heap = new Heap();
    const inOrder = [...terms].sort((a, b) => (a.text < b.text ? -1 : 1));
    for (const [rank, { term, nearness }] of inOrder.entries()) {
      if (term < base.size)
        heap.add(new StoredCursor(rank, nearness, bytes, starts[term] ?? 0, starts[term + 1] ?? 0, gone));
      const list = changes?.postingsOf(kind, term) ?? [];
      if (list.length > 0) heap.add(new ChangedCursor(rank, nearness, list));
    }
    let entry: Entry | null = null;
    let nearness = 0;
    for (let taken = 0; taken < MOST_PER_WORD && heap.first !== undefined; taken++) {
      const { first } = heap;
      if (first.entry !== entry) {
        if (entry !== null) take(entry, nearness);
        entry = first.entry;
        nearness = 0;
      }
      nearness = Math.max(nearness, first.nearness);
      heap.next();
    }
    if (entry !== null) take(entry, nearness);
  }

  const fieldsOf = (kind: Kind, entry: Entry): readonly ArrayLike<number>[] =>
    typeof entry === 'number' ? base.fields(kind, entry) : entry.fields;
  const idOf = (kind: Kind, entry: Entry): string => (typeof entry === 'number' ? base.idOf(kind, entry) : entry.id);

  return {
    search(question, limit) {
      const asked = words(question.slice(0, MAX_QUESTION)).slice(0, MAX_WORDS);
      if (asked.length === 0) return { artists: [], albums: [], tracks: [] };
      const expanded = asked.map((word, at) => askedOf(expand(word, at === asked.length - 1)));
      const weights = expanded.map(({ frequency }) => rankWeight(frequency));
      const rareFirst = expanded.filter(({ terms }) => terms.length > 0).sort((a, b) => a.frequency - b.frequency);
      const nearness = asked.map(() => new Map<number, number>());
      const nearnessOf = (at: number, term: number): number => {
        const known = nearness[at]?.get(term);
        if (known !== undefined) return known;
        const made = wordNearness(asked[at] ?? '', textOf(term), at === asked.length - 1);
        nearness[at]?.set(term, made);
        return made;
      };
      const best = (kind: Kind): string[] =>
        candidates(kind, rareFirst)
          .map((entry) => {
            const fields = fieldsOf(kind, entry).map((found, at) => ({ words: found, weight: FIELD_WEIGHTS[at] ?? 0 }));
            return { id: idOf(kind, entry), score: scoreWords(asked.length, weights, fields, nearnessOf) };
          })
          .filter(({ score }) => score >= LEAST_SCORE)
          .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
          .slice(0, limit)
          .map(({ id }) => id);
      return { artists: best('artists'), albums: best('albums'), tracks: best('tracks') };
    },
  };
}

/** What a word of the question may mean. */
interface Asked {
  terms: Meant[];
  frequency: number;
}

const askedOf = (terms: Meant[]): Asked => ({
  terms,
  frequency: terms.reduce((sum, { frequency }) => sum + frequency, 0),
});

function firstAtLeast(list: Uint32Array, from: number, to: number, value: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Places of the base are odd, what changed stands between them. */
const keyOf = (entry: Entry): number => (typeof entry === 'number' ? 2 * entry + 1 : 2 * entry.before);

function compare(a: Entry, b: Entry): number {
  const by = keyOf(a) - keyOf(b);
  return by !== 0 || typeof a === 'number' || typeof b === 'number' ? by : compareEntries(a, b);
}

/** A term's entries, one after the other. */
interface Cursor {
  entry: Entry;
  /** Of the entry, for `compare`. */
  key: number;
  /** Of the term among those that are looked for. */
  readonly rank: number;
  readonly nearness: number;
  /** False at the end. */
  advance(): boolean;
}

class StoredCursor implements Cursor {
  entry = -1;
  key = -1;
  readonly rank: number;
  readonly nearness: number;
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;
  readonly #gone: Uint8Array | null;

  constructor(rank: number, nearness: number, bytes: Uint8Array, at: number, end: number, gone: Uint8Array | null) {
    this.rank = rank;
    this.nearness = nearness;
    this.#bytes = bytes;
    this.#at = at;
    this.#end = end;
    this.#gone = gone;
  }

  advance(): boolean {
    while (this.#at < this.#end) {
      let byte = this.#bytes[this.#at++] as number;
      let gap = byte & 127;
      for (let shift = 7; byte >= 128; shift += 7) {
        byte = this.#bytes[this.#at++] as number;
        gap |= (byte & 127) << shift;
      }
      this.entry += gap;
      if (this.#gone?.[this.entry] === 1) continue;
      this.key = keyOf(this.entry);
      return true;
    }
    return false;
  }
}

class ChangedCursor implements Cursor {
  entry: Entry = -1;
  key = -1;
  readonly rank: number;
  readonly nearness: number;
  readonly #list: readonly ChangedEntry[];
  #at = 0;

  constructor(rank: number, nearness: number, list: readonly ChangedEntry[]) {
    this.rank = rank;
    this.nearness = nearness;
    this.#list = list;
  }

  advance(): boolean {
    const next = this.#list[this.#at++];
    if (next === undefined) return false;
    this.entry = next;
    this.key = keyOf(next);
    return true;
  }
}

function goesBefore(a: Cursor, b: Cursor): boolean {
  if (a.key !== b.key) return a.key < b.key;
  return (compare(a.entry, b.entry) || a.rank - b.rank) < 0;
}

/** Cursors, that with the first entry on top. */
class Heap {
  readonly #cursors: Cursor[] = [];

  add(cursor: Cursor): void {
    if (!cursor.advance()) return;
    const all = this.#cursors;
    let at = all.push(cursor) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!goesBefore(cursor, all[parent] as Cursor)) break;
      all[at] = all[parent] as Cursor;
      at = parent;
    }
    all[at] = cursor;
  }

  get first(): Cursor | undefined {
    return this.#cursors[0];
  }

  /** Moves the first one on. */
  next(): void {
    const all = this.#cursors;
    const top = all[0];
    if (top === undefined) return;
    const moved = top.advance() ? top : (all.pop() as Cursor);
    if (all.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= all.length) break;
      if (child + 1 < all.length && goesBefore(all[child + 1] as Cursor, all[child] as Cursor)) child++;
      if (!goesBefore(all[child] as Cursor, moved)) break;
      all[at] = all[child] as Cursor;
      at = child;
    }
    all[at] = moved;
  }
}
