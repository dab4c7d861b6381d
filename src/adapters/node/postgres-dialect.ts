/**
 * PostgreSQL as the catalog's store. Statements and schema are the very ones of SQLite; what would differ is settled
 * here:
 *
 *   text       byte order (collation "C"), so that pages, cursors and the search's ranges are the same
 *   integer    64 bits, read as numbers
 *   NUL        PostgreSQL keeps none in a text; both dialects refuse it (`refuseNul`)
 *   writers    one at a time, across all processes: each transaction first takes the feed's counter row
 */
import { createHash } from 'node:crypto';
import { PostgresDialect, sql, type QueryExecutorProvider } from 'kysely';
import pg from 'pg';
import { isCode } from '#core/errors.ts';
import { refuseNul } from './refuse-nul.ts';

/** Connections that read, for each process. */
const READERS = 10;
/** How long a connection may take to come about, milliseconds. */
const CONNECT_MS = 10_000;
/** How long a statement waits for another process's transaction before it is tried anew, milliseconds. */
const LOCK_MS = 10_000;
/** A process that stopped in the middle of a transaction holds up the others no longer than this, milliseconds. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/** Nothing was done, and it may be tried again: serialization, deadlock, lock not got in time, server starting. */
const BUSY = ['40001', '40P01', '55P03', '57P03'];

/** What pg-pool says when every connection of this process was in use for that long; nothing was begun. */
const QUEUED = 'timeout exceeded when trying to connect';

const INT8 = 20;
const NUMERIC = 1700;

/**
 * One PostgreSQL database as a store opens it (server/store/store.ts, `StoreSource`).
 * @param url `postgres://user:password@host:port/database`; nothing of it is ever logged here
 * @param connectMs how long a connection may take to come about, and a free one of the pool, milliseconds
 */
export function postgresSource(url: string, { connectMs = CONNECT_MS } = {}) {
  const { checkWritable, close, ...locks } = lockConnection(url);
  return {
    writer: new PostgresDialect({ pool: async () => openPool(url, 1, connectMs) }),
    reader: new PostgresDialect({ pool: async () => openPool(url, READERS, connectMs, true) }),
    isBusy: (error: unknown) => isCode(error, ...BUSY) || (error instanceof Error && error.message === QUEUED),
    /** First thing in each writing transaction: waits for the writers of all processes. */
    holdWriters: async (tx: QueryExecutorProvider) => {
      // The row is also what orders the feed. Each statement after this one sees all that was committed before.
      await sql`select value from feed_counter where id = 1 for update`.execute(tx);
    },
    locks,
    checkWritable,
    close,
  };
}

function clientConfig(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'accession',
    connectionTimeoutMillis: CONNECT_MS,
    lock_timeout: LOCK_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    types: { getTypeParser: readers },
  };
}

function openPool(url: string, max: number, connectMs: number, readOnly = false): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(url),
    connectionTimeoutMillis: connectMs,
    max,
    ...(readOnly ? { options: '-c default_transaction_read_only=on' } : {}),
  });
  // A connection that breaks is replaced at the next use; whoever was using it gets the failure there.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    guard(client);
  });
  return pool;
}

/** What Kysely hands to `query` is looked through first. */
function guard(client: pg.PoolClient): void {
  const query = client.query.bind(client);
  Object.defineProperty(client, 'query', {
    value: (text: unknown, values: unknown, ...rest: unknown[]): unknown => {
      if (Array.isArray(values)) refuseNul(values);
      return Reflect.apply(query, client, [typeof text === 'string' ? portable(text) : text, values, ...rest]);
    },
  });
}

/** The types of columns: whatever the database's own collation is, ours have the order of bytes. */
function portable(statement: string): string {
  if (!/^(?:create|alter) table /.test(statement)) return statement;
  return statement.replace(/ text\b/g, ' text collate "C"').replace(/ integer\b/g, ' bigint');
}

/** Counts and times are whole numbers below 2^53, sums of them come as numeric. */
function readers(type: number, format?: 'text' | 'binary'): (value: never) => unknown {
  if (type === INT8 || type === NUMERIC) return Number;
  return format === 'binary' ? pg.types.getTypeParser(type, 'binary') : pg.types.getTypeParser(type, 'text');
}

/** All locks of a process hang on one connection, so that they end with it. Made at the first use; it may write. */
function lockConnection(url: string) {
  let held: Promise<pg.Client> | null = null;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client(clientConfig(url));
    const forget = (): void => void (held = null);
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
    } catch (error) {
      forget();
      throw error;
    }
    return client;
  }

  return {
    async take(key: string): Promise<boolean> {
      const client = await (held ??= connect());
      const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [idOf(key)]);
      return rows[0]?.taken === true;
    },
    async giveBack(key: string): Promise<void> {
      // Without a connection there is no lock any more.
      const client = await held?.catch(() => null);
      await client?.query('select pg_advisory_unlock($1)', [idOf(key)]).catch(() => undefined);
    },
    /** Rejects where it is a standby, or takes no writes from this user. */
    async checkWritable(): Promise<void> {
      const client = await (held ??= connect());
      const { rows } = await client.query<{ standby: boolean; read_only: string }>(
        `select pg_is_in_recovery() as standby, current_setting('default_transaction_read_only') as read_only`,
      );
      const [row] = rows;
      if (row?.standby === true) throw new Error('the database is a standby and takes no writes');
      if (row?.read_only === 'on') throw new Error('the database takes no writes (default_transaction_read_only)');
    },
    async close(): Promise<void> {
      const client = await held?.catch(() => null);
      held = null;
      await client?.end();
    },
  };
}

/** PostgreSQL names such locks by 64 bits. */
function idOf(key: string): string {
  return createHash('sha256').update(key).digest().readBigInt64BE().toString();
}
