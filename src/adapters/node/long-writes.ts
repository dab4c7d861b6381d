/**
 * SQLite writes in the thread that asks it to, and waits there for the disk: nobody is answered meanwhile. So a commit
 * only writes to the log (`synchronous = normal`), and the log is brought to the disk beside the event loop, before whoever
 * committed goes on: what was answered is on the disk, as with `synchronous = full`. Others may read it a moment earlier.
 * What a long transaction wrote is brought there while it goes on; from the log into the database moves another thread.
 *
 *   begin -> statement* (flush every 100 ms) -> commit -> flush -> answered
 */
import { statSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { AccessionError, failure, isCode } from '#core/errors.ts';

/** A transaction is long from here on, milliseconds; so often its log is brought to the disk. */
const LONG_MS = 100;
/** Commits after which the log is moved into the database. */
const COMMITS = 200;
/** A log that a process which was killed left behind is moved after the first commit from here on, bytes. */
const LEFT_BYTES = 1024 * 1024;
/** Pages in the log (400 MB) from which a commit moves them itself: only where no thread did. */
const MOST_PAGES = 100_000;

export type LongWrites = ReturnType<typeof longWrites>;

export function longWrites(path: string) {
  /** When it began or its log was flushed last; null outside of a transaction. */
  let since: number | null = null;
  let isLong = false;
  let commits = 0;
  let moving: { thread: Worker; end: Promise<void> } | null = null;

  /** Kept open, as SQLite keeps it while there is a connection: handing work to Node's helpers is what costs the loop. */
  let log: FileHandle | null = null;

  /** Brings the log to the disk, beside the event loop. Throws what the disk says. */
  async function flush(): Promise<void> {
    // As Windows wants it.
    log ??= await open(`${path}-wal`, 'r+').catch((error: unknown) => {
      // Nothing was written yet, or somebody deleted it: the next start says so (OPS-49).
      if (isCode(error, 'ENOENT')) return null;
      throw error;
    });
    await log?.datasync();
  }

  /** From the log into the database. Where Node lets this process start no thread (`--permission`), a commit does it. */
  function moveLog(): void {
    if (moving !== null) return;
    try {
      const thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), { workerData: path });
      commits = 0;
      thread.on('error', () => undefined);
      const end = new Promise((resolve) => thread.on('exit', resolve)).then(() => void (moving = null));
      moving = { thread, end };
      thread.unref();
    } catch {
      // As said above.
    }
  }

  return {
    /** What a connection is told when it is opened. */
    opened(database: Pick<DatabaseSync, 'exec'>): void {
      database.exec('pragma synchronous = normal');
      database.exec(`pragma wal_autocheckpoint = ${MOST_PAGES}`);
      // Killed again and again within so many commits, it would grow, and the file alone would lack all that is in it.
      const left = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      if (left >= LEFT_BYTES) commits = COMMITS;
    },

    began(): void {
      [since, isLong] = [performance.now(), false];
    },

    /** Between two statements. */
    async goesOn(): Promise<void> {
      if (since === null || performance.now() - since < LONG_MS) return;
      isLong = true;
      // The commit does the same, and says what is wrong.
      await flush().catch(() => undefined);
      since = performance.now();
    },

    /** Around the commit. Throws AccessionError `storage_failed` where the disk did not take it. */
    async commit(work: () => Promise<void>): Promise<void> {
      const wasLong = isLong;
      since = null;
      isLong = false;
      if (wasLong) await flush().catch(() => undefined);
      await work();
      try {
        await flush();
      } catch (cause) {
        throw new AccessionError(failure('storage_failed', 'The disk of the database did not take what was written.'), {
          cause,
        });
      }
      commits += 1;
      if (wasLong || commits >= COMMITS) moveLog();
    },

    rolledBack(): void {
      [since, isLong] = [null, false];
    },

    /** Before the connection is closed: the thread would open the files again. */
    async close(): Promise<void> {
      await log?.close();
      log = null;
      moving?.thread.ref();
      await moving?.end;
    },
  };
}
