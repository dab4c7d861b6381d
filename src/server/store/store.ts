import { Kysely, type Dialect } from 'kysely';
import { migrate } from './migrate.ts';
import type { Database, Reader, Tx } from './schema.ts';

/**
 * The catalog database. Reads go through `db` and see what is committed, also while a long import runs;
 * everything that changes something goes through `write`, one transaction at a time.
 */
export interface Store {
  readonly db: Reader;
  /** Runs `work` in a transaction: all of it is committed, or, when it throws, nothing. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Uuid that names this database: a replica of another one starts over. */
export const CATALOG_ID = 'catalog_id';

/**
 * Opens the store over the given dialects (the same database twice), migrates it and names it.
 * @param newId makes the database's own id, once
 */
export async function openStore(dialects: { writer: Dialect; reader: Dialect }, newId: () => string): Promise<Store> {
  const writer = new Kysely<Database>({ dialect: dialects.writer });
  const reader = new Kysely<Database>({ dialect: dialects.reader });
  await migrate(writer);
  await writer.transaction().execute(async (tx) => {
    await tx.insertInto('meta').values({ key: CATALOG_ID, value: newId() }).onConflict((c) => c.column('key').doNothing()).execute();
    await tx.insertInto('feed_counter').values({ id: 1, value: 0 }).onConflict((c) => c.column('id').doNothing()).execute();
  });
  return {
    db: reader,
    write: (work) => writer.transaction().execute(work),
    close: async () => {
      await reader.destroy();
      await writer.destroy();
    },
  };
}

/** A value of the `meta` table, or null. */
export async function readMeta(db: Reader, key: string): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

export async function writeMeta(tx: Tx, key: string, value: string): Promise<void> {
  const row = { key, value };
  await tx.insertInto('meta').values(row).onConflict((c) => c.column('key').doUpdateSet({ value })).execute();
}
