/** Builds the app when its sources changed since the last build; otherwise a glance at their hash. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { withLock } from './lock.mjs';
import { compressApp } from './compress.mjs';
import { BUILD, CACHE, COMPRESSED, ROOT, inRoot } from './paths.mjs';
import { run } from './run.mjs';
import { Trouble, say } from './say.mjs';
import { tool } from './tools.mjs';

/** Written by each build. */
export const STAMP = join(CACHE, 'build-stamp');
/** What the build is made of, and by. The server and the command line are not: they run as they are. */
const SOURCES = [
  ...['src', 'static', 'workers', 'scripts/lib', 'vite.config.ts', 'tsconfig.json', 'package.json'],
  'package-lock.json',
];
const NOT_IN_THE_APP = [join('src', 'server'), join('src', 'cli')];

/**
 * @param {string} node the project's Node
 * @throws {Trouble} when the sources do not build
 */
export function buildIfChanged(node) {
  return withLock('build', async () => {
    const hash = hashOf(SOURCES, NOT_IN_THE_APP);
    if (existsSync(BUILD) && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return;
    say('Building the app ...');
    rmSync(STAMP, { force: true });
    const { code, output } = await run(node, [tool('vite'), 'build', '--logLevel', 'warn']);
    if (code !== 0)
      throw new Trouble(
        `The app could not be built:\n${output}`,
        'Mend what is named above and run the command again.',
      );
    await compressApp(BUILD, COMPRESSED, 'others');
    writeFileSync(STAMP, hash);
  });
}

/**
 * @param {string[]} names files and folders of the project
 * @param {string[]} [without] folders that are left out
 * @returns {string} of all that is in them
 */
export function hashOf(names, without = []) {
  const hash = createHash('sha256');
  for (const path of names.flatMap((name) => filesUnder(inRoot(name), without))) {
    hash.update(relative(ROOT, path)).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

/**
 * @param {string} path a file or folder, or nothing at all
 * @param {string[]} without
 * @returns {string[]} its files, sorted
 */
function filesUnder(path, without) {
  if (!existsSync(path) || without.includes(relative(ROOT, path))) return [];
  try {
    return readdirSync(path)
      .sort()
      .flatMap((name) => filesUnder(join(path, name), without));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return [path];
    throw error;
  }
}
