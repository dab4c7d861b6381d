/**
 * Kysely's own SQLite dialect over the SQLite that is built into Node: no native build, no other driver.
 */
import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  SqliteAdapter,
  SqliteDialect,
  type Dialect,
  type Driver,
  type SqliteDatabase,
  type SqliteDialectConfig,
  type SqliteStatement,
} from 'kysely';
import { isCode } from '#core/errors.ts';
import { longWrites, type LongWrites } from './long-writes.ts';
import { quickChecks } from './quick-check.ts';
import { refuseNul } from './refuse-nul.ts';

/** Statements kept prepared; bulk imports send the same few again and again. */
const STATEMENT_CACHE = 256;

/**
 * How long a statement that reads waits for another process, milliseconds. Waiting blocks this one, so it is short, and
 * who wants to write does not wait at all: they try again (`isBusy`).
 */
const BUSY_TIMEOUT_MS = 100;
const SQLITE_BUSY = 5;
/** Memory for pages of the database, kilobytes. */
const CACHE_KB = 32_000;
/** The same of who writes where others wait for their turn: a commit writes all changed pages in it to the log at once. */
const TURN_CACHE_KB = 2_000;
const OWNER_ALONE = 0o600;

type Mode = 'write' | 'read';

interface SqliteFileOptions {
  writerWaitsMs?: number;
  cacheKb?: number;
}

/**
 * The database file at `path`, created when it is missing, in WAL mode, as a store opens it (server/store/store.ts,
 * `StoreSource`): a connection that writes, one that sees only what is committed, and when to try again.
 * `writerWaitsMs`: how long a transaction that writes waits to begin, milliseconds; `cacheKb`: memory of each connection for
 * pages, kilobytes.
 */
export function sqliteFile(path: string, { writerWaitsMs = 0, cacheKb }: SqliteFileOptions = {}) {
  keepToOwner(path);
  const checks = quickChecks(path);
  const dialect = (mode: Mode): Dialect => {
    const writes = longWrites(path);
    const database = (): Promise<SqliteDatabase> => {
      const opened = openDatabase(path, mode, writerWaitsMs, cacheKb ?? cacheOf(mode));
      if (mode === 'write') writes.opened(opened);
      return Promise.resolve(asKysely(opened, mode));
    };
    return new TransactionalDdlDialect({ database }, mode === 'write' ? writes : null);
  };
  return {
    writer: dialect('write'),
    reader: dialect('read'),
    isBusy: (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY,
    quickCheck: checks.check,
    close: checks.close,
  };
}

/**
 * The database and its log are read and written by their owner alone: who else reads them has every name and the hash
 * of every token. SQLite gives its log the mode of the file.
 */
function keepToOwner(path: string): void {
  closeSync(openSync(path, 'a', OWNER_ALONE));
  for (const file of [path, `${path}-wal`, `${path}-shm`])
    try {
      chmodSync(file, OWNER_ALONE);
    } catch (error) {
      // Not there yet, or somebody else's: then they decide who reads it.
      if (!isCode(error, 'ENOENT', 'EPERM')) throw error;
    }
}

function openDatabase(path: string, mode: Mode, writerWaitsMs: number, cacheKb: number): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  database.exec('pragma journal_mode = wal');
  database.exec(`pragma cache_size = -${cacheKb}`);
  database.exec(mode === 'read' ? 'pragma query_only = on' : `pragma busy_timeout = ${writerWaitsMs}`);
  return database;
}

function cacheOf(mode: Mode): number {
  return mode === 'write' ? TURN_CACHE_KB : CACHE_KB;
}

function asKysely(database: DatabaseSync, mode: Mode): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      const kept = statements.get(sql);
      if (kept) return kept;
      if (sql === 'rollback') return rollback(database);
      // A deferred transaction that first reads and then writes fails at once when another process wrote in
      // between, whatever the timeout. Taking the write lock at the beginning waits instead.
      const begins = sql === 'begin' && mode === 'write';
      const made = statementOf(database.prepare(begins ? 'begin immediate' : sql));
      statements.set(sql, made);
      const oldest = statements.keys().next();
      if (statements.size > STATEMENT_CACHE && !oldest.done) statements.delete(oldest.value);
      return made;
    },
    close() {
      statements.clear();
      try {
        if (mode === 'write') database.exec('pragma wal_checkpoint(truncate)');
      } catch {
        // A full or read-only disk: the log stays beside the file, and the next start takes it in.
      }
      database.close();
    },
  };
}

function statementOf(prepared: StatementSync): SqliteStatement {
  return {
    // `insert ... returning` has columns as well, which is what Kysely wants to know here.
    reader: prepared.columns().length > 0,
    all: (parameters) => prepared.all(...toInput(parameters)),
    run: (parameters) => prepared.run(...toInput(parameters)),
    iterate: (parameters) => prepared.iterate(...toInput(parameters)),
  };
}

/**
 * A full disk or a failed write ends the transaction by itself; rolling back what is no transaction any more would fail,
 * and hide why (FAULT-8).
 */
function rollback(database: DatabaseSync): SqliteStatement {
  return {
    ...statementOf(database.prepare('rollback')),
    run() {
      if (database.isTransaction) database.exec('rollback');
      return { changes: 0, lastInsertRowid: 0 };
    },
  };
}

function toInput(parameters: readonly unknown[]): SQLInputValue[] {
  refuseNul(parameters);
  return parameters.map((value) => {
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
      return value;
    if (value instanceof Uint8Array) return value;
    throw new TypeError(`SQLite takes no ${typeof value} as a parameter`);
  });
}

/**
 * Statements run at once and are promises only in name, so that a thousand of them in a row would let nobody else have a
 * turn: after so many milliseconds of one turn of the event loop statements wait for the next ones, each for one of its
 * own, in the order in which they came.
 */
const TURN_MS = 5;

function createTurn(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let begun: number | null = null;
  let isSet = false;
  const next = (): void => {
    const one = waiting.shift();
    begun = one === undefined ? null : performance.now();
    one?.();
    isSet = one !== undefined;
    if (isSet) setImmediate(next);
  };
  return async () => {
    const isOver = begun !== null && performance.now() - begun >= TURN_MS;
    begun ??= performance.now();
    if (!isSet) setImmediate(next);
    isSet = true;
    if (isOver || waiting.length > 0) await new Promise<void>((resolve) => waiting.push(resolve));
  };
}

/** Of all databases of this process: they have one event loop. */
const turn = createTurn();

/** A driver whose connections give others their turn between statements, and between the parts of long transactions. */
function inTurns(driver: Driver, writes: LongWrites | null): Driver {
  const acquire = driver.acquireConnection.bind(driver);
  const begin = driver.beginTransaction.bind(driver);
  const commit = driver.commitTransaction.bind(driver);
  const rollBack = driver.rollbackTransaction.bind(driver);
  const destroy = driver.destroy.bind(driver);
  return Object.assign(driver, {
    async acquireConnection(...args: Parameters<typeof acquire>) {
      const connection = await acquire(...args);
      if (Object.hasOwn(connection, 'executeQuery')) return connection;
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = async (...query: Parameters<typeof execute>) => {
        await turn();
        await writes?.goesOn();
        return execute(...query);
      };
      return connection;
    },
    async beginTransaction(...args: Parameters<typeof begin>) {
      await begin(...args);
      writes?.began();
    },
    commitTransaction: (...args: Parameters<typeof commit>) =>
      writes === null ? commit(...args) : writes.commit(() => commit(...args)),
    rollbackTransaction(...args: Parameters<typeof rollBack>) {
      writes?.rolledBack();
      return rollBack(...args);
    },
    async destroy() {
      await writes?.close();
      await destroy();
    },
  });
}

/** SQLite rolls schema changes back like any other; Kysely's adapter is only cautious. A migration is all or nothing. */
class TransactionalDdlDialect extends SqliteDialect {
  readonly #writes: LongWrites | null;

  /** @param writes null: nothing is written here */
  constructor(config: SqliteDialectConfig, writes: LongWrites | null) {
    super(config);
    this.#writes = writes;
  }

  override createDriver(): Driver {
    return inTurns(super.createDriver(), this.#writes);
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }
}

class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
