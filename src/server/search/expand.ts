/** From an asked word to the terms of the vocabulary that it may mean. */
import { distance } from 'fastest-levenshtein';
import type { Reader } from '../store/schema.ts';
import { allowedEdits, grams } from './terms.ts';

/** Terms compared letter by letter, chosen by how many three-letter parts they share with the word. */
const CLOSE_TERMS = 60;
/** Terms that a word's beginning may be short for. */
const PREFIX_TERMS = 40;

type TermRow = Pick<ExpandedTerm, 'term' | 'df'>;

export interface ExpandedTerm {
  term: string;
  /** Entities that have it. */
  df: number;
  /** 0..1: how near it is to what was asked. */
  nearness: number;
}

/** @param open true for the word that may still be being typed: what begins with it counts, too */
export async function expand(db: Reader, word: string, open: boolean): Promise<ExpandedTerm[]> {
  const best = new Map<string, ExpandedTerm>();
  const add = ({ term, df }: TermRow, nearness: number): void => {
    if (df > 0 && nearness > (best.get(term)?.nearness ?? 0)) best.set(term, { term, df, nearness });
  };
  for (const row of await db.selectFrom('search_terms').selectAll().where('term', '=', word).execute()) add(row, 1);
  if (open && word.length >= 2) for (const row of await beginning(db, word)) add(row, prefixNearness(word, row.term));
  const edits = allowedEdits(word);
  if (edits > 0) for (const row of await sharing(db, word, edits)) add(row, typoNearness(word, row.term));
  return [...best.values()];
}

/** Nearness of a mistyped word; 0 when it is too far. */
export function typoNearness(asked: string, term: string): number {
  const edits = distance(asked, term);
  if (edits > allowedEdits(asked)) return 0;
  return edits === 0 ? 1 : 1 - (1.3 * edits) / Math.max(asked.length, term.length);
}

/** Nearness of a word of which only the beginning was typed. */
export function prefixNearness(asked: string, term: string): number {
  return term.startsWith(asked) ? 0.75 + (0.25 * asked.length) / term.length : 0;
}

async function beginning(db: Reader, word: string): Promise<TermRow[]> {
  // The order of texts is that of their bytes on every store (postgres-dialect.ts).
  return db
    .selectFrom('search_terms')
    .selectAll()
    .where('term', '>', word)
    .where('term', '<', `${word}\uffff`)
    .orderBy('df', 'desc')
    .orderBy('term')
    .limit(PREFIX_TERMS)
    .execute();
}

async function sharing(db: Reader, word: string, edits: number): Promise<TermRow[]> {
  const parts = grams(word);
  // One edit touches three parts at most: a term within reach shares all others.
  const least = Math.max(1, parts.length - 3 * edits);
  const near = await db
    .selectFrom('search_grams')
    .select((eb) => ['term', eb.fn.countAll<number>().as('shared')])
    .where('gram', 'in', parts)
    .groupBy('term')
    .having((eb) => eb(eb.fn.countAll(), '>=', least))
    .orderBy('shared', 'desc')
    .orderBy('term')
    .limit(CLOSE_TERMS * 4)
    .execute();
  const names = near
    .map((row) => row.term)
    .filter((term) => typoNearness(word, term) > 0)
    .slice(0, CLOSE_TERMS);
  if (names.length === 0) return [];
  return db.selectFrom('search_terms').selectAll().where('term', 'in', names).execute();
}
