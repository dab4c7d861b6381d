/** The catalog server as a child of a launcher. */
import { inRoot } from './paths.mjs';
import { replaceWith } from './run.mjs';

/**
 * @param {string} node the project's Node
 * @param {{ env: Record<string, string>, nodeArgs?: string[], args?: string[], stdout?: 'inherit' | 'pipe' }} options
 */
export function serve(node, { env, nodeArgs = [], args = [], stdout = 'inherit' }) {
  return replaceWith(node, [...nodeArgs, inRoot('src/server/main.ts'), ...args], { env, stdout });
}
