/** Symbols by their names: whole, by their beginning, by the beginnings of their parts, by what they contain, with a typo. */
import { distance } from 'fastest-levenshtein';
import type { Segment } from '../index/segment.ts';
import { foldWord, partsOfName } from '../text/words.ts';
import type { FilePlace, LibraryIndex } from './library-index.ts';

export interface FoundSymbol extends FilePlace {
  chunk: number;
  name: string;
}

interface Name {
  chunk: number;
  name: string;
  folded: string;
}

const namesOf = new WeakMap<Segment, readonly Name[]>();

function names(segment: Segment): readonly Name[] {
  let known = namesOf.get(segment);
  if (known === undefined) {
    const all: Name[] = [];
    for (let chunk = 0; chunk < segment.chunkFile.length; chunk++) {
      const name = segment.symbol(chunk);
      if (name !== '') all.push({ chunk, name, folded: foldWord(name) });
    }
    known = all;
    namesOf.set(segment, known);
  }
  return known;
}

/** How well a name fits, 0 for not at all. */
const FITS = { whole: 6, begins: 5, parts: 4, contains: 3, typo: 2 };
/** Shorter words have no typos: everything would be one. */
const LEAST_FOR_TYPO = 4;

/** Best first, shorter names before longer ones. */
export function findSymbols(index: LibraryIndex, words: string, limit: number): FoundSymbol[] {
  const fits = symbolFit(words);
  if (fits === null) return [];
  const found: (FoundSymbol & { fit: number })[] = [];
  for (const [segment, { segment: of, dead }] of index.parts.entries())
    for (const { chunk, name, folded } of names(of)) {
      const file = of.chunkFile[chunk] ?? 0;
      if (dead.has(file)) continue;
      const fit = fits(name, folded);
      if (fit > 0) found.push({ segment, file, chunk, name, fit });
    }
  found.sort(byFit);
  return found.slice(0, limit).map(({ fit: _fit, ...symbol }) => symbol);
}

/** The best fit first, then the shorter name. */
export const byFit = (a: { fit: number; name: string }, b: { fit: number; name: string }): number =>
  b.fit - a.fit || a.name.length - b.name.length || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** How well a name fits these words, 0 for not at all; null where there are no words. */
export function symbolFit(words: string): ((name: string, folded?: string) => number) | null {
  const wanted = foldWord(words.replace(/\s+/g, ''));
  if (wanted === '') return null;
  const parts = words.split(/\s+/).flatMap(partsOfName).map(foldWord);
  return (name, folded = foldWord(name)) => fitOf(wanted, parts, name, folded);
}

function fitOf(wanted: string, parts: readonly string[], name: string, folded: string): number {
  if (folded === wanted) return FITS.whole;
  if (folded.startsWith(wanted)) return FITS.begins;
  if (folded.includes(wanted)) return FITS.contains;
  if (parts.length > 1 && beginParts(parts, partsOfName(name).map(foldWord))) return FITS.parts;
  if (wanted.length < LEAST_FOR_TYPO || Math.abs(folded.length - wanted.length) > 2) return 0;
  return distance(wanted, folded) <= (wanted.length < 8 ? 1 : 2) ? FITS.typo : 0;
}

/** Whether each wanted part begins a part of the name, in order: `rd bod` does not, `read bo` does `readHTTPBody`. */
function beginParts(wanted: readonly string[], parts: readonly string[]): boolean {
  let at = 0;
  for (const part of parts) if (at < wanted.length && part.startsWith(wanted[at] ?? '')) at += 1;
  return at === wanted.length;
}
