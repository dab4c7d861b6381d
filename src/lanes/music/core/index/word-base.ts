/** An index of words as it is stored, made ready to be asked. */
import { decodeUtf8 } from '#core/utf8.ts';
import type { CompactRows } from './compact-catalog.ts';
import { fieldsOf, startsOf, type Named, type NameWords } from './build-words.ts';
import { type Kind, type WordArrays } from './word-arrays.ts';

/** Terms are numbered in order of the alphabet, entries of a kind as `WordArrays` has them. */
export interface WordBase {
  arrays: WordArrays;
  named: Named;
  rows: Pick<CompactRows, 'artistRow' | 'albumRow' | 'trackRow' | 'text'>;
  /** Words in the vocabulary. */
  size: number;
  term(number: number): string;
  /** The number of the first term that is not before this text; `size` where all are. */
  lowerBound(text: string): number;
  /** -1 where it is not in the vocabulary. */
  find(word: string): number;
  idOf(kind: Kind, entry: number): string;
  /** -1 where there is none. */
  entryOf(kind: Kind, id: string): number;
  /** The words of an entry's texts. */
  fields(kind: Kind, entry: number): Uint32Array[];
  /** The greatest that `nearness` has for an entry's words by what `places` says of them. Thousands are asked for. */
  best(kind: Kind, entry: number, places: Uint8Array, nearness: readonly number[]): number;
}

export function openWordBase(arrays: WordArrays, named: Named, rows: WordBase['rows']): WordBase {
  const { terms, ends, words, counts } = arrays;
  const starts = startsOf(counts);
  const size = ends.length;
  const startOf = (number: number): number => (number === 0 ? 0 : (ends[number - 1] as number));
  const isBefore = (number: number, text: string): boolean => {
    const start = startOf(number);
    const length = (ends[number] as number) - start;
    for (let at = 0; at < length; at++) {
      if (at >= text.length) return false;
      const difference = (terms[start + at] as number) - text.charCodeAt(at);
      if (difference !== 0) return difference < 0;
    }
    return length < text.length;
  };
  const term = (number: number): string => decodeUtf8(terms.subarray(startOf(number), ends[number]));
  const lowerBound = (text: string): number => {
    let low = 0;
    let high = size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(middle, text)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const find = (word: string): number => {
    const number = lowerBound(word);
    return number < size && term(number) === word ? number : -1;
  };
  const years = new Map<number, Uint32Array>();
  const names: NameWords = {
    of: (text) => words.subarray(starts[text], starts[text + 1]),
    ofYear(year) {
      const known = years.get(year);
      if (known) return known;
      const number = year === 0 ? -1 : find(String(year - 1));
      const made = Uint32Array.from(number < 0 ? [] : [number]);
      years.set(year, made);
      return made;
    },
  };
  const rowOf = { artists: rows.artistRow, albums: rows.albumRow, tracks: rows.trackRow };
  /** The entry of each row, made when something has changed. */
  const entries = new Map<Kind, Uint32Array>();
  return {
    ...{ arrays, named, rows, size, term, lowerBound, find },
    idOf: (kind, entry) => rows.text(named[kind].id, arrays[kind].rows[entry] ?? 0),
    entryOf(kind, id) {
      const row = rowOf[kind](id);
      if (row < 0) return -1;
      let entryOfRow = entries.get(kind);
      if (!entryOfRow) {
        entryOfRow = new Uint32Array(arrays[kind].rows.length);
        for (const [entry, at] of arrays[kind].rows.entries()) entryOfRow[at] = entry;
        entries.set(kind, entryOfRow);
      }
      return entryOfRow[row] as number;
    },
    best(kind, entry, places, nearness) {
      const row = arrays[kind].rows[entry] as number;
      let best = 0;
      const look = (text: number): void => {
        const end = starts[text + 1] as number;
        for (let at = starts[text] as number; at < end; at++) {
          const place = places[words[at] as number] as number;
          if (place > 0) best = Math.max(best, nearness[place] as number);
        }
      };
      if (kind === 'artists') look(named.artists.name[row] as number);
      else {
        look(named[kind].title[row] as number);
        look(named[kind].artist[row] as number);
        if (kind === 'tracks') look(named.albums.title[named.tracks.album[row] as number] as number);
        else
          for (const word of names.ofYear(named.albums.year[row] as number))
            best = Math.max(best, nearness[places[word] as number] as number);
      }
      return best;
    },
    fields: (kind, entry) => fieldsOf(named, names, kind, arrays[kind].rows[entry] ?? 0),
  };
}
