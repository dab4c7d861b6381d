/**
 * `server`: what 50 readers and 5 writers at once get from the catalog server over HTTP, on node:sqlite and on a
 * PostgreSQL of its own (which waits for the disk, as a real one does). The catalog is made once with the import's own
 * writing (`fill_s`), and its rows are copied to PostgreSQL (`copy_s`); `--size` makes it smaller. Milliseconds as the readers see them; processor seconds are the server's
 * process, which PostgreSQL's own come beside.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresSource } from '#adapters/node/postgres-dialect.ts';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { openStore } from '#server/store/store.ts';
import { findPostgres, startPostgres } from '../../../tests/fixtures/postgres.ts';
import { copyRows } from './copy-rows.ts';
import { fill } from './fill.ts';
import { measure, type Load } from './load.ts';

/** Tracks at full size. */
const TRACKS = 1_000_000;

/** @param size share of {@link TRACKS} @param seconds for which each store is under load */
export async function benchServer({
  size,
  seconds,
}: {
  size: number;
  seconds: number;
}): Promise<Record<string, number>> {
  const tracks = Math.max(1000, Math.round(TRACKS * size));
  const figures: Record<string, number> = { 'server.tracks': tracks };
  const directory = await mkdtemp(join(tmpdir(), 'accession-bench-server-'));
  try {
    const sqlite = await onSqlite(directory, figures, tracks, seconds);
    const programs = findPostgres();
    if (programs === null) {
      console.log('PostgreSQL is not installed here: its half is left out.');
      return figures;
    }
    const postgres = await onPostgres(programs, directory, figures, tracks, seconds);
    figures['server.read_ratio'] = postgres.readP50 / sqlite.readP50;
    figures['server.write_ratio'] = postgres.writesPerSecond / sqlite.writesPerSecond;
    return figures;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function onSqlite(
  directory: string,
  figures: Record<string, number>,
  tracks: number,
  seconds: number,
): Promise<Load> {
  const store = await openStore(sqliteFile(join(directory, 'catalog.db')), randomUUID);
  const started = performance.now();
  await fill(store, tracks);
  figures['server.sqlite.fill_s'] = secondsSince(started);
  await store.close();
  return note(figures, 'sqlite', await measure(directory, {}, tracks, seconds));
}

/** The very rows that SQLite has by then. */
async function onPostgres(
  programs: string,
  directory: string,
  figures: Record<string, number>,
  tracks: number,
  seconds: number,
): Promise<Load> {
  const cluster = await startPostgres(programs, { durable: true });
  const data = await mkdtemp(join(tmpdir(), 'accession-bench-server-'));
  try {
    const url = await cluster.database('bench');
    await (await openStore(postgresSource(url), randomUUID)).close();
    const started = performance.now();
    await copyRows(join(directory, 'catalog.db'), url);
    figures['server.postgres.copy_s'] = secondsSince(started);
    return note(figures, 'postgres', await measure(data, { DATABASE_URL: url }, tracks, seconds));
  } finally {
    await cluster.stop();
    await rm(data, { recursive: true, force: true });
  }
}

function note(figures: Record<string, number>, name: string, load: Load): Load {
  figures[`server.${name}.read_p50_ms`] = load.readP50;
  figures[`server.${name}.read_p99_ms`] = load.readP99;
  figures[`server.${name}.reads_per_s`] = load.readsPerSecond;
  figures[`server.${name}.writes_per_s`] = load.writesPerSecond;
  figures[`server.${name}.cpu_ms_per_request`] = load.cpuMsPerRequest;
  figures[`server.${name}.failed`] = load.failed;
  figures[`server.${name}.rss_mb`] = load.rssMb;
  // It takes minutes: what is known is said, whatever becomes of the rest.
  console.log(JSON.stringify(figures));
  return load;
}

const secondsSince = (started: number): number => (performance.now() - started) / 1000;
