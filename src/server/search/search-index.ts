/**
 * The search index lives in the database and is written in the transaction of the change itself, so that what
 * another process writes (the CLI's import) is found at once. Postings lead from a term to what has it.
 */
import { bulkInsert, chunks, type Breathe } from '../store/rows.ts';
import type { SearchPostingTable, Tx } from '../store/schema.ts';
import { createTurns } from '../turns.ts';
import { grams } from '#core/text/question.ts';
import { terms } from './terms.ts';

/** Entries, and terms, that are in memory with all their rows at a time. */
const GROUP = 20_000;

/** Terms whose counts wait to be written. */
const MOST_COUNTED = 100_000;

/** What is to be found, and by which texts. */
export interface SearchEntry {
  /** The lane's word for what it is, the same for all of a kind. */
  kind: string;
  id: string;
  texts: string[];
}

/** Brings the index up to date: for entities that are new, which spares looking, and for those that may be in it. */
export async function indexEntries(tx: Tx, entries: Entries, breathe: Breathe): Promise<void> {
  const indexing = new Indexing(tx, breathe);
  await indexing.put(entries);
  await indexing.end();
}

interface Entries {
  fresh?: readonly SearchEntry[];
  known?: readonly SearchEntry[];
}

/** The same for many, a part at a time: what is counted for each term is written when it is much, and at the end. */
export class Indexing {
  readonly #tx: Tx;
  readonly #breathe: Breathe;
  readonly #counts = new Map<string, number>();

  constructor(tx: Tx, breathe: Breathe) {
    this.#tx = tx;
    this.#breathe = breathe;
  }

  async put({ fresh = [], known = [] }: Entries): Promise<void> {
    await putEntries(this.#tx, fresh, this.#counts, this.#breathe);
    await dropPostings(this.#tx, known, this.#counts, this.#breathe);
    await putEntries(this.#tx, known, this.#counts, this.#breathe);
    if (this.#counts.size > MOST_COUNTED) await this.end();
  }

  async end(): Promise<void> {
    await countTerms(this.#tx, this.#counts, this.#breathe);
    this.#counts.clear();
  }
}

async function putEntries(
  tx: Tx,
  entries: readonly SearchEntry[],
  counts: Map<string, number>,
  breathe: Breathe,
): Promise<void> {
  // In the order of the primary key the tree grows at its end, which is several times as fast.
  for (const part of chunks(entries, 1, GROUP)) {
    const rows: SearchPostingTable[] = [];
    for (const entry of part) {
      const found = terms(...entry.texts);
      for (const term of found) {
        rows.push({ kind: entry.kind, entity_id: entry.id, term, terms: found.length });
        counts.set(term, (counts.get(term) ?? 0) + 1);
      }
      await breathe();
    }
    await bulkInsert(
      tx,
      rows,
      (some) => tx.insertInto('search_postings').values(some),
      (row) => [row.kind, row.entity_id, row.term, row.terms],
      breathe,
    );
  }
}

async function dropPostings(
  tx: Tx,
  entries: readonly SearchEntry[],
  counts: Map<string, number>,
  breathe: Breathe,
): Promise<void> {
  for (const kind of new Set(entries.map((entry) => entry.kind))) {
    const ids = entries.filter((entry) => entry.kind === kind).map((entry) => entry.id);
    for (const part of chunks(ids, 1, 200)) {
      const gone = await tx
        .deleteFrom('search_postings')
        .where('kind', '=', kind)
        .where('entity_id', 'in', part)
        .returning('term')
        .execute();
      for (const { term } of gone) counts.set(term, (counts.get(term) ?? 0) - 1);
      await breathe();
    }
  }
}

async function countTerms(tx: Tx, counts: ReadonlyMap<string, number>, breathe: Breathe): Promise<void> {
  const turns = createTurns();
  const changed = [...counts].filter(([, by]) => by !== 0);
  const inOrder = await turns.sorted(changed, ([a], [b]) => (a < b ? -1 : 1));
  for (const part of chunks(inOrder, 1, GROUP)) await countGroup(tx, part, breathe);
}

async function countGroup(tx: Tx, changed: readonly [string, number][], breathe: Breathe): Promise<void> {
  const turns = createTurns();
  const known = new Set<string>();
  for (const part of chunks(changed, 1, 500)) {
    const names = part.map(([term]) => term);
    const rows = await tx.selectFrom('search_terms').select('term').where('term', 'in', names).execute();
    for (const { term } of rows) known.add(term);
    await breathe();
  }
  await bulkInsert(
    tx,
    changed,
    (part) =>
      tx
        .insertInto('search_terms')
        .values(part.map(([term, by]) => ({ term, df: by })))
        .onConflict((c) =>
          c.column('term').doUpdateSet((eb) => ({ df: eb('search_terms.df', '+', eb.ref('excluded.df')) })),
        ),
    (row) => row,
    breathe,
  );
  const added: { gram: string; term: string }[] = [];
  await turns.each(changed, ([term]) => {
    if (!known.has(term)) for (const gram of grams(term)) added.push({ gram, term });
  });
  await bulkInsert(
    tx,
    await turns.sorted(added, (a, b) => (a.gram < b.gram ? -1 : a.gram > b.gram ? 1 : 0)),
    (part) =>
      tx
        .insertInto('search_grams')
        .values(part)
        .onConflict((c) => c.columns(['gram', 'term']).doNothing()),
    (row) => [row.gram, row.term],
    breathe,
  );
}
