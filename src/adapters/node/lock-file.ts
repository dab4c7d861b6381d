import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { isCode } from '#core/errors.ts';

/** Of SQLite: somebody else has the lock. */
const BUSY = 5;

/**
 * Locks a file until it is released or the process ends, however it ends: the operating system's own lock, by way of
 * SQLite, which knows how on every platform. The file is made when it is missing, and stays.
 * @returns what releases it; null when it is locked already, by this process or another
 */
export function lockFile(path: string): (() => void) | null {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return null;
    throw error;
  }
  return () => database.close();
}

/** Kept from being collected, which would end the hold. */
const held: (() => void)[] = [];

/**
 * Makes this process the only server on a data directory, until it ends, however it ends. Two locks of the operating
 * system: one on a file in the directory, which somebody may delete, and one that has no file (Linux, Windows), by the
 * number of the directory itself, whatever its path is.
 * @returns false when another process has it
 */
export async function holdDirectory(directory: string): Promise<boolean> {
  const release = lockFile(join(directory, 'server.lock'));
  if (release === null) return false;
  const letGo = await lockName(await nameOf(directory));
  if (letGo === null) {
    release();
    return false;
  }
  held.push(release, letGo);
  return true;
}

/** Null where the system has no names that end with their process. */
async function nameOf(directory: string): Promise<string | null> {
  const { dev, ino } = await stat(directory, { bigint: true });
  const name = `accession-${dev}-${ino}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : null;
}

/** Holds a name of the system's until it is released or the process ends; null where another process has it. */
async function lockName(name: string | null): Promise<(() => void) | null> {
  if (name === null) return () => undefined;
  const server = createServer((socket) => socket.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(name, resolve);
    });
  } catch (error) {
    if (isCode(error, 'EADDRINUSE')) return null;
    throw error;
  }
  // It does not keep the process alive.
  server.unref();
  return () => server.close();
}

/** Milliseconds between two tries; the lock is held for a few file writes. */
const PAUSE_MS = 8;

/** Runs work that no other process (and nobody here) does at the same time, in its turn; throws what the work throws. */
export function processLock(path: string) {
  let last: Promise<unknown> = Promise.resolve();

  async function held<Value>(work: () => Promise<Value>): Promise<Value> {
    let release = lockFile(path);
    for (; release === null; release = lockFile(path)) await wait(PAUSE_MS);
    try {
      return await work();
    } finally {
      release();
    }
  }

  return <Value>(work: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(() => held(work));
    last = turn.catch(() => undefined);
    return turn;
  };
}
