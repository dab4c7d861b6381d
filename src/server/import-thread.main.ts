/**
 * A thread that takes one large catalog file over: reads it as it comes, checks it and writes it, through a connection of
 * its own, as the command line does beside a running server. So its parsing, its garbage and its commit are in nobody's
 * way. import/import-beside.ts starts it and hands it what a request is made of.
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
import { readRowChunks } from './http/body.ts';
import { HttpError } from './http/http-error.ts';
import { mutateOnce } from './http/mutate.ts';
import type { FromThread, ImportOrder, ToThread } from './import/import-beside.ts';
import { catalogFileSchema } from './import/import-file.ts';
import { importCatalogFile } from './import/import-request.ts';
import { openStore, type StoreSource } from './store/store.ts';

const say = (message: FromThread): void => parentPort?.postMessage(message);

/** What the other side has handed over and nobody took yet; null: that was all. */
const waiting: (Uint8Array | null)[] = [];
let wake = (): void => undefined;
let mayWrite = (): void => undefined;
const turn = new Promise<void>((resolve) => (mayWrite = resolve));

parentPort?.on('message', (message: ToThread) => {
  if (message === 'write') mayWrite();
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

async function work({ data, databaseUrl, by, key, method, path, now }: ImportOrder): Promise<FromThread> {
  const servers = await Promise.all(lanes.flatMap(({ server }) => (server === undefined ? [] : [server()])));
  const imports = servers.flatMap((lane) => lane.imports);
  const { value, request_sha256 } = await readRowChunks({ method, path }, catalogFileSchema(imports), chunks());
  say('ready');
  await turn;
  const store = await openStore(
    databaseUrl === null ? sqliteFile(join(data, 'catalog.db')) : await postgres(databaseUrl),
    randomUUID,
    servers,
    openLastCommit(join(data, 'last-commit')),
  );
  try {
    const request = { principal: by, key, request_sha256 };
    return { done: await mutateOnce(store, request, now, (tx) => importCatalogFile(tx, imports, value, by, now)) };
  } finally {
    await store.close();
  }
}

// Given by import-beside.ts alone.
void work(workerData as ImportOrder)
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
