/**
 * `server`: what 50 readers and 5 writers at once get from the catalog server over HTTP, on node:sqlite and on a
 * PostgreSQL of its own (which waits for the disk, as a real one does). The catalog is made with the import's own
 * writing; `--size` makes it smaller. Milliseconds as the readers see them; processor seconds are the server's
 * process, which PostgreSQL's own come beside.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresSource } from '#adapters/node/postgres-dialect.ts';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { openStore, type StoreSource } from '#server/store/store.ts';
import { findPostgres, startPostgres } from '../../../tests/fixtures/postgres.ts';
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
  const sqlite = await onStore('sqlite', figures, tracks, seconds, async (data) => ({
    source: sqliteFile(join(data, 'catalog.db')),
    env: {},
    end: async () => undefined,
  }));
  const programs = findPostgres();
  if (programs === null) {
    console.log('PostgreSQL is not installed here: its half is left out.');
    return figures;
  }
  const postgres = await onStore('postgres', figures, tracks, seconds, async () => {
    const cluster = await startPostgres(programs, { durable: true });
    const url = await cluster.database('bench');
    return { source: postgresSource(url), env: { DATABASE_URL: url }, end: () => cluster.stop() };
  });
  figures['server.read_ratio'] = postgres.readP50 / sqlite.readP50;
  figures['server.write_ratio'] = postgres.writesPerSecond / sqlite.writesPerSecond;
  return figures;
}

interface Made {
  source: StoreSource;
  env: Record<string, string>;
  end(): Promise<void>;
}

async function onStore(
  name: string,
  figures: Record<string, number>,
  tracks: number,
  seconds: number,
  make: (data: string) => Promise<Made>,
): Promise<Load> {
  const data = await mkdtemp(join(tmpdir(), 'accession-bench-server-'));
  const made = await make(data);
  try {
    const store = await openStore(made.source, randomUUID);
    const started = performance.now();
    await fill(store, tracks);
    figures[`server.${name}.fill_s`] = (performance.now() - started) / 1000;
    await store.close();
    const load = await measure(data, made.env, tracks, seconds);
    figures[`server.${name}.read_p50_ms`] = load.readP50;
    figures[`server.${name}.read_p99_ms`] = load.readP99;
    figures[`server.${name}.reads_per_s`] = load.readsPerSecond;
    figures[`server.${name}.writes_per_s`] = load.writesPerSecond;
    figures[`server.${name}.cpu_ms_per_request`] = load.cpuMsPerRequest;
    figures[`server.${name}.failed`] = load.failed;
    return load;
  } finally {
    await made.end();
    await rm(data, { recursive: true, force: true });
  }
}
