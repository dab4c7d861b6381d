/** Finds the browsers that `npm test browsers` drives. Nothing is downloaded: without one, its tests are skipped by name. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Trouble } from './say.mjs';

/**
 * The variable that names each, what it is called on the PATH, what else it wants, and what Debian calls all of it.
 * Playwright's own Firefox and WebKit are no choice: they are patched to be driven by Playwright alone.
 */
const BROWSERS = [
  { label: 'Firefox', variable: 'ACCESSION_FIREFOX', names: ['firefox-esr', 'firefox'], packages: 'firefox-esr' },
  {
    label: 'WebKit',
    variable: 'ACCESSION_WEBKIT_DRIVER',
    names: ['WebKitWebDriver'],
    // Its driver has no way without a screen, and nothing to drive without WebKit's own library.
    besides: { what: 'Xvfb and WebKit2 4.1 for /usr/bin/python3', isThere: () => onPath('Xvfb') !== '' && hasWebkit() },
    packages: 'webkit2gtk-driver python3-gi gir1.2-webkit2-4.1 xvfb',
  },
];

/** What WebKit's browser (tests/browsers/support/webkit-browser.py) imports. */
const IMPORTS = "import gi; gi.require_version('Gtk', '3.0'); gi.require_version('WebKit2', '4.1')";

/**
 * @param {boolean} [all] whether each has to be there (CI)
 * @returns {Record<string, string>} the program of each, by its variable; empty where there is none
 * @throws {Trouble} where a variable names what is no program, or one is missing that has to be there
 */
export function findOtherBrowsers(all = process.env['CI'] === 'true') {
  return Object.fromEntries(
    BROWSERS.map(({ label, variable, names, besides, packages }) => {
      const named = process.env[variable];
      if (named && !isProgram(named)) {
        throw new Trouble(`${variable} is "${named}", which is no program.`, 'Set it to one that runs, or unset it.');
      }
      const program = named || (names.map(onPath).find((path) => path !== '') ?? '');
      const isWhole = program !== '' && (besides === undefined || besides.isThere());
      if (all && !isWhole) {
        const lookedFor = [`${names.join(' or ')} on the PATH`, ...(besides ? [besides.what] : [])].join(', with ');
        throw new Trouble(
          `There is no ${label} to be driven: looked for ${lookedFor}.`,
          `Install it (Debian: \`sudo apt-get install ${packages}\`), or set ${variable} to its program.`,
        );
      }
      return [variable, isWhole ? program : ''];
    }),
  );
}

/** @param {string} name */
function onPath(name) {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? '';
}

function hasWebkit() {
  return spawnSync('/usr/bin/python3', ['-c', IMPORTS], { stdio: 'ignore' }).status === 0;
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
