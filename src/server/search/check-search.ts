/** Whether the search index says what the rows say, and how it is made anew. */
import { sql } from 'kysely';
import type { LaneKeeping } from '../lane-server.ts';
import type { Breathe } from '../store/rows.ts';
import type { Reader, Tx } from '../store/schema.ts';
import { indexEntries, type SearchEntry } from './search-index.ts';
import { grams } from '#core/text/question.ts';
import { terms } from './terms.ts';

type Searched = Pick<LaneKeeping, 'searched'>;

/** Terms that are looked at together. */
const TERMS = 500;

/** What is wrong, as sentences without a subject: at most one of each kind, with how many there are. */
export async function searchTrouble(db: Reader, lanes: readonly Searched[]): Promise<string[]> {
  const lacking: string[] = [];
  let entries = 0;
  let postings = 0;
  for (const lane of lanes)
    for await (const page of lane.searched(db)) {
      entries += page.length;
      const { wrong, count } = await wrongEntries(db, page);
      postings += count;
      lacking.push(...wrong);
    }
  const all = await count(db, sql`select count(*) as count from search_postings`);
  const miscounted = await count(
    db,
    sql`select count(*) as count from
      (select term, count(*) as n from search_postings group by term) as p
      full outer join search_terms as t on t.term = p.term
      where coalesce(p.n, 0) <> coalesce(t.df, -1)`,
  );
  const untyped = await termsWithoutGrams(db);
  return [
    ...(lacking.length > 0
      ? [`does not find ${lacking.length} of ${entries} as they are named (${lacking.slice(0, 5).join(', ')})`]
      : []),
    ...(all > postings ? [`finds ${all - postings} times what is not in the catalog`] : []),
    ...(miscounted > 0 ? [`counts ${miscounted} words wrongly`] : []),
    ...(untyped > 0 ? [`does not find ${untyped} words that are mistyped`] : []),
  ];
}

/** Makes the index anew from the rows. It takes as long as importing them did. */
export async function rebuildSearch(tx: Tx, lanes: readonly Searched[], breathe: Breathe): Promise<void> {
  for (const table of ['search_postings', 'search_grams', 'search_terms'] as const)
    await tx.deleteFrom(table).execute();
  for (const lane of lanes)
    for await (const page of lane.searched(tx)) await indexEntries(tx, { fresh: page }, breathe);
}

async function wrongEntries(db: Reader, page: readonly SearchEntry[]): Promise<{ wrong: string[]; count: number }> {
  const wrong: string[] = [];
  const [first] = page;
  if (first === undefined) return { wrong, count: 0 };
  const ids = page.map(({ id }) => id);
  const rows = await db
    .selectFrom('search_postings')
    .select(['entity_id', 'term', 'terms'])
    .where('kind', '=', first.kind)
    .where('entity_id', 'in', ids)
    .execute();
  const has = new Map<string, string[]>();
  for (const { entity_id, term, terms: of } of rows)
    has.set(entity_id, [...(has.get(entity_id) ?? []), `${term} ${of}`]);
  for (const { kind, id, texts } of page) {
    const should = terms(...texts);
    const wanted = should.map((term) => `${term} ${should.length}`).sort();
    if (wanted.join('\n') !== (has.get(id) ?? []).sort().join('\n')) wrong.push(`${kind} ${id}`);
  }
  return { wrong, count: rows.length };
}

async function termsWithoutGrams(db: Reader): Promise<number> {
  let wrong = 0;
  for (let after = ''; ;) {
    const page = db.selectFrom('search_terms').select('term').where('term', '>', after).orderBy('term').limit(TERMS);
    const found = (await page.execute()).map(({ term }) => term);
    const last = found.at(-1);
    if (last === undefined) return wrong;
    after = last;
    const rows = await db.selectFrom('search_grams').select(['gram', 'term']).where('term', 'in', found).execute();
    const has = new Set(rows.map(({ gram, term }) => `${gram}\n${term}`));
    wrong += found.filter((term) => !grams(term).every((gram) => has.has(`${gram}\n${term}`))).length;
  }
}

async function count(db: Reader, query: ReturnType<typeof sql<{ count: unknown }>>): Promise<number> {
  return Number((await query.execute(db)).rows[0]?.count ?? 0);
}
