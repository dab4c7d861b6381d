/**
 * Processes of the server's own, started again whenever they end.
 *
 *   start --> working --ended--> resting (5 s, then twice as long, 5 minutes at most) --> working
 *                     --close--> stopped: it gives back what it holds
 *
 * A server that is killed takes them with it: they end when the channel to it closes.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as timeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { messageOf } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import type { Log } from '../log.ts';

const FIRST_REST_MS = 5_000;
const LONGEST_REST_MS = 300_000;
/** One that ran for so long was in order: the next rest is short again. */
const IN_ORDER_MS = 60_000;
/** To give back what is in hand, milliseconds. */
const GRACE_MS = 5_000;

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

export interface KeptProcess {
  /** As the log calls it: `worker`. */
  name: string;
  number: number;
  /** Of `accession`. */
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  clock: Clock;
  log: Log;
}

/** Runs a command of `accession` until it is stopped. */
export async function keepRunning(options: KeptProcess, stop: AbortSignal): Promise<void> {
  const { clock, log, name, number } = options;
  let rest = FIRST_REST_MS;
  while (!stop.aborted) {
    const since = clock.now();
    const why = await runOnce(options, stop);
    if (stop.aborted) return;
    if (clock.now() - since >= IN_ORDER_MS) rest = FIRST_REST_MS;
    log.warn(`a ${name} of this server ended`, { [name]: number, why, again_in_ms: rest });
    await timeout(rest, undefined, { signal: stop }).catch(() => undefined);
    rest = Math.min(2 * rest, LONGEST_REST_MS);
  }
}

/** Answers why it ended. */
async function runOnce({ name, number, args, env, log }: KeptProcess, stop: AbortSignal): Promise<string> {
  let child: ChildProcess;
  try {
    child = spawn(process.execPath, [MAIN, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
  } catch (error) {
    return messageOf(error);
  }
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => {
      for (const line of bytes.toString('utf8').split('\n').filter(Boolean)) log.info(name, { [name]: number, line });
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
