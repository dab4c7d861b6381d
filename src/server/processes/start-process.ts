import { fork, type ChildProcess, type ForkOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isCode } from '#core/errors.ts';

/** Whose rows a process reads, and where the database is. */
export interface ReadingOrder {
  lane: string;
  /** The directory of the server's data, with the database where it is SQLite. */
  data: string;
  /** Of a PostgreSQL database; null: SQLite. */
  databaseUrl: string | null;
}

/** Memory for new values of a process that only reads, megabytes: more of it only means that they are looked through later. */
const YOUNG_MB = 8;

/** Starts a program of the server, which waits for its order. Null where Node lets this process start none (`--permission`). */
export function startProcess(program: URL, options: ForkOptions): ChildProcess | null {
  try {
    return fork(fileURLToPath(program), [], options);
  } catch (error) {
    if (isCode(error, 'ERR_ACCESS_DENIED')) return null;
    throw error;
  }
}

/** The same of one that only reads the database (reading-process.ts). */
export const startReading = (program: URL): ChildProcess | null =>
  startProcess(program, {
    execArgv: [`--max-semi-space-size=${YOUNG_MB}`, '--single-threaded-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
