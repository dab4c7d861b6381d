/**
 * A process that does what one large request asks: reads its body from its standard input, checks it and writes it, through
 * a connection of its own, as the command line does beside a running server. So its parsing, its garbage, its commit and
 * the locks inside a process (of memory, of V8's helpers, of SQLite) are in nobody's way. beside/beside.ts starts it.
 *
 *   order -> body* -> (ready -> write -> over)* -> done
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { openLastCommit } from '#adapters/node/last-commit.ts';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { AccessionError } from '#core/errors.ts';
import { lanes } from '#lanes/lanes.ts';
import type { FromProcess, Order, ToProcess } from './beside/beside.ts';
import { TASKS } from './beside/tasks.ts';
import { HttpError } from './http/http-error.ts';
import { openStore, type Store, type StoreSource } from './store/store.ts';

/**
 * Memory for pages of the database, kilobytes, of the little that this process may have; for a large body more: what is
 * written of it in no order (its words) is written over in memory, and not in the log.
 */
const CACHE_KB = { least: 8_000, most: 64_000 };
const cacheFor = (bytes: number): number => Math.round(Math.min(CACHE_KB.most, Math.max(CACHE_KB.least, bytes / 2000)));

// Ctrl-C in a terminal goes to all processes of it; this one ends with its server, or when it is done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit(1));

const say = (message: FromProcess): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, {}, () => resolve()));

async function next<K extends keyof ToProcess>(kind: K): Promise<ToProcess[K]> {
  const [message] = (await once(process, 'message')) as [ToProcess];
  return message[kind];
}

/** Until it says `over` nobody else of the server writes. The time, milliseconds. */
async function nextTurn(): Promise<number> {
  const turn = next('write');
  await say('ready');
  return turn;
}

const postgres = async (url: string): Promise<StoreSource> =>
  (await import('#adapters/node/postgres-dialect.ts')).postgresSource(url);

async function work(order: Order): Promise<FromProcess> {
  const { data, databaseUrl } = order;
  const servers = await Promise.all(lanes.flatMap(({ server }) => (server === undefined ? [] : [server()])));
  const write = await TASKS[order.task](order, process.stdin, servers);
  let now = await nextTurn();
  const store = await openStore(
    databaseUrl === null
      ? sqliteFile(join(data, 'catalog.db'), { cacheKb: cacheFor(order.bytes) })
      : await postgres(databaseUrl),
    randomUUID,
    servers,
    openLastCommit(join(data, 'last-commit')),
  );
  await say('over');
  const inTurns: Pick<Store, 'db' | 'write'> = {
    db: store.db,
    async write(some) {
      now = await nextTurn();
      try {
        return await store.write(some);
      } finally {
        await say('over');
      }
    },
  };
  try {
    return { done: await write(inTurns, { now: () => now }) };
  } finally {
    await store.close();
  }
}

// Given by beside/beside.ts alone.
const message: FromProcess = await next('order')
  .then(work)
  .catch((error: unknown) => {
    if (error instanceof HttpError) {
      const { failure, status, headers, details } = error;
      return { refused: { failure, status, headers, details } };
    }
    if (error instanceof AccessionError) return { refused: { failure: error.failure } };
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    // With what the database says of it: its own codes.
    return { failed: { ...(error as object), name, message, stack } };
  });
await say(message);
process.exit(0);
