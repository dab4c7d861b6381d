/**
 * A thread that does what one large request asks: reads its body as it comes, checks it and writes it, through a connection
 * of its own, as the command line does beside a running server. So its parsing, its garbage and its commit are in nobody's
 * way. beside/beside.ts starts it and hands it what the request is made of.
 *
 *   chunk* -> last -> (ready) -> write -> done
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { openLastCommit } from '#adapters/node/last-commit.ts';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { AccessionError } from '#core/errors.ts';
import { lanes } from '#lanes/lanes.ts';
import type { FromThread, Order, ToThread } from './beside/beside.ts';
import { TASKS } from './beside/tasks.ts';
import { HttpError } from './http/http-error.ts';
import { openStore, type StoreSource } from './store/store.ts';

const say = (message: FromThread): void => parentPort?.postMessage(message);

/** What the other side has handed over and nobody took yet; null: that was all. */
const waiting: (Uint8Array | null)[] = [];
let wake = (): void => undefined;
let mayWrite = (_now: number): void => undefined;
const turn = new Promise<number>((resolve) => (mayWrite = resolve));

parentPort?.on('message', (message: ToThread) => {
  if (message !== null && 'write' in message) mayWrite(message.write);
  else {
    waiting.push(message);
    wake();
  }
});

async function* chunks(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const next = waiting.shift();
    if (next === null) return;
    if (next === undefined) await new Promise<void>((resolve) => (wake = resolve));
    else {
      yield next;
      say({ taken: next.length });
    }
  }
}

const postgres = async (url: string): Promise<StoreSource> =>
  (await import('#adapters/node/postgres-dialect.ts')).postgresSource(url);

async function work(order: Order): Promise<FromThread> {
  const { data, databaseUrl } = order;
  const servers = await Promise.all(lanes.flatMap(({ server }) => (server === undefined ? [] : [server()])));
  const write = await TASKS[order.task](order, chunks(), servers);
  say('ready');
  const now = await turn;
  const store = await openStore(
    databaseUrl === null ? sqliteFile(join(data, 'catalog.db')) : await postgres(databaseUrl),
    randomUUID,
    servers,
    openLastCommit(join(data, 'last-commit')),
  );
  try {
    return { done: await write(store, now) };
  } finally {
    await store.close();
  }
}

// Given by beside/beside.ts alone.
void work(workerData as Order)
  .catch((error: unknown): FromThread => {
    if (error instanceof HttpError) {
      const { failure, status, headers, details } = error;
      return { refused: { failure, status, headers, details } };
    }
    if (error instanceof AccessionError) return { refused: { failure: error.failure } };
    // What it is stays with it across the threads: the database's own codes.
    throw error;
  })
  .then((message) => {
    say(message);
    parentPort?.close();
  });
