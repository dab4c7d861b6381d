/** Snapshots are written by a process (snapshot-process.main.ts); this is the side of the server. */
import { once } from 'node:events';
import { startReading, type ReadingOrder } from '../processes/start-process.ts';

export interface SnapshotOrder extends ReadingOrder {
  /** Where it is written. */
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

export function openSnapshotting(place: Pick<SnapshotOrder, 'data' | 'databaseUrl'>): Snapshotting {
  return async (order, signal) => {
    signal.throwIfAborted();
    const child = startReading(new URL('../snapshot-process.main.ts', import.meta.url));
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
