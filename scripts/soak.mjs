/**
 * `npm run soak [parts] [-- --json FILE]`: the property tests at full size, part by part; without names, all of them.
 * FC_SEED=n tries other cases. The file gets one flat object of figures: runs (cases tried), failures, seconds of each.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { callerDirectory } from './lib/caller.mjs';
import { CACHE } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { Trouble, launch, say } from './lib/say.mjs';
import { setUp } from './lib/setup.mjs';
import { tool } from './lib/tools.mjs';

/** @type {Record<string, string[]>} the tests of each part, by how their paths begin */
const PARTS = {
  agent: ['tests/unit/agent/misbehaving-model', 'tests/unit/agent/clean', 'tests/unit/agent/ladder'],
  sync: ['tests/unit/sync/outbox', 'tests/contract/sync-server'],
};

await launch(async () => {
  const args = process.argv.slice(2).filter((arg) => arg !== '--');
  const at = args.indexOf('--json');
  const [, file] = at < 0 ? [] : args.splice(at, 2);
  if (at >= 0 && file === undefined) throw new Trouble('--json wants a file.', 'For example --json soak.json.');
  const unknown = args.find((name) => !(name in PARTS));
  if (unknown !== undefined)
    throw new Trouble(`There is no part "${unknown}".`, `Parts: ${Object.keys(PARTS).join(', ')}.`);

  const node = await setUp();
  /** @type {Record<string, number>} */
  const figures = {};
  for (const name of args.length > 0 ? args : Object.keys(PARTS)) {
    say(`Soaking ${name} ...`);
    Object.assign(figures, await soak(node, name));
  }
  const json = `${JSON.stringify(figures, null, 2)}\n`;
  process.stdout.write(json);
  if (file !== undefined) writeFileSync(resolve(callerDirectory(), file), json);
  return Object.entries(figures).some(([name, value]) => name.endsWith('.failures') && value > 0) ? 1 : 0;
});

/**
 * @param {string} node
 * @param {string} name
 */
async function soak(node, name) {
  const started = performance.now();
  const report = join(CACHE, `soak-${name}.json`);
  const counts = join(CACHE, `soak-${name}.counts`);
  for (const path of [report, counts]) rmSync(path, { force: true });
  const args = ['run', '--config', 'tests/vitest.config.ts', '--reporter=dot', '--reporter=json'];
  const { code, output } = await run(
    node,
    [tool('vitest'), ...args, `--outputFile=${report}`, ...(PARTS[name] ?? [])],
    { env: { ACCESSION_SOAK: counts } },
  );
  if (code !== 0) say(output);
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
  return {
    [`${name}.runs`]: casesOf(counts) + numPassedTests + numFailedTests,
    [`${name}.failures`]: code !== 0 && numFailedTests === 0 ? 1 : numFailedTests,
    [`${name}.seconds`]: Math.round((performance.now() - started) / 100) / 10,
  };
}

/** @param {string} path one number a line, a line for each property (tests/setup.ts) */
function casesOf(path) {
  const lines = readFileSync(path, { encoding: 'utf8', flag: 'a+' }).split('\n');
  return lines.reduce((sum, line) => sum + Number(line), 0);
}
