/**
 * `npm test [groups] [filters]`: every check, or only the named groups; what is no group narrows the
 * tests by file name (`npm test unit music`). The last line of stdout is `N passed, N failed`.
 */
import { join } from 'node:path';
import { GROUPS, READING, TESTING, prepareSources } from './lib/checks.mjs';
import { CACHE } from './lib/paths.mjs';
import { Trouble, launch } from './lib/say.mjs';
import { setUp } from './lib/setup.mjs';
import { Tally } from './lib/tally.mjs';

// The servers and commands that the tests start again and again are compiled once.
process.env['NODE_COMPILE_CACHE'] ??= join(CACHE, 'compiled');

await launch(async () => {
  const args = process.argv.slice(2).filter((arg) => arg !== '--');
  const wanted = args.filter((arg) => arg in GROUPS);
  const filters = args.filter((arg) => !(arg in GROUPS));
  if (filters.length > 0 && wanted.length === 0) {
    throw new Trouble(`There is no group "${filters[0]}".`, `Groups: ${Object.keys(GROUPS).join(', ')}.`);
  }

  const tally = new Tally();
  const node = await setUp();
  const chosen = Object.keys(GROUPS).filter((name) => wanted.length === 0 || wanted.includes(name));
  const reading = chosen.filter((name) => READING.includes(name));
  const testing = chosen.filter((name) => TESTING.includes(name));
  // The build writes what the readers read, and what is timed by a browser runs alone.
  const rest = chosen.filter((name) => !reading.includes(name) && !testing.includes(name));
  if (reading.length > 0) await prepareSources({ node, filters, tally });
  // What only reads the sources takes the time that tests spend waiting.
  const yields = testing.length > 0;
  await Promise.all([
    ...reading.map((name) => tally.part((part) => runGroup(name, { node, filters, tally: part, yields }))),
    runTests(),
  ]);
  for (const name of rest) await runGroup(name, { node, filters, tally });
  return tally.end(process.env['CI'] === 'true');

  async function runTests() {
    for (const name of testing) await tally.part((part) => runGroup(name, { node, filters, tally: part }));
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
