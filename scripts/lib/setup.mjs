/**
 * From a bare clone to a project that runs, on Node 20 or later and npm alone:
 *
 *   Node new enough? -> packages as the lock says? (npm ci) -> Node 24 in place? -> svelte-kit sync
 *
 * Every launcher calls this first. When nothing changed it costs a few hundredths of a second.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { CACHE, ROOT, inRoot } from './paths.mjs';
import { run } from './run.mjs';
import { Trouble, say } from './say.mjs';
import { tool } from './tools.mjs';

const OLDEST_NODE = 20;
/** The sources are TypeScript that Node strips itself, over `node:sqlite`: both need this. */
const PROJECT_NODE = 24;
const STAMP = inRoot('node_modules', '.accession-stamp');

/**
 * Makes the project ready to run.
 *
 * @returns {Promise<string>} the path of the Node that runs the project's sources
 * @throws {Trouble} when something is missing that only the person can mend
 */
export async function setUp() {
  checkOwnNode();
  // Servers, commands and their children are compiled once, not at each start: half of the processor's time of a start.
  process.env['NODE_COMPILE_CACHE'] ??= join(CACHE, 'compiled');
  return (await readyNode()) ?? (await withLock('setup', async () => (await readyNode()) ?? (await install())));
}

/** @returns {Promise<string | null>} the Node to run with, when all was set up before and nothing changed since */
async function readyNode() {
  return isStamped() ? await projectNode() : null;
}

function checkOwnNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= OLDEST_NODE) return;
  throw new Trouble(
    `This is Node ${process.versions.node}; Accession needs Node ${OLDEST_NODE} or later.`,
    'Install a current Node from https://nodejs.org (or with nvm: `nvm install 24`), then run the command again.',
  );
}

async function install() {
  if (!packagesAreThere()) {
    say('Installing packages (npm ci) ...');
    const { code } = await npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
    if (code !== 0) {
      throw new Trouble(
        `\`npm ci\` in ${ROOT} ended with code ${code}; what it said stands above.`,
        'Check the network (a proxy? a registry set in ~/.npmrc?) and that the disk has 1 GB free, then run the command again.',
      );
    }
  }
  const node = (await projectNode()) ?? (await placeNode());
  say('Preparing the sources (svelte-kit sync) ...');
  const synced = await run(node, [tool('@sveltejs/kit', 'svelte-kit'), 'sync']);
  if (synced.code !== 0) {
    // Not fatal: server, command line and unit tests work without; types and build say what is wrong themselves.
    say(`svelte-kit sync failed, and is tried again next time: ${synced.output.trim().split('\n', 1)[0]}`);
    return node;
  }
  writeFileSync(STAMP, lockHash());
  return node;
}

/** @returns {string} the lock's content and the platform its packages were installed for */
function lockHash() {
  return createHash('sha256')
    .update(readFileSync(inRoot('package-lock.json')))
    .update(`${process.platform}-${process.arch}`)
    .digest('hex');
}

function isStamped() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lockHash();
}

/** npm writes node_modules/.package-lock.json last, so it says what is really there, whoever installed it. */
function packagesAreThere() {
  const hidden = inRoot('node_modules', '.package-lock.json');
  if (!existsSync(hidden)) return false;
  const wanted = lockedPackages(inRoot('package-lock.json'));
  const present = lockedPackages(hidden);
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || (entry.optional && !present[path])) return true;
    return present[path]?.version === entry.version && present[path]?.integrity === entry.integrity;
  });
}

/**
 * @param {string} path
 * @returns {Record<string, { version?: string, integrity?: string, optional?: boolean }>}
 */
function lockedPackages(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}

/** @returns {Promise<string | null>} a Node of the project's version that starts, the pinned one first */
async function projectNode() {
  const pinned = inRoot('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(pinned)) {
    const { code, output } = await run(pinned, ['--version'], { timeoutMs: 20_000 });
    if (code === 0 && output.startsWith(`v${PROJECT_NODE}.`)) return pinned;
  }
  return Number(process.versions.node.split('.')[0]) >= PROJECT_NODE ? process.execPath : null;
}

/** The package `node` fetches its binary in an install script, which npm does not run where scripts are off. */
async function placeNode() {
  say(`Fetching Node ${PROJECT_NODE} (npm rebuild node) ...`);
  await npm(['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error']);
  const node = await projectNode();
  if (node) return node;
  throw new Trouble(
    `Accession's sources need Node ${PROJECT_NODE}, and the package "node" could not place it in node_modules.`,
    `Allow its install script (\`npm config delete ignore-scripts\`; npm 12: \`npm approve-scripts node\`), delete node_modules and run the command again; or install Node ${PROJECT_NODE} yourself and run it with that.`,
  );
}

/** @param {string[]} args */
function npm(args) {
  const options = { stream: true, toStderr: true, env: { npm_config_loglevel: undefined } };
  const script = process.env['npm_execpath'];
  if (script?.endsWith('.js')) return run(process.execPath, [script, ...args], options);
  return run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, options);
}
