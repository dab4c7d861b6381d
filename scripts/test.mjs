/**
 * `npm test [groups] [filters]`: every check, or only the named groups (`static`: types, lint and rules); what is no
 * group narrows the tests by file name (`npm test unit music`). `npm test changed [ref]`: what the changes since `ref`
 * touch. The last line of stdout is `N passed, N failed`.
 *
 *   types, rules, lint   beside all else, at the lowest priority
 *   unit, contract       one after the other; side by side where there are cores for both
 *   build, e2e, browsers after those, or beside them too; never beside types and rules, which read what the build writes
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { checkChanged } from './lib/changed.mjs';
import { GROUPS, READING, prepareSources } from './lib/checks.mjs';
import { fastFolder } from './lib/fast-folder.mjs';
import { CACHE } from './lib/paths.mjs';
import { Trouble, launch } from './lib/say.mjs';
import { setUp } from './lib/setup.mjs';
import { Tally } from './lib/tally.mjs';

/** Cores from which tests and browsers do not take each other's time. */
const CORES_FOR_ALL = 6;
/** What needs the built app, one after the other. */
const IN_BROWSERS = ['build', 'e2e', 'browsers'];

// The servers and commands that the tests start again and again are compiled once.
process.env['NODE_COMPILE_CACHE'] ??= join(CACHE, 'compiled');
const folder = process.env['TMPDIR'] === undefined ? fastFolder() : null;
if (folder !== null) process.env['TMPDIR'] = folder;

await launch(async () => {
  const args = process.argv.slice(2).filter((arg) => arg !== '--');
  const tally = new Tally();
  if (args[0] === 'changed') {
    await checkChanged({ node: await setUp(), filters: [], tally }, args[1]);
    return tally.end(false);
  }
  const names = args.flatMap((arg) => (arg === 'static' ? READING : [arg]));
  const wanted = names.filter((name) => name in GROUPS);
  const filters = names.filter((name) => !(name in GROUPS));
  if (filters.length > 0 && wanted.length === 0) {
    const groups = [...Object.keys(GROUPS), 'static', 'changed'].join(', ');
    throw new Trouble(`There is no group "${filters[0]}".`, `Groups: ${groups}.`);
  }

  const node = await setUp();
  const chosen = Object.keys(GROUPS).filter((name) => wanted.length === 0 || wanted.includes(name));
  const reading = chosen.filter((name) => READING.includes(name));
  const rest = chosen.filter((name) => !READING.includes(name));
  if (reading.length > 0) await prepareSources({ node, filters, tally });
  // What only reads the sources takes the time that tests spend waiting.
  const yields = rest.length > 0;
  const checks = reading.map((name) => ({ name, done: inPart(name, yields) }));
  const beforeBuild = checks.filter(({ name }) => name !== 'lint').map(({ done }) => done);
  const browser = async () => {
    await Promise.all(beforeBuild);
    for (const name of rest.filter((name) => IN_BROWSERS.includes(name))) await inPart(name);
  };
  const tests = rest.filter((name) => name === 'unit' || name === 'contract').map((name) => () => inPart(name));
  const runs = [...tests, browser];
  if (availableParallelism() >= CORES_FOR_ALL) await Promise.all(runs.map((run) => run()));
  else for (const run of runs) await run();
  await Promise.all(checks.map(({ done }) => done));
  return tally.end(process.env['CI'] === 'true');

  /**
   * @param {string} name
   * @param {boolean} [yields]
   */
  async function inPart(name, yields = false) {
    await tally.part((part) => runGroup(name, { node, filters, tally: part, yields }));
  }
});

/**
 * @param {string} name
 * @param {import('./lib/checks.mjs').GroupContext} context
 */
async function runGroup(name, context) {
  const { tally } = context;
  tally.heading(name);
  try {
    await GROUPS[name]?.(context);
  } catch (thrown) {
    tally.failed(name, thrown instanceof Trouble ? `${thrown.message}\n${thrown.remedy}` : String(thrown));
  }
}
