/**
 * Finds a Chromium for the end-to-end tests, or gets one:
 * environment variable, Playwright's own, the system's, Playwright's download, then apt-get where it may.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';
import { Trouble, say } from './say.mjs';
import { tool } from './tools.mjs';

const VARIABLES = ['ACCESSION_BROWSER', 'CHROME_PATH', 'PLAYWRIGHT_CHROMIUM_EXECUTABLE_PATH'];
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];
const DOWNLOAD_HOST = 'https://cdn.playwright.dev/';
const REACH_MS = 5_000;
const DOWNLOAD_MS = 300_000;
const APT_MS = 600_000;

/**
 * @param {string} node the project's Node
 * @returns {Promise<string>} the path of a Chromium that starts
 * @throws {Trouble} that names everything tried
 */
export async function findBrowser(node) {
  for (const name of VARIABLES) {
    const path = process.env[name];
    if (!path) continue;
    if (await starts(path)) return path;
    throw new Trouble(
      `${name} is "${path}", which does not start.`,
      'Set it to a Chromium or Chrome that runs, or unset it.',
    );
  }
  return (
    (await firstThatStarts([await playwrightsOwn(), ...systemBrowsers()])) ??
    (await download(node)) ??
    (await install()) ??
    nothing()
  );
}

async function playwrightsOwn() {
  const { chromium } = await import('@playwright/test');
  return chromium.executablePath();
}

function systemBrowsers() {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), ...PLACES];
}

/** @param {string} node */
async function download(node) {
  if (!(await isReachable(DOWNLOAD_HOST))) return null;
  say('No browser found; downloading Chromium (playwright install chromium) ...');
  const args = [tool('playwright'), 'install', 'chromium'];
  await run(node, args, { timeoutMs: DOWNLOAD_MS, stream: true, toStderr: true });
  return await firstThatStarts([await playwrightsOwn()]);
}

async function install() {
  const mayInstall = process.platform === 'linux' && process.getuid?.() === 0;
  if (!mayInstall || (await run('apt-get', ['--version'])).code !== 0) return null;
  say('No browser found; installing Chromium (apt-get install chromium) ...');
  const options = { timeoutMs: APT_MS, env: { DEBIAN_FRONTEND: 'noninteractive' } };
  await run('apt-get', ['update', '-qq'], options);
  const { code, output } = await run(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
    options,
  );
  if (code !== 0) say(output);
  return await firstThatStarts(systemBrowsers());
}

/** @returns {never} */
function nothing() {
  throw new Trouble(
    `No browser for the end-to-end tests: none of ${VARIABLES.join(', ')} is set, Playwright has none of its own, ` +
      `${NAMES.slice(0, 4).join(', ')} are not on the PATH, and none could be downloaded or installed from here.`,
    'Install Chromium or Chrome (Debian: `sudo apt-get install chromium`), or set ACCESSION_BROWSER to its path.',
  );
}

/** @param {string[]} paths */
async function firstThatStarts(paths) {
  for (const path of paths) if (await starts(path)) return path;
  return null;
}

/**
 * Missing libraries and placeholders of package managers fail here, not in the middle of the tests.
 *
 * @param {string} path
 */
async function starts(path) {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return false;
  }
  const isWindows = process.platform === 'win32';
  return isWindows || (await run(path, ['--version'], { timeoutMs: 30_000 })).code === 0;
}

/** @param {string} url */
async function isReachable(url) {
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(REACH_MS) });
    return true;
  } catch {
    return false;
  }
}
