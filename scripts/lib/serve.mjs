/** The catalog server as a child of a launcher. */
import { availableParallelism } from 'node:os';
import { inRoot } from './paths.mjs';
import { replaceWith } from './run.mjs';

/**
 * How glibc gives memory out, where it is the system's C library: without it each thread has a heap of its own, and large
 * buffers come from heaps that grow and are seldom given back.
 */
const MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * @param {Record<string, string | undefined>} given an environment; what it sets stays
 * @returns {Record<string, string>} what a server needs besides, so that it takes no more memory than it uses
 */
export function memoryOf(given) {
  return Object.fromEntries(Object.entries(MEMORY).filter(([name]) => given[name] === undefined));
}

/** Helpers of V8 that Node starts of itself, whatever the machine. */
const USUAL_HELPERS = 4;
/** Of each half of V8's place for new values. On a machine with much memory V8 takes 64 of its own choice, and keeps them. */
const YOUNG_MB = 16;
/** Options of Node for whatever searches or serves: without them garbage takes more memory than what is kept. */
export const MODEST = [`--max-semi-space-size=${YOUNG_MB}`];

/**
 * One processor is the loop's: a helper that waits for one keeps the loop waiting too, in a lock that both need.
 * @param {number} [processors]
 * @returns {string[]} options of Node for a server
 */
export function optionsOf(processors = availableParallelism()) {
  const helpers = Math.max(1, Math.min(USUAL_HELPERS, processors - 1));
  return [`--v8-pool-size=${helpers}`, ...MODEST];
}

/**
 * @param {string} node the project's Node
 * @param {{ env: Record<string, string>, nodeArgs?: string[], args?: string[], stdout?: 'inherit' | 'pipe' }} options
 */
export function serve(node, { env, nodeArgs = [], args = [], stdout = 'inherit' }) {
  return replaceWith(node, [...optionsOf(), ...nodeArgs, inRoot('src/server/main.ts'), ...args], {
    env: { ...memoryOf(process.env), ...env },
    stdout,
  });
}
