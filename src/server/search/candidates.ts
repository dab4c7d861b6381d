/** From words to entities that may be meant: the rarest word is looked up first, the others narrow it down. */
import { chunks } from '../store/chunks.ts';
import type { Reader, SearchKind } from '../store/schema.ts';
import type { ExpandedTerm } from './expand.ts';

/** Entities taken for the rarest word. A word more common than that is only used to tell candidates apart. */
const MOST_PER_WORD = 2000;
/** Candidates that are loaded and rescored. */
const MOST_RESCORED = 120;

/** Ids of at most {@link MOST_RESCORED} entities of the kind, most promising first. */
export async function candidates(db: Reader, kind: SearchKind, asked: readonly ExpandedTerm[][]): Promise<string[]> {
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

async function postings(db: Reader, kind: SearchKind, terms: string[], narrow: string[] | null): Promise<Posting[]> {
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
