/** Where Pyodide's files are in Node. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { PyodideConfig } from 'pyodide';

export const PYODIDE: PyodideConfig = {
  indexURL: `${dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))}/`,
};
