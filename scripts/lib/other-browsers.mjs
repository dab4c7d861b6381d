/** Finds the browsers that `npm test browsers` drives. Nothing is downloaded: without one, its tests are skipped by name. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Trouble } from './say.mjs';

/**
 * The variable that names each, and what it is called on the PATH. Playwright's own Firefox and WebKit are no choice:
 * they are patched to be driven by Playwright alone.
 */
const BROWSERS = {
  ACCESSION_FIREFOX: ['firefox-esr', 'firefox'],
  ACCESSION_WEBKIT_DRIVER: ['WebKitWebDriver'],
};

/**
 * @returns {Record<string, string>} the program of each, by its variable; empty where there is none
 * @throws {Trouble} where a variable names what is no program
 */
export function findOtherBrowsers() {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return Object.fromEntries(
    Object.entries(BROWSERS).map(([variable, names]) => {
      const named = process.env[variable];
      if (named && !isProgram(named)) {
        throw new Trouble(`${variable} is "${named}", which is no program.`, 'Set it to one that runs, or unset it.');
      }
      const found = (/** @type {string} */ name) => folders.map((folder) => join(folder, name)).find(isProgram);
      // WebKit's has no way without a screen.
      if (variable === 'ACCESSION_WEBKIT_DRIVER' && found('Xvfb') === undefined) return [variable, ''];
      return [variable, named || (names.map(found).find((path) => path !== undefined) ?? '')];
    }),
  );
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
