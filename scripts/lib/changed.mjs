/** `npm test changed [ref]`: the checks and tests that a change touches, in a minute. */
import { existsSync } from 'node:fs';
import { checkComponents, checkForm, checkImports, checkPromises, checkTypes, lint, TSCONFIGS } from './checks.mjs';
import { inRoot } from './paths.mjs';
import { run } from './run.mjs';
import { relatedTests, runVitest } from './runners.mjs';
import { Trouble } from './say.mjs';

/** Contract files start servers and databases: more of them take longer than a minute. */
const MOST_CONTRACTS = 6;
/** What each tsconfig.json of checks.mjs has in it, and what that imports. */
const WORLDS = new Map([
  ['src/core', /^src\/(?:core|lanes\/[^/]+\/core)\//],
  ['src/server', /^src\/(?:core|adapters|server|cli|lanes)\//],
  ['src/service-worker', /^src\/(?:service-worker|core)\//],
  ['scripts', /^(?:scripts|src|tests)\//],
]);

/**
 * @param {import('./checks.mjs').GroupContext} context
 * @param {string} [ref] since which commit; without one what is not committed yet, else the last commit
 */
export async function checkChanged(context, ref) {
  const since = ref ?? ((await changedSince('HEAD')).length > 0 ? 'HEAD' : 'HEAD~1');
  const files = await changedSince(since);
  if (files.length === 0) throw new Trouble(`Nothing has changed since ${since}.`, 'Name an earlier commit.');
  context.tally.heading(`changed since ${since}: ${files.length} files`);
  const there = files.filter((file) => existsSync(inRoot(file)));
  const scripts = there.filter((file) => /\.(?:ts|js|mjs|svelte)$/.test(file));
  const typed = there.filter((file) => file.endsWith('.ts'));
  const code = files.filter((file) => /^(?:src|workers|tests|scripts)\//.test(file));

  const checks = [
    there.length > 0 && (() => checkForm(context, there)),
    scripts.length > 0 && (() => lint(context, scripts)),
    typed.length > 0 && (() => checkPromises(context, typed)),
    code.some((file) => !file.startsWith('scripts/')) && (() => checkComponents(context)),
    ...TSCONFIGS.map(
      (world) => code.some((file) => WORLDS.get(world)?.test(file)) && (() => checkTypes(context, world)),
    ),
    code.some((file) => /^(?:src|workers)\//.test(file)) && (() => checkImports(context)),
  ].filter((one) => one !== false);
  await Promise.all([inTurn(checks), testRelated(context, since)]);
}

/**
 * @param {import('./checks.mjs').GroupContext} context
 * @param {string} since
 */
async function testRelated(context, since) {
  for (const kind of /** @type {const} */ (['unit', 'contract'])) {
    const related = await relatedTests(context, kind, since);
    if (kind === 'contract' && related.length > MOST_CONTRACTS) {
      context.tally.heading(`${related.length} contract files are related: npm test contract`);
    } else if (related.length > 0) await runVitest({ ...context, filters: related }, kind);
  }
}

/** @param {(() => Promise<unknown>)[]} checks */
async function inTurn(checks) {
  for (const check of checks) await check();
}

/**
 * @param {string} ref
 * @returns {Promise<string[]>} paths from the project's top folder, of what is gone too
 */
async function changedSince(ref) {
  const outputs = [
    await run('git', ['diff', '--name-only', ref]),
    await run('git', ['ls-files', '--others', '--exclude-standard']),
  ];
  const bad = outputs.find(({ code }) => code !== 0);
  if (bad) throw new Trouble(`git does not say what has changed: ${bad.output.trim()}`, 'Name a commit that is there.');
  return outputs.flatMap(({ output }) => output.split('\n')).filter((path) => path !== '');
}
