/** Where things are, whatever the current directory is. */
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

/** The project's top folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
/** Stamps, locks and reports of the scripts; never committed, always safe to delete. */
export const CACHE = join(ROOT, '.cache');
/** The static app as `vite build` leaves it and the server serves it. */
export const BUILD = join(ROOT, 'build');
/** Compressed forms of the app's files, by content. */
export const COMPRESSED = join(CACHE, 'compressed');

/**
 * @param {...string} parts
 * @returns {string} the absolute path of something in the project
 */
export function inRoot(...parts) {
  return join(ROOT, ...parts);
}
