/**
 * WORK-40: workers of the server itself, so that an upload over HTTP is finished where nobody opens a browser. Each is
 * `accession work` in a process of its own, as it would be on another machine.
 *
 *   start --> working --ended--> resting (5 s, then twice as long, 5 minutes at most) --> working
 *                     --close--> stopped: it gives its lease back
 *
 * A server that is killed takes them with it: they end when the channel to it closes.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as timeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { messageOf } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import { ADMIN_USER, hashToken } from '../auth/tokens.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';

const LABEL = 'worker of this server';
const FIRST_REST_MS = 5_000;
const LONGEST_REST_MS = 300_000;
/** One that ran for so long was in order: the next rest is short again. */
const IN_ORDER_MS = 60_000;
/** To give back what is in hand, milliseconds. */
const GRACE_MS = 5_000;

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

export interface InsideWorkersOptions {
  count: number;
  /** Of the server. */
  url: string;
  token: string;
  /** The data directory, whose accession.toml they read. */
  data: string;
  clock: Clock;
  log: Log;
}

export interface InsideWorkers {
  close(): Promise<void>;
}

/** Lets this token in as a worker of everybody's uploads, with nothing but the scope `Work`; also where it was revoked. */
export async function setWorkerToken(store: Store, clock: Clock, token: string): Promise<void> {
  const token_hash = hashToken(token);
  const good = { scopes: 'Work', revoked_at: null, expires_at: null };
  const row = { id: `worker-${token_hash.slice(0, 12)}`, user_id: ADMIN_USER, label: LABEL, created_at: clock.now() };
  await store.write(async (tx) => {
    await tx
      .insertInto('tokens')
      .values({ ...row, ...good, token_hash })
      .onConflict((c) => c.column('token_hash').doUpdateSet(good))
      .execute();
  });
}

export function startInsideWorkers(options: InsideWorkersOptions): InsideWorkers {
  const stop = new AbortController();
  const running = Array.from({ length: options.count }, (_, at) => keepWorking(options, at + 1, stop.signal));
  return {
    async close() {
      stop.abort();
      await Promise.all(running);
    },
  };
}

async function keepWorking(options: InsideWorkersOptions, number: number, stop: AbortSignal): Promise<void> {
  const { clock, log } = options;
  let rest = FIRST_REST_MS;
  while (!stop.aborted) {
    const since = clock.now();
    const why = await workOnce(options, number, stop);
    if (stop.aborted) return;
    if (clock.now() - since >= IN_ORDER_MS) rest = FIRST_REST_MS;
    log.warn('a worker of this server ended', { worker: number, why, again_in_ms: rest });
    await timeout(rest, undefined, { signal: stop }).catch(() => undefined);
    rest = Math.min(2 * rest, LONGEST_REST_MS);
  }
}

/** Answers why it ended. */
async function workOnce({ url, token, data, log }: InsideWorkersOptions, number: number, stop: AbortSignal) {
  let child: ChildProcess;
  try {
    child = spawn(process.execPath, [MAIN, 'work', '--server', url, '--name', `this server, ${number}`], {
      env: { ...process.env, ACCESSION_TOKEN: token, ACCESSION_DATA: data },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
  } catch (error) {
    return messageOf(error);
  }
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => {
      for (const line of bytes.toString('utf8').split('\n').filter(Boolean))
        log.info('worker', { worker: number, line });
    });
  const end = (): void => {
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
  };
  stop.addEventListener('abort', end);
  if (stop.aborted) end();
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    return code === null ? `ended by ${signal ?? 'a signal'}` : `ended with code ${code}`;
  } catch (error) {
    return messageOf(error);
  } finally {
    stop.removeEventListener('abort', end);
  }
}
