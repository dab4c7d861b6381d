/**
 * The search index lives in the database and is written in the transaction of the change itself, so that what
 * another process writes (the CLI's import) is found at once. Postings lead from a term to what has it.
 */
import { bulkInsert, chunks, type Breathe } from '../store/rows.ts';
import type { SearchPostingTable, Tx } from '../store/schema.ts';
import { grams, terms } from './terms.ts';

/** What is to be found, and by which texts. */
export interface SearchEntry {
  /** The lane's word for what it is, the same for all of a kind. */
  kind: string;
  id: string;
  texts: string[];
}

/** Brings the index up to date: for entities that are new, which spares looking, and for those that may be in it. */
export async function indexEntries(
  tx: Tx,
  { fresh = [], known = [] }: { fresh?: readonly SearchEntry[]; known?: readonly SearchEntry[] },
  breathe: Breathe,
): Promise<void> {
  if (fresh.length > 0) await putEntries(tx, fresh, new Map(), breathe);
  if (known.length === 0) return;
  const counts = new Map<string, number>();
  await dropPostings(tx, known, counts);
  await putEntries(tx, known, counts, breathe);
}

async function putEntries(
  tx: Tx,
  entries: readonly SearchEntry[],
  counts: Map<string, number>,
  breathe: Breathe,
): Promise<void> {
  const rows: SearchPostingTable[] = [];
  for (const entry of entries) {
    const found = terms(...entry.texts);
    for (const term of found) {
      rows.push({ kind: entry.kind, entity_id: entry.id, term, terms: found.length });
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  // In the order of the primary key the tree grows at its end, which is several times as fast.
  await bulkInsert(
    tx,
    rows,
    (part) => tx.insertInto('search_postings').values(part),
    (row) => [row.kind, row.entity_id, row.term, row.terms],
    breathe,
  );
  await countTerms(tx, counts, breathe);
}

async function dropPostings(tx: Tx, entries: readonly SearchEntry[], counts: Map<string, number>): Promise<void> {
  for (const kind of new Set(entries.map((entry) => entry.kind))) {
    const ids = entries.filter((entry) => entry.kind === kind).map((entry) => entry.id);
    for (const part of chunks(ids)) {
      const gone = await tx
        .deleteFrom('search_postings')
        .where('kind', '=', kind)
        .where('entity_id', 'in', part)
        .returning('term')
        .execute();
      for (const { term } of gone) counts.set(term, (counts.get(term) ?? 0) - 1);
    }
  }
}

async function countTerms(tx: Tx, counts: ReadonlyMap<string, number>, breathe: Breathe): Promise<void> {
  const changed = [...counts].filter(([, by]) => by !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  const known = new Set<string>();
  for (const part of chunks(changed)) {
    const names = part.map(([term]) => term);
    const rows = await tx.selectFrom('search_terms').select('term').where('term', 'in', names).execute();
    for (const { term } of rows) known.add(term);
  }
  for (const part of chunks(changed, 2))
    await tx
      .insertInto('search_terms')
      .values(part.map(([term, by]) => ({ term, df: by })))
      .onConflict((c) =>
        c.column('term').doUpdateSet((eb) => ({ df: eb('search_terms.df', '+', eb.ref('excluded.df')) })),
      )
      .execute();
  const added = changed
    .filter(([term]) => !known.has(term))
    .flatMap(([term]) => grams(term).map((gram) => ({ gram, term })));
  added.sort((a, b) => (a.gram < b.gram ? -1 : a.gram > b.gram ? 1 : 0));
  await bulkInsert(
    tx,
    added,
    (part) =>
      tx
        .insertInto('search_grams')
        .values(part)
        .onConflict((c) => c.columns(['gram', 'term']).doNothing()),
    (row) => [row.gram, row.term],
    breathe,
  );
}
