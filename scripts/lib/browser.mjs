/** Finds a Chromium for the end-to-end tests, or gets one: Playwright's download, then apt-get where it may. */
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';
import { Trouble, say } from './say.mjs';
import { tool } from './tools.mjs';

/** Exit code of find-chromium.ts where there is none. */
const NONE = 3;
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
  let why = '';
  for (const get of [() => true, () => download(node), install]) {
    if (!(await get())) continue;
    const { code, output } = await run(node, [inRoot('scripts', 'lib', 'find-chromium.ts')]);
    if (code === 0) return output;
    const [message = '', ...remedy] = output.split('\n');
    if (code !== NONE) throw new Trouble(message, remedy.join('\n'));
    why = message;
  }
  throw new Trouble(
    `${why} None could be downloaded or installed from here.`,
    'Install Chromium or Chrome (Debian: `sudo apt-get install chromium`), or set ACCESSION_BROWSER to its path.',
  );
}

/** @param {string} node */
async function download(node) {
  if (!(await isReachable(DOWNLOAD_HOST))) return false;
  say('No browser found; downloading Chromium (playwright install chromium) ...');
  const args = [tool('playwright'), 'install', 'chromium'];
  const { code } = await run(node, args, { timeoutMs: DOWNLOAD_MS, stream: true, toStderr: true });
  return code === 0;
}

async function install() {
  const mayInstall = process.platform === 'linux' && process.getuid?.() === 0;
  if (!mayInstall || (await run('apt-get', ['--version'])).code !== 0) return false;
  say('No browser found; installing Chromium (apt-get install chromium) ...');
  const options = { timeoutMs: APT_MS, env: { DEBIAN_FRONTEND: 'noninteractive' } };
  await run('apt-get', ['update', '-qq'], options);
  const args = ['install', '-y', '-qq', '--no-install-recommends', 'chromium'];
  const { code, output } = await run('apt-get', args, options);
  if (code !== 0) say(output);
  return code === 0;
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
