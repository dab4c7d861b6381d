/** Snapshots are written by a process (snapshot-process.main.ts); this is the side of the server. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isCode } from '#core/errors.ts';

/** Where the database is, whose snapshot is wanted, and where it is written. */
export interface SnapshotOrder {
  lane: string;
  /** The directory of the server's data, with the database where it is SQLite. */
  data: string;
  /** Of a PostgreSQL database; null: SQLite. */
  databaseUrl: string | null;
  directory: string;
}

/** `written`: what the lane says of its file. */
export type FromSnapshotProcess = { written: unknown } | { failed: string };

/**
 * Writes a snapshot and says what the lane says of it, for the lane to read; null where no process can be started.
 * Throws where the process broke, and once `signal` says so: nothing is left behind then.
 */
export type Snapshotting = (
  order: Pick<SnapshotOrder, 'lane' | 'directory'>,
  signal: AbortSignal,
) => Promise<{ written: unknown } | null>;

/** Memory for new values, megabytes: more of it only means that they are looked through later. */
const YOUNG_MB = 8;

export function openSnapshotting(place: Pick<SnapshotOrder, 'data' | 'databaseUrl'>): Snapshotting {
  return async (order, signal) => {
    signal.throwIfAborted();
    const child = startProcess();
    if (child === null) return null;
    // It removes what it has begun, and ends.
    const stop = (): void => void child.kill('SIGTERM');
    signal.addEventListener('abort', stop);
    try {
      let said: FromSnapshotProcess | null = null;
      child.on('message', (message: FromSnapshotProcess) => (said = message));
      child.send({ ...order, ...place } satisfies SnapshotOrder, () => undefined);
      const [code, ended] = (await once(child, 'close')) as [number | null, string | null];
      signal.throwIfAborted();
      return writtenBy(said, String(ended ?? code));
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
}

function writtenBy(said: FromSnapshotProcess | null, end: string): { written: unknown } {
  if (said === null) throw new Error(`the process of a snapshot ended without an answer (${end})`);
  if ('failed' in said) throw new Error(said.failed);
  return said;
}

/** Null where Node lets this process start none (`--permission`). */
function startProcess(): ChildProcess | null {
  try {
    return fork(fileURLToPath(new URL('../snapshot-process.main.ts', import.meta.url)), [], {
      execArgv: [`--max-semi-space-size=${YOUNG_MB}`, '--single-threaded-gc'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  } catch (error) {
    if (isCode(error, 'ERR_ACCESS_DENIED')) return null;
    throw error;
  }
}
