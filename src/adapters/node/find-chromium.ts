import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { AccessionError, failure } from '#core/errors.ts';

/** The same places as scripts/lib/browser.mjs looks in; nothing is downloaded here. */
const VARIABLES = ['ACCESSION_BROWSER', 'CHROME_PATH', 'PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH'];
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The path of a Chromium or Chrome. `own` is Playwright's. Throws AccessionError `not_found` with what to do. */
export function findChromium(own: string, env: Readonly<Record<string, string | undefined>> = process.env): string {
  for (const name of VARIABLES) {
    const path = env[name];
    if (path) return path;
  }
  const folders = (env['PATH'] ?? '').split(delimiter);
  const system = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = [own, ...system, ...PLACES].find(mayRun);
  if (found !== undefined) return found;
  throw new AccessionError(
    failure('not_found', 'There is no Chromium or Chrome for the wllama provider.', {
      remedy: 'Install Chromium (Debian: `sudo apt-get install chromium`), or set ACCESSION_BROWSER to its path.',
    }),
  );
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
