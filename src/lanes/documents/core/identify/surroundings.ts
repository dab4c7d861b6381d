/** The text around identifiers, what is known of it as a whole, and the words before one. */
import { beginsBelow } from './article-begins.ts';
import type { FoundIdentifier } from './identifier.ts';
import type { Layout } from './layout.ts';
import { othersFrom, tellsOfOthers } from './of-others.ts';
import { lastAtMost, type Region } from './spans.ts';

/** So far down stand the title, the authors and what is said of the whole. UTF-16 units. */
export const HEAD = 1_500;
/** So far the title of a document stands, behind a cover page, too. UTF-16 units. */
export const TITLES = 3_000;
/** Words before a mention that are read. */
const BEFORE = 220;
/** Signs of a line's label and address before an identifier. */
export const LABEL = /(?:digital object identifier|doi|isbn)?[\s:.]*(?:https?:\/\/)?(?:(?:dx\.)?doi\.org\/)?$/i;

/** A notice about another article says so in its heading. */
const NOTICE =
  /^[ ]*(?:statement of |notice of )?(?:retraction|errat(?:um|a)|corrigend(?:um|a)|corrections?|expression of concern)(?: (?:note|notice|statement))?(?:[ ]*$|[ ]*[:–—-][^\n]*$|\s(?:to|for|on|and)\b[^\n]*$)/im;
/** A page of reviews: their books' ISBNs are not its own. */
const REVIEWS =
  /^[ ]*(?:book )?reviews?[ ]*$|^[ ]*(?:rezension(?:en)?|buchbesprechungen|comptes? rendus?|recensioni|reseñas)[ ]*$/im;
/** Other books of the press. */
const OFFERS =
  /^[^\n]{0,30}\b(?:also (?:from|by|available)|other (?:titles|books)|forthcoming|in the (?:museum )?shop|by the same author|weitere titel|lesetipp|du même auteur)\b/im;
const CONTENTS =
  /^[ ]*(?:table of contents|contents|inhalt(?:sverzeichnis)?|sommaire|table des matières|índice|sumário|indice|目 ?次)[ ]*$/im;
/** So many identifiers behind its contents make a volume. */
const PARTS = 3;

/** What is read once for all identifiers of a text. */
export interface Surroundings {
  source: string;
  /** Lists of references, in the order of the text. */
  lists: readonly Region[];
  /** Where each identifier of the text ends, in its order. */
  ends: readonly number[];
  layout: Layout;
  /** Where this document begins behind the end of another; -1 where it begins the page. */
  begins: number;
  isNotice: boolean;
  tellsOfOthers: boolean;
  isReviews: boolean;
  /** Where other books are offered; Infinity where none are. */
  offersFrom: number;
  /** Where the contents of a volume begin whose parts have identifiers of their own; -1 without. */
  contents: number;
  /** The letters of the first pages, as titles are looked for in them. */
  titles: string;
  /** Headings over what others wrote, each with where it stops to speak. */
  ofOthers: readonly Region[];
}

/** `ends`: in any order. */
export function surroundingsOf(
  source: string,
  lists: readonly Region[],
  found: readonly FoundIdentifier[],
  layout: Layout,
): Surroundings {
  const ends = found.map(({ end }) => end).toSorted((a, b) => a - b);
  const head = source.slice(0, HEAD);
  const contents = source.slice(0, layout.front).search(CONTENTS);
  const parts = ends.filter((end) => end > contents && end < layout.front).length;
  return {
    ...{ source, lists, ends, layout, begins: beginsBelow(source), isNotice: NOTICE.test(head) },
    ...{ tellsOfOthers: tellsOfOthers(source), isReviews: REVIEWS.test(head), ofOthers: othersFrom(source) },
    offersFrom: OFFERS.exec(source)?.index ?? Infinity,
    contents: parts >= PARTS ? contents : -1,
    titles: letters(source.slice(0, TITLES)),
  };
}

/** Where the identifier before ends; 0 without one. */
export const lastBefore = (ends: readonly number[], start: number): number =>
  ends[lastAtMost(ends, start, (end) => end)] ?? 0;

/** Where an entry may begin that it ends: behind the identifier and the list of references before it. */
export const entriesFrom = ({ ends, lists }: Surroundings, start: number): number =>
  Math.max(lastBefore(ends, start), lists[lastAtMost(lists, start, ({ end }) => end)]?.end ?? 0);

export function placeOf({ source, lists, layout }: Surroundings, start: number): 'front' | 'body' | 'back' {
  if (start < layout.front) return 'front';
  const end = lists.at(-1)?.end ?? 0;
  return start >= layout.back || (end > 0 && start >= end && start > source.length / 2) ? 'back' : 'body';
}

/** The words before it, back to the identifier before. */
export function wordsBefore({ source, ends }: Surroundings, start: number): string {
  return source.slice(Math.max(lastBefore(ends, start), start - BEFORE), start).normalize('NFKC');
}

/** A line that calls upon its reader to follow the next. */
const CALL = /^\s*(?:read|see|full|link to|more|latest|new|find)\b[^.\n]{0,50}$/i;

/** What of its line stands before it, back to the identifier before; where that is its label alone, with the line that runs into it. */
export function lineBefore({ source, ends }: Surroundings, start: number): string {
  const from = Math.max(lastBefore(ends, start), start - BEFORE);
  const at = lineStart(source, start, from);
  const line = source.slice(at, start);
  if (at <= from || line.replace(LABEL, '').trim() !== '') return line;
  const above = source.slice(lineStart(source, at - 1, from), at - 1);
  return /[:,]$/.test(above.trimEnd()) || CALL.test(above) ? `${above} ${line}` : line;
}

/** Where the line of `at` begins, not before `from`. */
export function lineStart(source: string, at: number, from: number): number {
  return from + source.slice(from, Math.max(from, at)).lastIndexOf('\n') + 1;
}

export const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];
/** Its letters alone, in small ones. */
export const letters = (text: string): string => wordsOf(text).join('');
