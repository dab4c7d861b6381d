/**
 * Counters of changes: each is one row of `feed_counter`, locked by the transaction that counts on until it
 * commits, so that numbers become visible in their order.
 */
import type { Reader, Tx } from './schema.ts';

/** `catalog`: the change feed. `updates`: what happened to jobs. `access`: changes of who may do what. */
const ROWS = { catalog: 1, updates: 2, access: 3 } as const;
type Counter = keyof typeof ROWS;

/** Counts on by so many; answers the last number. */
export async function countOn(tx: Tx, counter: Counter, by: number): Promise<number> {
  const row = await tx
    .insertInto('feed_counter')
    .values({ id: ROWS[counter], value: by })
    .onConflict((c) => c.column('id').doUpdateSet((eb) => ({ value: eb('feed_counter.value', '+', by) })))
    .returning('value')
    .executeTakeFirstOrThrow();
  return Number(row.value);
}

/** The last number of each. */
export async function positions(db: Reader): Promise<Record<Counter, number>> {
  const rows = await db.selectFrom('feed_counter').selectAll().execute();
  const of = (counter: Counter): number => Number(rows.find(({ id }) => Number(id) === ROWS[counter])?.value ?? 0);
  return { catalog: of('catalog'), updates: of('updates'), access: of('access') };
}
