/**
 * `npm test [groups] [filters]`: every check, or only the named groups (`static`: types, lint and rules); what is no
 * group narrows the tests by file name (`npm test unit music`). `npm test changed [ref]`: what the changes since `ref`
 * touch. The last line of stdout is `N passed, N failed`.
 *
 *   types, rules         first, beside unit; never beside the build, which writes what they read
 *   lint                 beside all else, at the lowest priority
 *   unit, contract       one after the other, as each takes what processor there is
 *   build, e2e, browsers one after the other; beside those where there are the memory and the cores for it, else after them
 */
import { availableParallelism, totalmem } from 'node:os';
import { checkChanged } from './lib/changed.mjs';
import { GROUPS, READING, prepareSources } from './lib/checks.mjs';
import { fastFolder } from './lib/fast-folder.mjs';
import { Trouble, launch } from './lib/say.mjs';
import { setUp } from './lib/setup.mjs';
import { Tally } from './lib/tally.mjs';

/** Bytes of memory from which tests go beside browsers. */
const MEMORY_FOR_ALL = 12 * 1024 ** 3;
/** Cores from which they do: on fewer they wait for each other, and what waits is asked again and again. */
const CORES_FOR_ALL = 4;
/** What needs the built app. */
const IN_BROWSERS = ['e2e', 'browsers'];

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
  const together = totalmem() >= MEMORY_FOR_ALL && availableParallelism() >= CORES_FOR_ALL;
  const checks = reading.map((name) => ({ name, done: inPart(name, name === 'lint' && rest.length > 0) }));
  const beforeBuild = checks.filter(({ name }) => name !== 'lint').map(({ done }) => done);
  const inOrder = async (/** @type {string[]} */ names) => {
    for (const name of names.filter((name) => rest.includes(name))) await inPart(name);
  };
  const inNode = () => inOrder(['unit', 'contract']);
  const inBrowsers = async () => {
    await Promise.all(beforeBuild);
    // Three browsers at once on two cores only wait for each other.
    await inOrder(['build', ...IN_BROWSERS]);
  };
  if (together) await Promise.all([inNode(), inBrowsers()]);
  else {
    await inNode();
    await inBrowsers();
  }
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
