/**
 * Where tests write: in memory, where Linux has such a folder with room. They commit to databases and write files
 * thousands of times, and each waits for the disk; none is about the disk itself (broken ones are made up, tests/fixtures).
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const NAME = 'accession-tests-';
/** Bytes that are free there, and of memory: several browsers, servers and databases are at work. */
const ENOUGH = 6e9;

/**
 * @returns {string | null} a new folder in memory, which is gone with this process; null where there is none, or no room
 */
export function fastFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ENOUGH || freemem() < ENOUGH) return null;
    for (const name of readdirSync(MEMORY)) if (isLeft(name)) remove(join(MEMORY, name));
    const folder = mkdtempSync(join(MEMORY, `${NAME}${process.pid}-`));
    // A database of the tests is another user's process.
    chmodSync(folder, 0o755);
    process.on('exit', () => remove(folder));
    return folder;
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @returns {boolean} whether it is a folder of a run that was killed
 */
function isLeft(name) {
  const [, pid] = new RegExp(`^${NAME}(\\d+)-`).exec(name) ?? [];
  if (pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** @param {string} folder */
function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
