import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { isCode } from '#core/errors.ts';

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = [11, 26];

/**
 * What is wrong with a database file, in SQLite's words; null: nothing. Reads all of it (`pragma quick_check`), and
 * throws what has nothing to do with damage.
 */
export function quickCheck(path: string): string | null {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path);
    const [first] = database.prepare('pragma quick_check(1)').all();
    const said = String(Object.values(first ?? {})[0] ?? '');
    return said === 'ok' ? null : (said.split('\n')[0] ?? '');
  } catch (error) {
    if (!(error instanceof Error) || !('errcode' in error) || !DAMAGED.includes(Number(error.errcode) & 0xff))
      throw error;
    return error.message;
  } finally {
    database?.close();
  }
}

/** The same beside other work, until `close` ends what is under way. */
export function quickChecks(path: string) {
  const threads = new Set<Worker>();
  return {
    /** Where Node lets this process start no thread (`--permission`) nothing is checked: null. So is what was ended. */
    async check(): Promise<string | null> {
      let thread: Worker;
      try {
        thread = new Worker(new URL('./quick-check.thread.ts', import.meta.url), { workerData: path });
      } catch (error) {
        if (isCode(error, 'ERR_ACCESS_DENIED')) return null;
        throw error;
      }
      thread.unref();
      threads.add(thread);
      return new Promise((resolve, reject) => {
        thread.once('message', (said: string | null) => resolve(said));
        thread.once('error', reject);
        thread.once('exit', () => {
          threads.delete(thread);
          resolve(null);
        });
      });
    },
    async close(): Promise<void> {
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}
