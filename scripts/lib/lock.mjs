/** One at a time across processes: a directory is the lock, the process id in it says whose. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CACHE } from './paths.mjs';
import { say } from './say.mjs';

/** A lock without a readable owner is stale after this. */
const OWNERLESS_MS = 10_000;

/**
 * Runs `body` while holding the lock `name`; waits for whoever holds it now. The lock of a process that died is taken over.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export async function withLock(name, body) {
  const path = join(CACHE, `${name}.lock`);
  mkdirSync(CACHE, { recursive: true });
  let told = false;
  while (!take(path)) {
    if (isStale(path)) {
      rmSync(path, { recursive: true, force: true });
      continue;
    }
    if (!told) say(`Waiting for another ${name} in this folder to end ...`);
    told = true;
    await wait(200);
  }
  try {
    return await body();
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

/** @param {string} path */
function take(path) {
  try {
    mkdirSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  writeFileSync(join(path, 'pid'), String(process.pid));
  return true;
}

/** @param {string} path */
function isStale(path) {
  try {
    const pid = Number(readFileSync(join(path, 'pid'), 'utf8'));
    if (!pid) return Date.now() - statSync(path).mtimeMs > OWNERLESS_MS;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ESRCH') return true;
    if (code !== 'ENOENT') return false;
  }
  try {
    return Date.now() - statSync(path).mtimeMs > OWNERLESS_MS;
  } catch {
    return false;
  }
}
