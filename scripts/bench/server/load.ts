/** The server as a program of its own, and readers and writers who ask it over HTTP until the time is over. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as timeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mulberry32 } from '#core/mulberry32.ts';
import { catalogFiles, titleOf } from './fill.ts';

const READERS = 50;
const WRITERS = 5;
/** The process of search is waited for so long at most. */
const READY_MS = 300_000;
/** Questions that are asked one after the other, of the server and of its peer. */
const QUESTIONS = 300;
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
  searches: Searches;
}

/** Questions one after the other: milliseconds of one, and the share of them that found what was meant. */
export interface Searches {
  p50: number;
  found: number;
}

/** The server as a program of its own, search answered by its process from the first track on. */
async function serve(data: string, env: Record<string, string>) {
  const main = fileURLToPath(new URL('../../../src/server/main.ts', import.meta.url));
  const own = {
    ACCESSION_DATA: data,
    ACCESSION_DEMO: '0',
    ACCESSION_INSIDE_WORKERS: '0',
    ACCESSION_TOKEN: TOKEN,
    PORT: '0',
    ...env,
  };
  await writeFile(join(data, 'accession.toml'), '[search]\nprocess_from_tracks = 1\n');
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const searching = searchIsReady(child.stderr);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    ...{ url: new URL('/', line.toString('utf8').trim()).origin, pid: child.pid ?? 0, searching },
    async end(): Promise<void> {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

export async function measure(
  data: string,
  env: Record<string, string>,
  tracks: number,
  seconds: number,
): Promise<Load> {
  const { url, pid, searching, end } = await serve(data, env);
  try {
    await Promise.race([searching, timeout(READY_MS)]);
    await settled(pid);
    await underLoad(url, tracks, 2);
    const before = cpuSeconds(pid);
    const load = await underLoad(url, tracks, seconds);
    const requests = load.reads.length + load.writes;
    const cpuMsPerRequest = (1000 * (cpuSeconds(pid) - before)) / requests;
    const memory = rssMb(pid);
    return {
      readP50: quantile(load.reads, 0.5),
      readP99: quantile(load.reads, 0.99),
      readsPerSecond: load.reads.length / load.seconds,
      writesPerSecond: load.writes / load.seconds,
      cpuMsPerRequest,
      rssMb: memory,
      failed: load.failed,
      searches: await searches(tracks, (question) => searchOf(url, question)),
    };
  } finally {
    await end();
  }
}

export interface Imported {
  /** Seconds of all files, the first time and again with nothing changed. */
  seconds: number;
  again: number;
  /** The most memory of the server and its processes meanwhile, without pages of files, megabytes. */
  rssMb: number;
  /** The longest that another one's write took meanwhile, milliseconds. */
  writeMostMs: number;
}

/** Imports the catalog over HTTP, in files as large as are let in, while somebody else writes twice a second. */
export async function importOver(data: string, env: Record<string, string>, tracks: number): Promise<Imported> {
  const { url, pid, end } = await serve(data, env);
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
  let rssMost = 0;
  const watch = setInterval(() => (rssMost = Math.max(rssMost, rssMb(pid) || 0)), 250);
  let over = false;
  let writeMostMs = 0;
  const writing = (async (): Promise<void> => {
    for (let round = 0; !over; round += 1) {
      const asked = performance.now();
      const body = JSON.stringify({ name: `Meanwhile ${round}` });
      const answer = await fetch(`${url}/v1/catalog/artists`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`a write beside the import was answered with ${answer.status}`);
      writeMostMs = Math.max(writeMostMs, performance.now() - asked);
      await timeout(500);
    }
  })();
  const all = async (): Promise<number> => {
    const started = performance.now();
    for (const file of catalogFiles(tracks)) await post(`${url}/v1/catalog/import`, headers, file);
    return (performance.now() - started) / 1000;
  };
  try {
    const seconds = await all();
    over = true;
    await writing;
    return { seconds, again: await all(), rssMb: rssMost, writeMostMs };
  } finally {
    over = true;
    clearInterval(watch);
    await end();
  }
}

/** `fetch` gives up after five minutes without a word. */
async function post(url: string, headers: Record<string, string>, body: string): Promise<void> {
  const sent = request(url, { method: 'POST', headers: { ...headers, 'Content-Length': Buffer.byteLength(body) } });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const said = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`an import was answered with ${answer.statusCode}: ${said}`);
}

/** What somebody types, each with the track that is meant: a title with a letter missing. */
function questions(tracks: number): { question: string; id: string }[] {
  const random = mulberry32(4711);
  return Array.from({ length: QUESTIONS }, () => {
    const track = Math.floor(random() * tracks);
    return { question: mistyped(titleOf(track), random), id: `tr_${track}` };
  });
}

/** One question after the other, with nobody beside. @param find answers the ids of the ten best */
export async function searches(
  tracks: number,
  find: (question: string) => string[] | Promise<string[]>,
): Promise<Searches> {
  const times: number[] = [];
  let found = 0;
  for (const { question, id } of questions(tracks)) {
    const asked = performance.now();
    const ids = await find(question);
    times.push(performance.now() - asked);
    if (ids.includes(id)) found += 1;
  }
  return { p50: quantile(times, 0.5), found: found / QUESTIONS };
}

async function searchOf(url: string, question: string): Promise<string[]> {
  const answer = await fetch(`${url}/v1/catalog/search?limit=10&q=${encodeURIComponent(question)}`, {
    headers: { Authorization: `Bearer ${TOKEN}` },
  });
  const { tracks } = (await answer.json()) as { tracks: { id: string }[] };
  return tracks.map(({ id }) => id);
}

const quantile = (list: readonly number[], share: number): number =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? Number.NaN;

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
  return `/v1/catalog/search?limit=10&q=${encodeURIComponent(mistyped(titleOf(track), random))}`;
}

function mistyped(title: string, random: () => number): string {
  const gap = 1 + Math.floor(random() * (title.length - 2));
  return title.slice(0, gap) + title.slice(gap + 1);
}

/** Resolves when the server says that search has its process; reads on, so that its log is never in its way. */
function searchIsReady(log: Readable): Promise<void> {
  return new Promise((resolve) => {
    log.on('data', (some: Buffer) => {
      if (some.includes('search is answered by a process')) resolve();
    });
  });
}

/** A snapshot is a start's work and no request's: waits until the server has no process but that of search. */
async function settled(pid: number): Promise<void> {
  const end = performance.now() + READY_MS;
  while (family(pid).length > 2 && performance.now() < end) await timeout(500);
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
