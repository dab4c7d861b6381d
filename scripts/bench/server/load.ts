/** The server as a program of its own, and readers and writers who ask it over HTTP until the time is over. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as timeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mulberry32 } from '#core/mulberry32.ts';
import { titleOf } from './fill.ts';

const READERS = 50;
const WRITERS = 5;
/** Tracks from which on the server is told to have a process for search; that is waited for, so long at most. */
const PROCESS_FROM = 50_000;
const READY_MS = 300_000;
const TOKEN = 'bench-token-12345678';
/** Clock ticks a second of /proc/<pid>/stat, on every Linux there is. */
const TICKS = 100;

export interface Load {
  readP50: number;
  readP99: number;
  readsPerSecond: number;
  writesPerSecond: number;
  /** Of the server's process and those that it began; not a number where the system has no /proc. */
  cpuMsPerRequest: number;
  /** Memory of the same at the end, without pages of files, megabytes. */
  rssMb: number;
  failed: number;
}

export async function measure(
  data: string,
  env: Record<string, string>,
  tracks: number,
  seconds: number,
): Promise<Load> {
  const main = fileURLToPath(new URL('../../../src/server/main.ts', import.meta.url));
  const own = {
    ACCESSION_DATA: data,
    ACCESSION_DEMO: '0',
    ACCESSION_INSIDE_WORKERS: '0',
    ACCESSION_TOKEN: TOKEN,
    PORT: '0',
    ...env,
  };
  await writeFile(join(data, 'accession.toml'), `[search]\nprocess_from_tracks = ${PROCESS_FROM}\n`);
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const searching = searchIsReady(child.stderr);
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = new URL('/', line.toString('utf8').trim()).origin;
    const pid = child.pid ?? 0;
    if (tracks >= PROCESS_FROM) await Promise.race([searching, timeout(READY_MS)]);
    await underLoad(url, tracks, 2);
    const before = cpuSeconds(pid);
    const load = await underLoad(url, tracks, seconds);
    const requests = load.reads.length + load.writes;
    const sorted = load.reads.sort((a, b) => a - b);
    return {
      readP50: sorted[Math.floor(sorted.length * 0.5)] ?? Number.NaN,
      readP99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
      readsPerSecond: sorted.length / load.seconds,
      writesPerSecond: load.writes / load.seconds,
      cpuMsPerRequest: (1000 * (cpuSeconds(pid) - before)) / requests,
      rssMb: rssMb(pid),
      failed: load.failed,
    };
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

async function underLoad(url: string, tracks: number, seconds: number) {
  const started = performance.now();
  const end = started + seconds * 1000;
  const reads: number[] = [];
  let writes = 0;
  let failed = 0;
  const ask = async (path: string, body?: unknown, key?: string): Promise<void> => {
    const answer = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'PATCH',
      body: body === undefined ? null : JSON.stringify(body),
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
    });
    await answer.arrayBuffer();
    if (!answer.ok) failed += 1;
  };
  const reader = async (number: number): Promise<void> => {
    const random = mulberry32(number * 7919 + 1);
    while (performance.now() < end) {
      const asked = performance.now();
      await ask(readPath(random, tracks));
      reads.push(performance.now() - asked);
    }
  };
  const writer = async (number: number): Promise<void> => {
    const random = mulberry32(number * 104_729 + 5);
    for (let round = 0; performance.now() < end; round += 1) {
      const track = Math.floor(random() * tracks);
      const key = `bench-${started}-${number}-${round}`;
      await ask(`/v1/catalog/tracks/tr_${track}`, { title: `${titleOf(track)} ${round}` }, key);
      writes += 1;
    }
  };
  await Promise.all([
    ...Array.from({ length: READERS }, (_, at) => reader(at)),
    ...Array.from({ length: WRITERS }, (_, at) => writer(at)),
  ]);
  return { reads, writes, failed, seconds: (performance.now() - started) / 1000 };
}

/** As workstations ask: half of it for a track or album, some searching with a letter missing, some of the feed. */
function readPath(random: () => number, tracks: number): string {
  const [kind, track] = [random(), Math.floor(random() * tracks)];
  if (kind < 0.3) return `/v1/catalog/tracks/tr_${track}`;
  if (kind < 0.6) return `/v1/catalog/albums/al_${Math.floor(track / 12)}`;
  if (kind < 0.7) return `/v1/catalog/albums?limit=50`;
  if (kind < 0.75) return `/v1/catalog/changes?limit=100`;
  const title = titleOf(track);
  const gap = 1 + Math.floor(random() * (title.length - 2));
  return `/v1/catalog/search?limit=10&q=${encodeURIComponent(title.slice(0, gap) + title.slice(gap + 1))}`;
}

/** Resolves when the server says that search has its process; reads on, so that its log is never in its way. */
function searchIsReady(log: Readable): Promise<void> {
  return new Promise((resolve) => {
    log.on('data', (some: Buffer) => {
      if (some.includes('search is answered by a process')) resolve();
    });
  });
}

/** A process and those that it began. */
function family(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
  } catch {
    return [pid];
  }
}

function rssMb(pid: number): number {
  const kilobytes = family(pid).map((one) => {
    const status = readFileSync(`/proc/${one}/status`, 'utf8');
    return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN);
  });
  return kilobytes.reduce((sum, some) => sum + some, 0) / 1024;
}

const cpuSeconds = (pid: number): number => family(pid).reduce((sum, one) => sum + cpuSecondsOf(one), 0);

function cpuSecondsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return Number.NaN;
  }
}
