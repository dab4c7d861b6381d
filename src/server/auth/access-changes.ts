/** Counts what was taken from or given to people, so that every process looks again at its open sockets. */
import type { Tx } from '../store/schema.ts';

/** Row of `feed_counter`; the first two are the catalog's changes and the jobs' updates. */
export const ACCESS_COUNTER = 3;

/** Says, in the transaction that does it, that somebody may more or less than before. */
export async function noteAccessChange(tx: Tx): Promise<void> {
  await tx
    .insertInto('feed_counter')
    .values({ id: ACCESS_COUNTER, value: 1 })
    .onConflict((c) => c.column('id').doUpdateSet((eb) => ({ value: eb('feed_counter.value', '+', 1) })))
    .execute();
}
