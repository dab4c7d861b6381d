/** A Chromium or Chrome of this machine: named by a variable, Playwright's own, or the system's. Nothing is downloaded. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { failed } from '#core/errors.ts';

const VARIABLES = ['ACCESSION_BROWSER', 'CHROME_PATH', 'PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH'];
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
const START_MS = 30_000;

/**
 * The path of one that starts. Throws AccessionError: `invalid` where a variable names one that does not start,
 * `not_found` where there is none.
 */
export async function findChromium(env: Readonly<Record<string, string | undefined>> = process.env): Promise<string> {
  for (const name of VARIABLES) {
    const path = env[name];
    if (!path) continue;
    if (await starts(path)) return path;
    const remedy = 'Set it to a Chromium or Chrome that runs, or unset it.';
    throw failed('invalid', `${name} is "${path}", which does not start.`, { remedy });
  }
  const folders = (env['PATH'] ?? '').split(delimiter);
  const system = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  for (const path of [...(await playwrightsOwn()), ...system, ...PLACES]) if (await starts(path)) return path;
  const tried = `${VARIABLES.join(', ')} are not set, Playwright has none, and ${NAMES.slice(0, 4).join(', ')} are not on the PATH`;
  throw failed('not_found', `There is no Chromium or Chrome: ${tried}.`, {
    remedy:
      'Install Chromium or Chrome (Debian: `sudo apt-get install chromium`), or set ACCESSION_BROWSER to its path.',
  });
}

/** Where Playwright puts its own. It is a development dependency. */
async function playwrightsOwn(): Promise<string[]> {
  const { chromium } = await import('@playwright/test');
  return [chromium.executablePath()];
}

/** Missing libraries and placeholders of package managers fail here, not in the middle of the work. */
async function starts(path: string): Promise<boolean> {
  try {
    accessSync(path, constants.X_OK);
    if (process.platform !== 'win32') await promisify(execFile)(path, ['--version'], { timeout: START_MS });
    return true;
  } catch {
    return false;
  }
}
