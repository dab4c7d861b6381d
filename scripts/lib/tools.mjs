/** Tools of node_modules, run by path: no dependence on PATH, `.bin` shims or the machine's own Node. */
import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';

/**
 * @param {string} packageName
 * @param {string} [binary] the command's name where it is not the package's
 * @returns {string} the script to run with Node
 */
export function tool(packageName, binary = packageName) {
  const { bin } = JSON.parse(readFileSync(inRoot('node_modules', packageName, 'package.json'), 'utf8'));
  return inRoot('node_modules', packageName, typeof bin === 'string' ? bin : bin[binary]);
}
