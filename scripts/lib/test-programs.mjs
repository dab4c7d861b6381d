/**
 * The programs that tests start, hundreds of times: each a few files made of the very sources, so that a start reads those
 * and not a thousand (docs/decisions/073-programs-of-tests.md). `npm start` and `accession` run the sources as they are.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './build.mjs';
import { withLock } from './lock.mjs';
import { CACHE, inRoot } from './paths.mjs';
import { run } from './run.mjs';
import { Trouble } from './say.mjs';

/** Where they lie. Tests know it by the variable ACCESSION_TEST_PROGRAMS (tests/fixtures/program-file.ts). */
const FOLDER = join(CACHE, 'programs');
const STAMP = join(CACHE, 'programs-stamp');
const SOURCES = ['src', 'package.json', 'package-lock.json', 'scripts/lib/bundle-programs.mjs'];

/**
 * Puts them together where a source has changed since.
 *
 * @param {string} node the project's Node
 * @returns {Promise<string>} the folder that they are in
 * @throws {Trouble} when the sources cannot be put together
 */
export function testPrograms(node) {
  return withLock('programs', async () => {
    const hash = hashOf(SOURCES);
    if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hash) return FOLDER;
    rmSync(STAMP, { force: true });
    const { code, output } = await run(node, [inRoot('scripts', 'lib', 'bundle-programs.mjs'), FOLDER]);
    if (code !== 0)
      throw new Trouble(
        `The programs of the tests could not be put together:\n${output}`,
        'Mend what is named above and run the command again.',
      );
    writeFileSync(STAMP, hash);
    return FOLDER;
  });
}
