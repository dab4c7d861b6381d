/**
 * `server`: what 50 readers and 5 writers at once get from the catalog server over HTTP, on node:sqlite and on a
 * PostgreSQL of its own (which waits for the disk, as a real one does). The catalog comes in by the import over HTTP, and
 * again with nothing changed, while somebody else writes; `--size` makes it smaller. Search is answered by its process.
 * Beside it the same questions to what the stores bring for typing errors: FTS5 with trigrams, pg_trgm (peer.ts).
 * Milliseconds as those who ask see them; processor seconds and memory are those of the server and its processes, which
 * PostgreSQL's own come beside.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres, startPostgres } from '../../../tests/fixtures/postgres.ts';
import { importOver, measure, type Imported, type Load, type Searches } from './load.ts';
import { postgresPeer, sqlitePeer } from './peer.ts';

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
    const postgres = await onPostgres(programs, figures, tracks, seconds);
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
  noteImport(figures, 'sqlite', await importOver(directory, {}, tracks));
  const load = note(figures, 'sqlite', await measure(directory, {}, tracks, seconds));
  notePeer(figures, 'sqlite', await sqlitePeer(join(directory, 'catalog.db'), tracks));
  return load;
}

async function onPostgres(
  programs: string,
  figures: Record<string, number>,
  tracks: number,
  seconds: number,
): Promise<Load> {
  const cluster = await startPostgres(programs, { durable: true });
  const data = await mkdtemp(join(tmpdir(), 'accession-bench-server-'));
  try {
    const url = await cluster.database('bench');
    noteImport(figures, 'postgres', await importOver(data, { DATABASE_URL: url }, tracks));
    const load = note(figures, 'postgres', await measure(data, { DATABASE_URL: url }, tracks, seconds));
    notePeer(figures, 'postgres', await postgresPeer(url, tracks));
    return load;
  } finally {
    await cluster.stop();
    await rm(data, { recursive: true, force: true });
  }
}

function noteImport(figures: Record<string, number>, name: string, imported: Imported): void {
  figures[`server.${name}.import_s`] = imported.seconds;
  figures[`server.${name}.import_again_s`] = imported.again;
  figures[`server.${name}.import_rss_mb`] = imported.rssMb;
  figures[`server.${name}.import_write_max_ms`] = imported.writeMostMs;
  console.log(JSON.stringify(figures));
}

function notePeer(figures: Record<string, number>, name: string, { p50, found }: Searches): void {
  figures[`server.${name}.peer_search_p50_ms`] = p50;
  figures[`server.${name}.peer_found`] = found;
}

function note(figures: Record<string, number>, name: string, load: Load): Load {
  figures[`server.${name}.read_p50_ms`] = load.readP50;
  figures[`server.${name}.read_p99_ms`] = load.readP99;
  figures[`server.${name}.reads_per_s`] = load.readsPerSecond;
  figures[`server.${name}.writes_per_s`] = load.writesPerSecond;
  figures[`server.${name}.cpu_ms_per_request`] = load.cpuMsPerRequest;
  figures[`server.${name}.failed`] = load.failed;
  figures[`server.${name}.rss_mb`] = load.rssMb;
  figures['server.rss_mb'] = Math.max(figures['server.rss_mb'] ?? 0, load.rssMb);
  figures[`server.${name}.search_p50_ms`] = load.searches.p50;
  figures[`server.${name}.search_found`] = load.searches.found;
  // It takes minutes: what is known is said, whatever becomes of the rest.
  console.log(JSON.stringify(figures));
  return load;
}
