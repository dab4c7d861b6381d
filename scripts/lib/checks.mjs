/** The groups of `npm test`, in order: the cheap ones that say most first. */
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBrowser } from './browser.mjs';
import { buildIfChanged, hashOf } from './build.mjs';
import { withLock } from './lock.mjs';
import { findOtherBrowsers } from './other-browsers.mjs';
import { CACHE, inRoot } from './paths.mjs';
import { run } from './run.mjs';
import { runPlaywright, runVitest } from './runners.mjs';
import { tool } from './tools.mjs';

/** A worker builds adapters and exposes one API; what is longer belongs into a room. */
const WORKER_LINES = 60;

/**
 * One a compiler world: what is in scope (DOM, Node, nothing) differs. svelte-check has the app's. TypeScript 7 checks
 * in a fifth of the time of 6, which the others still need (docs/decisions/027-checks.md); one thread of it, as the
 * other core is not idle and several check much twice.
 */
export const TSCONFIGS = ['src/core', 'src/server', 'src/service-worker', 'scripts'];
/** What lint depends on. */
const LINTED = ['src', 'workers', 'tests', 'scripts', 'vite.config.ts', 'tsconfig.json', 'package-lock.json'];

/**
 * @typedef {object} GroupContext
 * @property {string} node the project's Node
 * @property {string[]} filters
 * @property {import('./tally.mjs').Tally} tally
 * @property {boolean} [yields] tests run beside it, which are to have the machine
 */

/**
 * Writes the types of the routes, which all that reads the sources reads, too.
 *
 * @param {GroupContext} context
 */
export const prepareSources = (context) => check(context, 'svelte-kit sync', '@sveltejs/kit', ['sync'], 'svelte-kit');

/** Groups that only read the sources. */
export const READING = ['types', 'lint', 'rules'];

/** @type {Record<string, (context: GroupContext) => Promise<void>>} */
export const GROUPS = {
  types: async (context) => {
    await withLock('svelte-check', () => checkComponents(context));
    for (const folder of TSCONFIGS) await checkTypes(context, folder);
  },
  lint: async (context) => {
    // Two programs of one thread.
    await Promise.all([
      context.tally.part(async (tally) => {
        await checkPromises({ ...context, tally }, ['.']);
        await checkSense({ ...context, tally });
      }),
      context.tally.part((tally) => checkForm({ ...context, tally }, ['.'])),
    ]);
  },
  rules: async (context) => {
    await checkImports(context);
    await check(context, 'dead code', 'knip', ['--config', 'scripts/config/knip.json', '--no-progress']);
    await checkHouse(context);
    checkWorkers(context);
  },
  unit: (context) => runVitest(context, 'unit'),
  contract: (context) => runVitest(context, 'contract'),
  build: async ({ node, tally }) => {
    await buildIfChanged(node);
    tally.passed('vite build');
  },
  e2e: async (context) => {
    await buildIfChanged(context.node);
    await runPlaywright(context, 'e2e', { ACCESSION_BROWSER: await findBrowser(context.node) });
  },
  browsers: async (context) => {
    await buildIfChanged(context.node);
    await runPlaywright(context, 'browsers', findOtherBrowsers());
  },
};

/**
 * @param {GroupContext} context
 * @param {string} name
 * @param {string} packageName
 * @param {string[]} args
 * @param {string} [binary]
 * @returns {Promise<boolean>} whether it passed
 */
async function check({ node, tally, yields = false }, name, packageName, args, binary) {
  const { code, output } = await run(node, [tool(packageName, binary), ...args], {
    env: { NO_COLOR: '1', FORCE_COLOR: undefined },
    yields,
  });
  if (code === 0) tally.passed(name);
  else tally.failed(name, output);
  return code === 0;
}

/**
 * Form. What was well formed is not read again: the cache goes by content.
 *
 * @param {GroupContext} context
 * @param {string[]} files files and folders
 */
export function checkForm(context, files) {
  const cache = ['--cache', '--cache-strategy', 'content', '--cache-location', join(CACHE, 'prettier')];
  const args = ['--check', '--log-level', 'warn', '--ignore-unknown', ...cache, ...files];
  return check(context, 'prettier', 'prettier', args);
}

/** @param {GroupContext} context */
export function checkImports(context) {
  const args = ['--config', 'scripts/config/dependency-cruiser.cjs', '--output-type', 'err', 'src', 'workers'];
  return check(context, 'imports', 'dependency-cruiser', args, 'depcruise');
}

/**
 * @param {GroupContext} context
 * @param {string} folder of a tsconfig.json
 */
export function checkTypes(context, folder) {
  const args = ['--noEmit', '--pretty', 'false', '--singleThreaded', '-p', folder];
  return check(context, `tsc ${folder}`, '@typescript/native', args, 'tsc');
}

/** @param {GroupContext} context */
export function checkComponents(context) {
  // It keeps its translations, also of what is gone since, and finds faults in those.
  rmSync(inRoot('.svelte-kit', '.svelte-check'), { recursive: true, force: true });
  const args = ['--tsconfig', 'tsconfig.json', '--fail-on-warnings', '--tsgo', '--output', 'human'];
  return check(context, 'svelte-check', 'svelte-check', args);
}

/**
 * Sense. All of it is passed over where no source and no package has changed since it last passed, but for a run that is
 * to prove something (CI).
 *
 * @param {GroupContext} context
 */
async function checkSense(context) {
  const stamp = join(CACHE, 'eslint-stamp');
  const hash = hashOf(LINTED);
  if (process.env['CI'] !== 'true' && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash)
    return context.tally.passed('eslint, of the same sources as before');
  rmSync(stamp, { force: true });
  if (await lint(context, ['.'])) writeFileSync(stamp, hash);
}

/**
 * @param {GroupContext} context
 * @param {string[]} files files and folders
 */
export function lint(context, files) {
  const config = 'scripts/config/eslint.config.js';
  return check(context, 'eslint', 'eslint', ['--config', config, '--max-warnings', '0', '--no-warn-ignored', ...files]);
}

/**
 * The rules that need types, which are there for what loses data quietly: a promise nobody waits for, a callback whose
 * rejection goes nowhere.
 *
 * @param {GroupContext} context
 * @param {string[]} files files and folders
 */
export function checkPromises(context, files) {
  const args = ['--type-aware', '--config', 'scripts/config/oxlint.json', '--threads', '1', ...files];
  return check(context, 'oxlint', 'oxlint', args);
}

/**
 * The rules of docs/spec and their tests, and who writes a job.
 *
 * @param {GroupContext} context
 */
async function checkHouse({ node, tally, yields = false }) {
  const { code, output } = await run(node, [inRoot('scripts', 'house', 'main.ts'), '--check'], { yields });
  if (code === 0) tally.passed('rules and their tests');
  else tally.failed('rules and their tests', output);
}

/** @param {GroupContext} context */
function checkWorkers({ tally }) {
  const long = readdirSync(inRoot('workers'))
    .filter((name) => name.endsWith('.worker.ts'))
    .map((name) => ({ name, lines: readFileSync(inRoot('workers', name), 'utf8').trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > WORKER_LINES);
  if (long.length === 0) tally.passed('workers are thin');
  else
    tally.failed(
      'workers are thin',
      long.map(({ name, lines }) => `workers/${name} has ${lines} lines; ${WORKER_LINES} at most`).join('\n'),
    );
}
