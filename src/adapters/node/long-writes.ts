/**
 * SQLite writes in the thread that asks it to. What a long transaction wrote would go to the disk all at once with its
 * commit, and from the log into the database at once behind it: seconds in which nobody is answered. So the log is
 * brought to the disk while the transaction goes on, and into the database by another thread.
 */
import { open } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';

/** A transaction is long from here on, milliseconds; so often its log is brought to the disk. */
const LONG_MS = 100;
/** SQLite's own: pages in the log from which a commit moves them into the database. */
const USUAL_CHECKPOINT = 1000;

export type LongWrites = ReturnType<typeof longWrites>;

export function longWrites(path: string) {
  /** When it began or its log was flushed last; null outside of a transaction. */
  let since: number | null = null;
  let isLong = false;

  /** Brings the log to the disk, beside the event loop. */
  async function flush(): Promise<void> {
    const log = await open(`${path}-wal`, 'r').catch(() => null);
    try {
      await log?.datasync();
    } catch {
      // The commit does the same, and says what is wrong.
    } finally {
      await log?.close();
    }
  }

  return {
    began(): void {
      [since, isLong] = [performance.now(), false];
    },

    /** Between two statements. */
    async goesOn(): Promise<void> {
      if (since === null || performance.now() - since < LONG_MS) return;
      isLong = true;
      await flush();
      since = performance.now();
    },

    /** Around the commit. */
    async commit(database: () => Pick<DatabaseSync, 'exec'> | null, work: () => Promise<void>): Promise<void> {
      since = null;
      if (!isLong) return work();
      await flush();
      const checkpointFrom = (pages: number): void => void database()?.exec(`pragma wal_autocheckpoint = ${pages}`);
      checkpointFrom(0);
      try {
        await work();
      } finally {
        // Without it, a later commit does it: also where Node lets this process start no thread (`--permission`).
        try {
          const thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { workerData: path });
          thread.on('error', () => undefined);
          thread.on('exit', () => checkpointFrom(USUAL_CHECKPOINT));
          thread.unref();
        } catch {
          checkpointFrom(USUAL_CHECKPOINT);
        }
      }
    },

    rolledBack(): void {
      since = null;
    },
  };
}
