/**
 * WORK-40: workers of the server itself, so that an upload over HTTP is finished where nobody opens a browser. Each is
 * `accession work` in a process of its own (kept-process.ts), as it would be on another machine.
 */
import type { Clock } from '#core/ports.ts';
import { ADMIN_USER, hashToken } from '../auth/tokens.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import { keepRunning } from './kept-process.ts';

const LABEL = 'worker of this server';

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
  const { count, url, token, data, clock, log } = options;
  const running = Array.from({ length: count }, (_, at) => {
    const args = ['work', '--server', url, '--name', `this server, ${at + 1}`];
    const env = { ACCESSION_TOKEN: token, ACCESSION_DATA: data };
    return keepRunning({ name: 'worker', number: at + 1, args, env, clock, log }, stop.signal);
  });
  return {
    async close() {
      stop.abort();
      await Promise.all(running);
    },
  };
}
