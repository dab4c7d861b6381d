/** The stores on which histories are played for long, each with servers as processes of their own. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, chmodSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { postgresSource } from '#adapters/node/postgres-dialect.ts';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { openStore } from '#server/store/store.ts';
import { OwnPostgres } from '../fixtures/faults/own-postgres.ts';
import { serverProcesses } from '../fixtures/faults/server-processes.ts';
import type { ServerUnderTest } from '../fixtures/faults/servers.ts';
import { ON_SQLITE, onPostgres, type Setback } from '../fixtures/faults/setbacks.ts';
import { LANES } from '../fixtures/server.ts';
import { findPostgres } from '../fixtures/postgres.ts';
import { powerDisk, type PowerDisk } from '../fixtures/power-disk.ts';

export interface SoakStore {
  name: string;
  /** In names of figures. */
  short: 'sqlite' | 'postgres';
  server: ServerUnderTest;
  setbacks: readonly (Setback | null)[];
  close(): Promise<void>;
}

const DISK_MB = 4000;

/** A disk that can lose its power, or else a directory. */
async function place(): Promise<{ disk: PowerDisk | null; path: string; remove: () => Promise<void> }> {
  const disk = await powerDisk(DISK_MB);
  if (disk !== null) return { disk, path: disk.path, remove: () => disk.end() };
  const path = mkdtempSync(join(tmpdir(), 'accession-soak-'));
  return { disk, path, remove: () => Promise.resolve(rmSync(path, { recursive: true, force: true })) };
}

export async function sqlite(): Promise<SoakStore> {
  const { disk, path, remove } = await place();
  const data = join(path, 'data');
  mkdirSync(data);
  const server = await serverProcesses({
    ...{ data, disk, env: {}, count: 1, postgres: null },
    openStore: () => openStore(sqliteFile(join(data, 'catalog.db')), randomUUID, LANES),
    emptyDatabase: () => Promise.resolve(),
    databaseUrl: () => Promise.resolve(null),
  });
  return {
    ...{ name: 'node:sqlite', short: 'sqlite', server, setbacks: [null, ...ON_SQLITE] },
    async close() {
      await server.close();
      await remove();
    },
  };
}

/** A cluster of its own; null where PostgreSQL is not installed. */
export async function ownPostgres(): Promise<SoakStore | null> {
  const programs = findPostgres();
  if (programs === null) return null;
  const { disk, path, remove } = await place();
  const aside = mkdtempSync(join(tmpdir(), 'accession-soak-pg-'));
  chmodSync(path, 0o755);
  const own = await OwnPostgres.start(programs, path, aside);
  const store = await onDatabase(own.url, { disk, postgres: own, data: join(path, 'data') });
  return {
    ...store,
    async close() {
      await store.close();
      await own.stop();
      await remove();
      rmSync(aside, { recursive: true, force: true });
    },
  };
}

/** Somebody's database, which has to be empty. */
export async function givenPostgres(url: string): Promise<SoakStore> {
  await refuseFull(url);
  const data = mkdtempSync(join(tmpdir(), 'accession-soak-'));
  const store = await onDatabase(url, { disk: null, postgres: null, data });
  return {
    ...store,
    async close() {
      await store.close();
      rmSync(data, { recursive: true, force: true });
      await empty(url);
    },
  };
}

async function onDatabase(
  url: string,
  using: { disk: PowerDisk | null; postgres: OwnPostgres | null; data: string },
): Promise<SoakStore> {
  mkdirSync(using.data, { recursive: true });
  const server = await serverProcesses({
    ...{ ...using, env: { DATABASE_URL: url }, count: 2 },
    openStore: () => openStore(postgresSource(url), randomUUID, LANES),
    emptyDatabase: () => empty(url),
    databaseUrl: () => Promise.resolve(url),
  });
  const setbacks = [null, ...onPostgres(using.postgres !== null)];
  return { name: 'PostgreSQL, two processes', short: 'postgres', server, setbacks, close: () => server.close() };
}

/** Throws where somebody's tables are in it: everything is dropped on the way. */
async function refuseFull(address: string): Promise<void> {
  await withDatabase(address, async (client) => {
    const { rows } = await client.query("select 1 from pg_tables where schemaname = 'public' limit 1");
    if (rows.length > 0) throw new Error('The database of --database-url has tables; it must be an empty one.');
  });
}

function empty(url: string): Promise<void> {
  return withDatabase(url, (client) => client.query('drop schema public cascade; create schema public'));
}

async function withDatabase(address: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
