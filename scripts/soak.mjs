/**
 * `npm run soak [-- parts] [--json [FILE]] [options]`: what random tests and faults find when they run for long, part by
 * part; without names, all of them. A part is property tests at full size (FC_SEED=n tries other cases), a program of
 * its own, or both. The file gets one flat object of figures; `--json` without a file leaves that object alone on
 * stdout, and everything else goes to stderr. A part that fails ends the soak with code 1.
 *
 * Options go to the programs that know them: `--rounds N`, `--seed N` and `--store sqlite|postgres` to storage, `--data DIR` to ask and documents-pdfs, `--worlds N`,
 * `--every N` and `--seed N` to guide, `--kills N` and `--seed N` to documents, documents-page, library, media, playbook-browser, playbooks and video, `--questions N`, `--tracks N` and `--seed N` to search, `--minutes N`, `--seed N` and `--database-url URL` to sync. `--minutes` without names runs the parts that take it: `npm run soak -- --minutes N`
 * drives clients and servers through faults; what its table begins with has these names without `sync.` as well.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findBrowser } from './lib/browser.mjs';
import { buildIfChanged } from './lib/build.mjs';
import { callerDirectory } from './lib/caller.mjs';
import { CACHE, inRoot } from './lib/paths.mjs';
import { replaceWith, run } from './lib/run.mjs';
import { Trouble, launch, say } from './lib/say.mjs';
import { setUp } from './lib/setup.mjs';
import { tool } from './lib/tools.mjs';

/**
 * @typedef {object} Part
 * @property {string[]} [tests] Vitest files, by how their paths begin
 * @property {string} [program] run by Node; writes its figures as one flat object of JSON to the file that
 *   ACCESSION_FIGURES names, says on stdout what it did, and ends with another code than 0 when something was wrong
 * @property {boolean} [browser] the program drives the built app: ACCESSION_BROWSER is the path of a Chromium
 * @property {string[]} [options] names of the options that the program takes, each with a value
 */

/** @type {Record<string, Part>} */
const PARTS = {
  agent: { tests: ['tests/unit/agent/misbehaving-model', 'tests/unit/agent/clean', 'tests/unit/agent/ladder'] },
  ask: { tests: ['tests/unit/library/ask/run-property'], program: 'tests/soak/ask.ts', options: ['data'] },
  documents: { program: 'tests/soak/documents.ts', options: ['kills', 'seed'] },
  'documents-pdfs': { program: 'tests/soak/documents-pdfs.ts', options: ['data'] },
  'documents-page': { program: 'tests/soak/documents-page.ts', browser: true, options: ['kills', 'seed'] },
  guide: { program: 'tests/soak/guide.ts', options: ['worlds', 'seed', 'every'] },
  library: { program: 'tests/soak/library.ts', browser: true, options: ['kills', 'seed'] },
  media: { program: 'tests/soak/media.ts', browser: true, options: ['kills', 'seed'] },
  'playbook-browser': { program: 'tests/soak/playbook-browser.ts', browser: true, options: ['kills', 'seed'] },
  playbooks: { program: 'tests/soak/playbooks.ts', options: ['kills', 'seed'] },
  search: { program: 'tests/soak/search.ts', options: ['questions', 'tracks', 'seed'] },
  sync: {
    tests: ['tests/unit/sync/outbox'],
    program: 'tests/soak/sync.ts',
    options: ['minutes', 'database-url', 'seed'],
  },
  storage: { program: 'tests/soak/storage.ts', options: ['seed', 'rounds', 'store'] },
  video: { program: 'tests/soak/video.ts', browser: true, options: ['kills', 'seed'] },
};

/** @typedef {{ figures: Record<string, number>, failed: boolean }} Outcome */

await launch(async () => {
  const { names, options, json } = readArguments(process.argv.slice(2));
  const node = await setUp();
  /** @type {Record<string, number>} */
  const figures = {};
  let failed = false;
  for (const name of names) {
    say(`Soaking ${name} ...`);
    const outcome = await soak(node, name, options, json === true);
    Object.assign(figures, outcome.figures);
    failed ||= outcome.failed;
  }
  const text = `${JSON.stringify(figures, null, 2)}\n`;
  process.stdout.write(text);
  if (typeof json === 'string') writeFileSync(resolve(callerDirectory(), json), text);
  return failed ? 1 : 0;
});

/**
 * @param {string[]} args
 * @returns {{ names: string[], options: Map<string, string>, json: string | boolean }} `json`: a file, or whether
 *   stdout is for it alone
 */
function readArguments(args) {
  /** @type {string[]} */
  const names = [];
  /** @type {Map<string, string>} */
  const options = new Map();
  /** @type {string | boolean} */
  let json = false;
  const left = args.filter((arg) => arg !== '--');
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (!arg.startsWith('--')) names.push(arg);
    else if (arg === '--json') json = left[0] === undefined || left[0].startsWith('--') ? true : (left.shift() ?? true);
    else {
      const value = left.shift();
      if (value === undefined) throw new Trouble(`${arg} wants a value.`, 'For example --minutes 20.');
      options.set(arg.slice(2), value);
    }
  }
  const unknown = names.find((name) => !(name in PARTS));
  if (unknown !== undefined)
    throw new Trouble(`There is no part "${unknown}".`, `Parts: ${Object.keys(PARTS).join(', ')}.`);
  if (names.length === 0) {
    const all = Object.keys(PARTS);
    names.push(...(options.has('minutes') ? all.filter((name) => PARTS[name]?.options?.includes('minutes')) : all));
  }

  const known = names.flatMap((name) => PARTS[name]?.options ?? []);
  const stray = [...options.keys()].find((name) => !known.includes(name));
  if (stray !== undefined)
    throw new Trouble(
      `${names.join(', ')} ${names.length === 1 ? 'takes' : 'take'} no option --${stray}.`,
      `Options: ${['json', ...known].map((name) => `--${name}`).join(', ')}.`,
    );
  return { names, options, json };
}

/**
 * @param {string} node
 * @param {string} name
 * @param {Map<string, string>} options
 * @param {boolean} toStderr
 * @returns {Promise<Outcome>}
 */
async function soak(node, name, options, toStderr) {
  const started = performance.now();
  const part = PARTS[name] ?? {};
  const tested = part.tests ? await runTests(node, name, part.tests) : { figures: {}, failed: false };
  const args = (part.options ?? []).flatMap((option) => {
    const value = options.get(option);
    return value === undefined ? [] : [`--${option}`, value];
  });
  const ran = part.program ? await runProgram(node, name, part, { args, toStderr }) : { figures: {}, failed: false };
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  return {
    figures: { ...tested.figures, ...ran.figures, [`${name}.seconds`]: seconds },
    failed: tested.failed || ran.failed,
  };
}

/**
 * @param {string} node
 * @param {string} name
 * @param {string[]} tests
 * @returns {Promise<Outcome>}
 */
async function runTests(node, name, tests) {
  const report = own(`${name}.json`);
  const counts = own(`${name}.counts`);
  const args = ['run', '--config', 'tests/vitest.config.ts', '--reporter=dot', '--reporter=json'];
  const { code, output } = await run(node, [tool('vitest'), ...args, `--outputFile=${report}`, ...tests], {
    env: { ACCESSION_SOAK: counts },
  });
  if (code !== 0) say(output);
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
  const cases = casesOf(counts);
  for (const path of [report, counts]) rmSync(path, { force: true });
  const failures = code !== 0 && numFailedTests === 0 ? 1 : numFailedTests;
  return {
    figures: {
      [`${name}.runs`]: cases + numPassedTests + numFailedTests,
      [`${name}.failures`]: failures,
    },
    failed: failures > 0,
  };
}

/**
 * @param {string} node
 * @param {string} name
 * @param {Part} part
 * @param {{ args: string[], toStderr: boolean }} options
 * @returns {Promise<Outcome>}
 */
async function runProgram(node, name, { program = '', browser = false }, { args, toStderr }) {
  const file = own(`${name}.figures`);
  if (browser) await buildIfChanged(node);
  const env = { ACCESSION_FIGURES: file, ...(browser ? { ACCESSION_BROWSER: await findBrowser(node) } : {}) };
  const run = replaceWith(node, [inRoot(program), ...args], { env, stdout: toStderr ? 'pipe' : 'inherit' });
  run.child.stdout?.pipe(process.stderr);
  const code = await run.ended;
  const figures = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  rmSync(file, { force: true });
  return { figures, failed: code !== 0 };
}

/**
 * A file of this soak alone: two of them (one a store) may run side by side.
 * @param {string} name
 */
function own(name) {
  mkdirSync(CACHE, { recursive: true });
  const path = join(CACHE, `soak-${process.pid}-${name}`);
  rmSync(path, { force: true });
  return path;
}

/** @param {string} path one number a line, a line for each property (tests/setup.ts) */
function casesOf(path) {
  const lines = readFileSync(path, { encoding: 'utf8', flag: 'a+' }).split('\n');
  return lines.reduce((sum, line) => sum + Number(line), 0);
}
