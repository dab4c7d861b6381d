/**
 * A question put to the search index, typing errors forgiven. Candidates come from the words: the rarest is looked up
 * first, the others narrow it down; a lane then reads their records and has them ranked by their own texts.
 */
import { sql } from 'kysely';
import { chunks } from '../store/rows.ts';
import type { Reader } from '../store/schema.ts';
import {
  allowedEdits,
  LEAST_SCORE,
  prefixNearness,
  wordScore,
  typoNearness,
  words,
  type Field,
} from '#core/text/word-score.ts';
import {
  candidateWeight,
  CLOSE_TERMS,
  COMMON_PART,
  grams,
  LEAST_BEGINNING,
  leastShared,
  MAX_WORDS,
  MOST_PER_WORD,
  MOST_RESCORED,
  PREFIX_TERMS,
  rankWeight,
  SHARING_TERMS,
} from '#core/text/question.ts';

/** From an asked word to the terms of the vocabulary that it may mean. */

type TermRow = Pick<ExpandedTerm, 'term' | 'df'>;

interface ExpandedTerm {
  term: string;
  /** Entities that have it. */
  df: number;
  /** 0..1: how near it is to what was asked. */
  nearness: number;
}

/** @param open true for the word that may still be being typed: what begins with it counts, too */
async function expand(db: Reader, word: string, open: boolean): Promise<ExpandedTerm[]> {
  const best = new Map<string, ExpandedTerm>();
  const add = ({ term, df }: TermRow, nearness: number): void => {
    if (df > 0 && nearness > (best.get(term)?.nearness ?? 0)) best.set(term, { term, df, nearness });
  };
  for (const row of await db.selectFrom('search_terms').selectAll().where('term', '=', word).execute()) add(row, 1);
  if (open && word.length >= LEAST_BEGINNING)
    for (const row of await beginning(db, word)) add(row, prefixNearness(word, row.term));
  const edits = allowedEdits(word);
  if (edits > 0) for (const row of await sharing(db, word, edits)) add(row, typoNearness(word, row.term));
  return [...best.values()];
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
  const counts = await countParts(db, parts);
  const rare = parts.filter((part) => (counts.get(part) ?? 0) <= COMMON_PART);
  const common = parts.filter((part) => (counts.get(part) ?? 0) > COMMON_PART);
  // A common one it need not share.
  const least = leastShared(rare.length, edits);
  const begins = [...word].slice(0, 2).join('');
  const found = [
    ...(rare.length === 0 ? [] : [sql`select term from search_grams where gram in (${sql.join(rare)})`]),
    ...common.map(
      (part) => sql`select term from (select term from search_grams
        where gram = ${part} and term >= ${begins} and term < ${`${begins}\uffff`} order by term limit ${COMMON_PART}) as few`,
    ),
  ];
  const { rows: near } = await sql<{ term: string }>`select term, count(*) as shared
    from (${sql.join(found, sql` union all `)}) as hits group by term having count(*) >= ${least}
    order by shared desc, term limit ${SHARING_TERMS}`.execute(db);
  const names = near
    .map((row) => row.term)
    .filter((term) => typoNearness(word, term) > 0)
    .slice(0, CLOSE_TERMS);
  if (names.length === 0) return [];
  return db.selectFrom('search_terms').selectAll().where('term', 'in', names).execute();
}

/** How many terms have each part, counted up to one more than makes it common. */
async function countParts(db: Reader, parts: readonly string[]): Promise<Map<string, number>> {
  const counts = parts.map(
    (part) => sql`select cast(${part} as text) as part, count(*) as terms
      from (select 1 from search_grams where gram = ${part} limit ${COMMON_PART + 1}) as few`,
  );
  const { rows } = await sql<{ part: string; terms: unknown }>`${sql.join(counts, sql` union all `)}`.execute(db);
  return new Map(rows.map(({ part, terms }) => [part, Number(terms)]));
}

/** Entities that one statement narrows down: each is looked up with each term. */
const NARROWED = 100;

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
  const weights = expanded.map((terms) => rankWeight(frequency(terms)));
  return {
    candidates: (kind) => candidates(db, kind, expanded),
    rank: (records, fields, limit) =>
      records
        .map((record) => ({ record, score: wordScore(asked, weights, fields(record)) }))
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
    const weight = candidateWeight(frequency(terms));
    const narrow = promise.size > 0 && frequency(terms) > MOST_PER_WORD ? [...promise.keys()] : null;
    const nearness = new Map(terms.map((term) => [term.term, term.nearness]));
    const found = new Map<string, { nearness: number; terms: number }>();
    for (const row of await postings(db, kind, [...nearness.keys()], narrow)) {
      const near = nearness.get(row.term) ?? 0;
      if (near > (found.get(row.entity_id)?.nearness ?? 0))
        found.set(row.entity_id, { nearness: near, terms: row.terms });
    }
    for (const [id, hit] of found)
      promise.set(id, { score: (promise.get(id)?.score ?? 0) + weight * hit.nearness, terms: hit.terms });
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
  if (narrow === null)
    return query.orderBy('terms').orderBy('entity_id').orderBy('term').limit(MOST_PER_WORD).execute();
  const rows: Posting[] = [];
  for (const part of chunks(narrow, 1, NARROWED)) rows.push(...(await query.where('entity_id', 'in', part).execute()));
  return rows;
}
