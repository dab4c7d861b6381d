/**
 * A question put to the search index, typing errors forgiven. Candidates come from the words: the rarest is looked up
 * first, the others narrow it down; a lane then reads their records and has them ranked by their own texts.
 */
import { chunks } from '../store/rows.ts';
import type { Reader } from '../store/schema.ts';
import { expand, type ExpandedTerm } from './expand.ts';
import { LEAST_SCORE, score, type Field } from './score.ts';
import { words } from './terms.ts';

/** Longest question that search takes, characters. */
export const MAX_QUESTION = 500;
/** Words of a question that are looked up. */
const MAX_WORDS = 12;
/** Entities taken for the rarest word. A word more common than that is only used to tell candidates apart. */
const MOST_PER_WORD = 2000;
/** Candidates that are loaded and rescored. */
const MOST_RESCORED = 120;

export interface Question {
  /** Ids of at most {@link MOST_RESCORED} entities of the kind that may be meant, most promising first. */
  candidates(kind: string): Promise<string[]>;
  /** The records that answer it, best first, at most `limit`. @param fields a record's texts, its own name first */
  rank<T extends { id: string }>(records: readonly T[], fields: (record: T) => Field[], limit: number): T[];
}

/** Looks the words up. An empty question has no candidates. */
export async function ask(db: Reader, question: string): Promise<Question> {
  const asked = words(question).slice(0, MAX_WORDS);
  const expanded: ExpandedTerm[][] = [];
  for (const [at, word] of asked.entries()) expanded.push(await expand(db, word, at === asked.length - 1));
  const weights = expanded.map((terms) => 1 / Math.log2(3 + frequency(terms)));
  return {
    candidates: (kind) => candidates(db, kind, expanded),
    rank: (records, fields, limit) =>
      records
        .map((record) => ({ record, score: score(asked, weights, fields(record)) }))
        .filter((entry) => entry.score >= LEAST_SCORE)
        .sort((a, b) => b.score - a.score || (a.record.id < b.record.id ? -1 : 1))
        .slice(0, limit)
        .map((entry) => entry.record),
  };
}

async function candidates(db: Reader, kind: string, asked: readonly ExpandedTerm[][]): Promise<string[]> {
  const known = asked.filter((terms) => terms.length > 0);
  const rareFirst = [...known].sort((a, b) => frequency(a) - frequency(b));
  const promise = new Map<string, { score: number; terms: number }>();
  for (const terms of rareFirst) {
    const weight = 1 / Math.log2(2 + frequency(terms));
    const narrow = promise.size > 0 && frequency(terms) > MOST_PER_WORD ? [...promise.keys()] : null;
    const nearness = new Map(terms.map((term) => [term.term, term.nearness]));
    const found = new Map<string, { nearness: number; terms: number }>();
    for (const row of await postings(db, kind, [...nearness.keys()], narrow)) {
      const near = nearness.get(row.term) ?? 0;
      if (near > (found.get(row.entity_id)?.nearness ?? 0))
        found.set(row.entity_id, { nearness: near, terms: row.terms });
    }
    for (const [id, hit] of found) {
      promise.set(id, { score: (promise.get(id)?.score ?? 0) + weight * hit.nearness, terms: hit.terms });
    }
  }
  const ranked = [...promise].sort(
    ([idA, a], [idB, b]) => b.score - a.score || a.terms - b.terms || (idA < idB ? -1 : 1),
  );
  return ranked.slice(0, MOST_RESCORED).map(([id]) => id);
}

function frequency(terms: readonly ExpandedTerm[]): number {
  return terms.reduce((sum, term) => sum + term.df, 0);
}

interface Posting {
  entity_id: string;
  term: string;
  terms: number;
}

async function postings(db: Reader, kind: string, terms: string[], narrow: string[] | null): Promise<Posting[]> {
  const query = db
    .selectFrom('search_postings')
    .select(['entity_id', 'term', 'terms'])
    .where('kind', '=', kind)
    .where('term', 'in', terms);
  // Ties are settled, so that every database takes the same ones.
  if (narrow === null) return query.orderBy('terms').orderBy('entity_id').limit(MOST_PER_WORD).execute();
  const rows: Posting[] = [];
  for (const part of chunks(narrow)) rows.push(...(await query.where('entity_id', 'in', part).execute()));
  return rows;
}
