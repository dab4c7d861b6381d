import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, type Dialect } from 'kysely';
import { keyedLock, sharedLock, type Locks, type SharedLocks } from '../keyed-lock.ts';
import { historyTrouble, positionOf, type LastCommit, type Position } from './history.ts';
import { migrate, type Migrations } from './migrate.ts';
import { upsert } from './rows.ts';
import type { Database, Reader, Tx } from './schema.ts';

/**
 * The catalog database. Reads go through `db` and see what is committed, also while a long import runs;
 * everything that changes something goes through `write`, one transaction at a time.
 */
export interface Store {
  readonly db: Reader;
  /** Runs `work` in a transaction: all of it is committed, or, when it throws, nothing. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs `work`, which writes through a connection of its own, while nobody else of this process writes. */
  aside<T>(work: () => Promise<T>): Promise<T>;
  /** Reads within one moment of the database, whatever is written meanwhile. */
  snapshot<T>(work: (db: Reader) => Promise<T>): Promise<T>;
  /** One at a time for each key, in all processes that use this database. */
  readonly locks: Locks;
  /** True where other processes may serve the same database. */
  readonly shared: boolean;
  /** Rejects where the database takes no writes, without waiting for whoever writes. */
  checkWritable(): Promise<void>;
  /** What is wrong with the database's file, in its own words; null: nothing, or there is no such look. Reads all of it. */
  quickCheck(): Promise<string | null>;
  close(): Promise<void>;
}

/** Uuid that names this database: a replica of another one starts over. */
export const CATALOG_ID = 'catalog_id';

/** How to reach a database: adapters/node/sqlite-dialect.ts and adapters/node/postgres-dialect.ts. */
export interface StoreSource {
  writer: Dialect;
  /** The same database for reading; may be the same dialect where connections are pooled. */
  reader: Dialect;
  /** True for a transaction that could not begin because someone else writes. */
  isBusy(error: unknown): boolean;
  /** Waits for the writers of other processes, where beginning a transaction does not. */
  holdWriters?(tx: Tx): Promise<void>;
  /** Locks by name across processes; absent where one process alone serves the database. */
  locks?: SharedLocks;
  /** Rejects where the database takes no writes; absent where its directory says so. */
  checkWritable?(): Promise<void>;
  /** `Store.quickCheck`; absent where the database looks after its files by itself. */
  quickCheck?(): Promise<string | null>;
  close?(): Promise<void>;
}

/** How long a write waits for another process (the CLI's import beside the server), milliseconds. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 25;

/**
 * Opens the store, migrates it and names it.
 * @param newId makes the database's own id, once
 * @param lanes bring their own tables
 * @param last where the position after each commit is noted, so that a database that lost some is known by it
 */
export async function openStore(
  source: StoreSource,
  newId: () => string,
  lanes: readonly { readonly migrations?: Migrations }[] = [],
  last: Omit<LastCommit, 'before'> | null = null,
): Promise<Store> {
  const writer = new Kysely<Database>({ dialect: source.writer });
  const reader = new Kysely<Database>({ dialect: source.reader });
  /** Of this process's last write. */
  let reached: Position | null = null;
  const write: Store['write'] = async (work) => {
    let position: Position | undefined;
    let lost: string | null = null;
    const done = await patiently(source, () =>
      writer.transaction().execute(async (tx) => {
        await source.holdWriters?.(tx);
        const result = await work(tx);
        if (last !== null) position = await positionOf(tx);
        // A server may be put back beneath those who are connected to it; they find another history when they are again.
        if (source.locks !== undefined) lost = await historyTrouble(tx, reached, position);
        return result;
      }),
    );
    if (position !== undefined) last?.write((reached = position));
    if (lost !== null) last?.lost?.(lost);
    return done;
  };
  const ofLanes: Migrations = Object.assign({}, ...lanes.map(({ migrations }) => migrations));
  await patiently(source, () => migrate(writer, ofLanes));
  await write(async (tx) => {
    await tx
      .insertInto('meta')
      .values({ key: CATALOG_ID, value: newId() })
      .onConflict((c) => c.column('key').doNothing())
      .execute();
    await tx
      .insertInto('feed_counter')
      .values({ id: 1, value: 0 })
      .onConflict((c) => c.column('id').doNothing())
      .execute();
  });
  return {
    db: reader,
    write,
    // The one connection that writes is ours meanwhile.
    aside: (work) => writer.connection().execute(work),
    // SQLite has no other isolation, and Kysely passes over the wish there.
    snapshot: (work) => reader.transaction().setIsolationLevel('repeatable read').execute(work),
    locks: source.locks ? sharedLock(source.locks) : keyedLock(),
    shared: source.locks !== undefined,
    checkWritable: async () => source.checkWritable?.(),
    quickCheck: async () => (await source.quickCheck?.()) ?? null,
    close: async () => {
      await source.close?.();
      await reader.destroy();
      await writer.destroy();
    },
  };
}

/** Tries again while another process writes; in between, this one goes on answering. */
async function patiently<T>(source: StoreSource, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!source.isBusy(error) || performance.now() - start > PATIENCE_MS) throw error;
      await wait(PAUSE_MS);
    }
  }
}

/** A value of the `meta` table, or null. */
export async function readMeta(db: Reader, key: string): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

export async function writeMeta(tx: Tx, key: string, value: string): Promise<void> {
  await upsert(tx, 'meta', [{ key, value }], { key: ['key'] });
}
