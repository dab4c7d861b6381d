/** `node bundle-programs.mjs FOLDER`: server.mjs and cli.mjs of the sources, for tests (test-programs.mjs). */
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { ROOT, inRoot } from './paths.mjs';

/** Packages that a program loads at its start, and that read no files of their own. */
const PACKAGES =
  /^(?:@hono\/node-server|@valibot\/to-json-schema|commander|fastest-levenshtein|hono|ipaddr\.js|kysely|smol-toml|transliteration|valibot)(?:\/|$)/;

const bundle = await rolldown({
  cwd: ROOT,
  input: { server: inRoot('src', 'server', 'main.ts'), cli: inRoot('src', 'cli', 'main.ts') },
  platform: 'node',
  tsconfig: false,
  // A module does at its start whatever it does among the sources.
  treeshake: false,
  resolve: { conditionNames: ['node', 'import', 'default'] },
  external: isLeftOut,
  plugins: [{ name: 'places', transform: inItsPlace }],
});
await bundle.write({
  dir: process.argv[2] ?? '',
  format: 'esm',
  cleanDir: true,
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
});

/** @param {string} id as it is imported, or an absolute path */
function isLeftOut(id) {
  const isPackage = /^[@a-z$]/.test(id);
  return id.endsWith('.svelte') || (isPackage && !PACKAGES.test(id));
}

/**
 * What starts a thread or reads a file beside itself finds it where it lies among the sources.
 *
 * @param {string} code
 * @param {string} id
 */
function inItsPlace(code, id) {
  if (!id.startsWith(inRoot('src')) || !code.includes('import.meta.')) return null;
  return code
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)));
}
