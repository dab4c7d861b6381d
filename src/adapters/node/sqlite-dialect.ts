/**
 * Kysely's own SQLite dialect over the SQLite that is built into Node: no native build, no other driver.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { SqliteAdapter, SqliteDialect, type Dialect, type SqliteDatabase, type SqliteStatement } from 'kysely';
import { refuseNul } from './refuse-nul.ts';

/** Statements kept prepared; bulk imports send the same few again and again. */
const STATEMENT_CACHE = 256;

/**
 * How long a statement waits for another process, milliseconds. Waiting blocks this one, so it is short; whoever
 * writes tries again (`isBusy`).
 */
const BUSY_TIMEOUT_MS = 100;
const SQLITE_BUSY = 5;

/** One database file as a store opens it: a connection that writes, one that reads, and when to try again. */
export interface SqliteFile {
  writer: Dialect;
  /** Sees only what is committed, and refuses to write. */
  reader: Dialect;
  /** True for the failure of a transaction that could not begin, because another process is writing. */
  isBusy(error: unknown): boolean;
}

/**
 * The database file at `path`, created when it is missing, in WAL mode.
 * @param writerWaitsMs how long a transaction that writes waits to begin, milliseconds
 */
export function sqliteFile(path: string, writerWaitsMs = BUSY_TIMEOUT_MS): SqliteFile {
  const dialect = (mode: 'write' | 'read'): Dialect =>
    new TransactionalDdlDialect({ database: () => Promise.resolve(openDatabase(path, mode, writerWaitsMs)) });
  return {
    writer: dialect('write'),
    reader: dialect('read'),
    isBusy: (error) => error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY,
  };
}

function openDatabase(path: string, mode: 'write' | 'read', writerWaitsMs: number): SqliteDatabase {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  database.exec('pragma journal_mode = wal');
  // Every commit reaches the disk before it is answered: an acknowledged result must survive a power cut.
  database.exec('pragma synchronous = full');
  database.exec('pragma cache_size = -32000');
  database.exec(mode === 'read' ? 'pragma query_only = on' : `pragma busy_timeout = ${writerWaitsMs}`);
  return new CachedDatabase(database, mode);
}

class CachedDatabase implements SqliteDatabase {
  readonly #database: DatabaseSync;
  readonly #mode: 'write' | 'read';
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(database: DatabaseSync, mode: 'write' | 'read') {
    this.#database = database;
    this.#mode = mode;
  }

  prepare(sql: string): SqliteStatement {
    const kept = this.#statements.get(sql);
    if (kept) return kept;
    if (sql === 'rollback') return new Rollback(this.#database);
    // A deferred transaction that first reads and then writes fails at once when another process wrote in
    // between, whatever the timeout. Taking the write lock at the beginning waits instead.
    const begins = sql === 'begin' && this.#mode === 'write';
    const statement = new Statement(this.#database.prepare(begins ? 'begin immediate' : sql));
    this.#statements.set(sql, statement);
    const oldest = this.#statements.keys().next();
    if (this.#statements.size > STATEMENT_CACHE && !oldest.done) this.#statements.delete(oldest.value);
    return statement;
  }

  close(): void {
    this.#statements.clear();
    try {
      if (this.#mode === 'write') this.#database.exec('pragma wal_checkpoint(truncate)');
    } catch {
      // A full or read-only disk: the log stays beside the file, and the next start takes it in.
    }
    this.#database.close();
  }
}

class Statement implements SqliteStatement {
  readonly reader: boolean;
  readonly #statement: StatementSync;

  constructor(statement: StatementSync) {
    this.#statement = statement;
    // `insert ... returning` has columns as well, which is what Kysely wants to know here.
    this.reader = statement.columns().length > 0;
  }

  all(parameters: readonly unknown[]): unknown[] {
    return this.#statement.all(...toInput(parameters));
  }

  run(parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint } {
    return this.#statement.run(...toInput(parameters));
  }

  iterate(parameters: readonly unknown[]): IterableIterator<unknown> {
    return this.#statement.iterate(...toInput(parameters));
  }
}

/**
 * A full disk or a failed write ends the transaction by itself; rolling back what is no transaction any more would fail,
 * and hide why (FAULT-8).
 */
class Rollback implements SqliteStatement {
  readonly reader = false;
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  run(): { changes: number; lastInsertRowid: number } {
    if (this.#database.isTransaction) this.#database.exec('rollback');
    return { changes: 0, lastInsertRowid: 0 };
  }

  all(): unknown[] {
    this.run();
    return [];
  }

  iterate(): IterableIterator<unknown> {
    return this.all().values();
  }
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

/** SQLite rolls schema changes back like any other; Kysely's adapter is only cautious. A migration is all or nothing. */
class TransactionalDdlDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }
}

class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
