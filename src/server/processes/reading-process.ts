/** What a process begins with that reads a lane's rows and never writes any. */
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { lanes } from '#lanes/lanes.ts';
import type { LaneServer } from '../lane-server.ts';
import type { Database, Reader } from '../store/schema.ts';
import type { ReadingOrder } from './start-process.ts';

/** Memory for pages of the database, kilobytes: they are read once. */
const CACHE_KB = 8_000;

export async function openReading(order: ReadingOrder): Promise<{ db: Reader; server: LaneServer | undefined }> {
  const { lane, data, databaseUrl } = order;
  const source =
    databaseUrl === null
      ? sqliteFile(join(data, 'catalog.db'), { cacheKb: CACHE_KB })
      : (await import('#adapters/node/postgres-dialect.ts')).postgresSource(databaseUrl);
  const db = new Kysely<Database>({ dialect: source.reader });
  return { db, server: await lanes.find(({ id }) => id === lane)?.server?.() };
}
