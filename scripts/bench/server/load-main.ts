/**
 * `load`: whether one person can stop the rest. 200 readers, 50 uploaders, 100 sockets and one who sends the worst that a
 * token lets in, at a server of its own over node:sqlite; with DATABASE_URL at PostgreSQL. `load.health_max_ms` is the
 * longest that GET /health took, asked by a program of its own, and `load.rss_mb` the most memory that the server had (of
 * its processes, as the system says). All those people are in one process here, which takes the processor only when nobody
 * else wants it (nice 19): in life they have machines of their own. What of the longest waiting was the server's own is
 * `load.turn_cpu_ms` (computing) and `load.turn_disk_ms`, what the machine's `load.turn_wait_ms` (turn-probe.ts).
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postgresSource } from '#adapters/node/postgres-dialect.ts';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { lanes } from '#lanes/lanes.ts';
import { hashToken } from '#server/auth/tokens.ts';
import { openStore, type Store } from '#server/store/store.ts';
import { optionsOf, memoryOf } from '../../lib/serve.mjs';
import { freePort } from '../../../tests/e2e/support/catalog-server.ts';
import { crowd } from './crowd.ts';
import { fill, titleOf } from './fill.ts';
import { adminImports, guideRequests, hostileRequests } from './hostile.ts';
import { leaseOf } from './hostile-saves.ts';
import type { TurnFigures } from './turn-probe.ts';

const READERS = 200;
const UPLOADERS = 50;
const SOCKETS = 100;
/** Tracks at full size. */
const TRACKS = 20_000;
const ADMIN = 'bench-token-12345678';
/** How often each asks, milliseconds: together 100 reads and 5 published files a second. */
const PAUSES = { reader: 2000, uploader: 10_000 };

export interface LoadOptions {
  /** Share of the catalog and of the hostile requests. */
  size: number;
  /** At least so long. */
  seconds: number;
  /** Imports of 118 MB that an administrator sends at once, in the place of the hostile requests; 0: none. */
  admins: number;
}

export async function benchLoad({ size, seconds, admins }: LoadOptions): Promise<Record<string, number>> {
  const data = await mkdtemp(join(tmpdir(), 'accession-bench-load-'));
  const tracks = Math.max(1200, Math.round(TRACKS * size));
  try {
    const url = process.env['DATABASE_URL'];
    const store = await openStore(
      url ? postgresSource(url) : sqliteFile(join(data, 'catalog.db')),
      randomUUID,
      await laneServers(),
    );
    await fill(store, tracks);
    await letIn(store);
    await store.close();
    const { child, origin, end } = await serve(data);
    const memory = watchMemory(child.pid ?? 0);
    try {
      const { said, ...figures } = await crowd({
        begun: () => setPriority(constants.priority.PRIORITY_LOW),
        ...{ url: origin, tracks, titleOf, pauses: PAUSES },
        ...{ readers: READERS, uploaders: UPLOADERS, sockets: SOCKETS, ms: seconds * 1000 },
        token: {
          reader: (at) => `bench-reader-${at}`,
          uploader: (at) => `bench-uploader-${at}`,
          hostile: admins > 0 ? ADMIN : 'bench-hostile-0',
        },
        atOnce: admins > 0,
        hostile: async () =>
          admins > 0
            ? adminImports(size, admins)
            : [...hostileRequests(size, await leaseOf(origin, 'bench-hostile-0')), ...guideRequests(size)],
        done: (name, s) =>
          console.log(`${s.toFixed(1).padStart(6)} s  ${(memory.most() / 1e6).toFixed().padStart(5)} MB  ${name}`),
      });
      for (const line of said) console.log(line);
      const { long, ...turns } = await end();
      for (const { cpu, disk, requests } of long)
        console.log(`a turn of ${cpu.toFixed()} ms CPU, ${disk.toFixed()} ms disk: ${requests.join(', ')}`);
      const own = Object.entries(turns).map(([kind, ms]) => [`turn_${kind}_ms`, ms] as const);
      const all = { ...figures, ...Object.fromEntries(own), rss_mb: memory.most() / 1_000_000, tracks };
      return Object.fromEntries(Object.entries(all).map(([name, value]) => [`load.${name}`, value]));
    } finally {
      memory.end();
      child.kill('SIGKILL');
    }
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

async function letIn(store: Store): Promise<void> {
  const people = [
    ...Array.from({ length: READERS }, (_, at) => [`bench-reader-${at}`, 'ReadCatalog']),
    ...Array.from({ length: UPLOADERS }, (_, at) => [`bench-uploader-${at}`, 'EditCatalog']),
    ['bench-hostile-0', 'EditCatalog'],
  ];
  const now = Date.now();
  const rows = people.map(([token = '', scopes = '']) => ({
    ...{ token_hash: hashToken(token), label: token, user_id: token, scopes, created_at: now },
    ...{ revoked_at: null, id: null, expires_at: null },
  }));
  await store.write((tx) => tx.insertInto('tokens').values(rows).execute());
}

const laneServers = () => Promise.all(lanes.flatMap(({ server }) => (server === undefined ? [] : [server()])));

async function serve(data: string) {
  const main = fileURLToPath(new URL('../../../src/server/main.ts', import.meta.url));
  const own = {
    ACCESSION_DATA: data,
    ACCESSION_DEMO: '0',
    ACCESSION_INSIDE_WORKERS: '0',
    ACCESSION_TOKEN: ADMIN,
    // Of its own choice it would listen with one socket alone, as no server does for people.
    PORT: String(await freePort()),
  };
  const turns = join(data, 'turns.json');
  const probe = new URL('./turn-probe.ts', import.meta.url).href;
  const child = spawn(process.execPath, [...optionsOf(), '--import', probe, main], {
    env: { ...process.env, ...memoryOf(process.env), ...own, ACCESSION_TURNS: turns },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const line = await Promise.race([
    once(child.stdout, 'data').then(([data]) => data as Buffer),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server ended with ${String(code)}`))),
  ]);
  const end = async (): Promise<TurnFigures> => {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
    return JSON.parse(await readFile(turns, 'utf8')) as TurnFigures;
  };
  return { child, origin: new URL('/', line.toString('utf8').trim()).origin, end };
}

/**
 * Looks every 100 ms at how much memory the process has with those that it started, of which what they share with it (the
 * program itself) is left out; not a number where the system has no /proc.
 */
function watchMemory(pid: number) {
  let most = Number.NaN;
  const look = (): void => {
    const own = memory(pid, /VmRSS:\s+(\d+) kB/);
    // One that has ended has none, and is still listed for a moment.
    if (own === null) return;
    const bytes = startedBy(pid).reduce((sum, child) => sum + (memory(child, /RssAnon:\s+(\d+) kB/) ?? 0), own);
    if (!(most >= bytes)) most = bytes;
  };
  const timer = setInterval(look, 100);
  return { most: () => most, end: () => clearInterval(timer) };
}

function memory(pid: number, of: RegExp): number | null {
  const [, kilobytes] = of.exec(textOf(`/proc/${pid}/status`)) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

function startedBy(pid: number): number[] {
  const children = textOf(`/proc/${pid}/task/${pid}/children`).trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

/** Nothing where it has ended, or there is no /proc. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
