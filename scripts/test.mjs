/**
 * `npm test [groups] [filters]`: every check in order, or only the named groups; what is no group narrows the
 * tests by file name (`npm test unit music`). The last line of stdout is `N passed, N failed`.
 */
import { GROUPS } from './lib/checks.mjs';
import { Trouble, launch } from './lib/say.mjs';
import { setUp } from './lib/setup.mjs';
import { Tally } from './lib/tally.mjs';

await launch(async () => {
  const args = process.argv.slice(2).filter((arg) => arg !== '--');
  const wanted = args.filter((arg) => arg in GROUPS);
  const filters = args.filter((arg) => !(arg in GROUPS));
  if (filters.length > 0 && wanted.length === 0) {
    throw new Trouble(`There is no group "${filters[0]}".`, `Groups: ${Object.keys(GROUPS).join(', ')}.`);
  }

  const tally = new Tally();
  const node = await setUp();
  for (const [name, group] of Object.entries(GROUPS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    tally.heading(name);
    try {
      await group({ node, filters, tally });
    } catch (thrown) {
      tally.failed(name, thrown instanceof Trouble ? `${thrown.message}\n${thrown.remedy}` : String(thrown));
    }
  }
  return tally.end(process.env['CI'] === 'true');
});
