/** Vitest and Playwright: run, show what failed, count test by test from their JSON reports. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { CACHE, ROOT } from './paths.mjs';
import { run } from './run.mjs';
import { testPrograms } from './test-programs.mjs';
import { tool } from './tools.mjs';

/** Characters that are said again at the end of an error that belongs to no test. */
const SAID = 2000;
/** Characters that are said again at the end of why a test failed. */
const SAID_OF_ONE = 400;

/**
 * @param {import('./checks.mjs').GroupContext} context
 * @param {'unit' | 'contract'} kind a folder of tests/
 */
export async function runVitest({ node, filters, tally }, kind) {
  const report = freshReport(kind);
  // Much of the contract suites is waiting for processes, so that more of them fit on two cores.
  const side = kind === 'contract' ? [`--maxWorkers=${Math.max(3, Math.floor(availableParallelism() / 2))}`] : [];
  const args = ['run', ...projectsOf(kind), ...side, '--reporter=dot', '--reporter=json'];
  const env = { NO_COLOR: '1', FORCE_COLOR: undefined, ACCESSION_TEST_PROGRAMS: await testPrograms(node) };
  const { code, output } = await run(node, [tool('vitest'), ...args, `--outputFile=${report}`, ...filters], { env });
  if (code !== 0) process.stdout.write(output);
  if (!existsSync(report)) return tally.failed(kind, 'Vitest ended without a report.');
  const result = JSON.parse(readFileSync(report, 'utf8'));
  // A file that cannot be loaded has no tests to fail; it counts as one.
  const unloaded = result.testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
      file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const counts = {
    passed: result.numPassedTests,
    failed: result.numFailedTests + unloaded,
    skipped: result.numPendingTests + result.numTodoTests,
  };
  const unhandled = output.indexOf('Unhandled');
  const failures = failedTests(result);
  // An error of no test fails the run, too: its words stand at its place in the output alone.
  if (code !== 0 && unhandled >= 0) failures.push(`${kind}: ${output.slice(unhandled, unhandled + SAID)}`);
  tally.add(kind, atLeastOneFailure(counts, code), failures);
}

/**
 * @param {{ testResults: { name: string, status: string, message: string, assertionResults: { status: string, fullName: string, failureMessages?: string[] }[] }[] }} report
 * @returns {string[]} file and title of what failed, and why
 */
function failedTests({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults: tests }) => {
    const file = relative(ROOT, name);
    if (status === 'failed' && tests.length === 0) return [`${file}: ${message.split('\n')[0]}`];
    return tests
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages: [why] = [] }) => `${file}: ${fullName}${inShort(why)}`);
  });
}

/**
 * @param {import('./checks.mjs').GroupContext} context
 * @param {'unit' | 'contract'} kind
 * @param {string} since a commit
 * @returns {Promise<string[]>} the test files that import, over whatever way, what has changed since then
 */
export async function relatedTests({ node }, kind, since) {
  const args = ['list', '--filesOnly', '--json', '--passWithNoTests', '--changed', since, ...projectsOf(kind)];
  const { code, output } = await run(node, [tool('vitest'), ...args], {
    env: { NO_COLOR: '1', FORCE_COLOR: undefined },
  });
  if (code !== 0) throw new Error(`Vitest does not say which tests a change touches:\n${output}`);
  /** @type {{ file: string }[]} */
  const files = JSON.parse(output.slice(output.indexOf('[')));
  return files.map(({ file }) => file);
}

/** @param {'unit' | 'contract'} kind */
function projectsOf(kind) {
  const projects = [kind, `${kind}-apart`];
  return ['--config', 'tests/vitest.config.ts', ...projects.flatMap((name) => ['--project', name])];
}

/**
 * @param {import('./checks.mjs').GroupContext} context
 * @param {'e2e' | 'browsers'} kind
 * @param {Record<string, string>} programs the browsers to drive, by the variable that names each
 */
export async function runPlaywright({ node, filters, tally }, kind, programs) {
  const report = freshReport(kind);
  const config = kind === 'e2e' ? 'tests/playwright.config.ts' : 'tests/browsers.config.ts';
  const args = ['test', '--config', config, '--reporter=list,json', ...filters];
  const env = {
    ...programs,
    ACCESSION_TEST_PROGRAMS: await testPrograms(node),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    // Playwright sets FORCE_COLOR for its workers, and Node warns where both are there.
    NO_COLOR: undefined,
    FORCE_COLOR: '0',
  };
  const { code } = await run(node, [tool('@playwright/test', 'playwright'), ...args], { env, stream: true });
  if (!existsSync(report)) return tally.failed(kind, 'Playwright ended without a report.');
  const { stats, suites } = JSON.parse(readFileSync(report, 'utf8'));
  const counts = { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
  tally.add(kind, atLeastOneFailure(counts, code), failedSpecs(suites));
}

/**
 * @typedef {{ title: string, ok: boolean, tests: { results: { error?: { message?: string } }[] }[] }} Spec
 * @typedef {{ file: string, suites?: Suite[], specs: Spec[] }} Suite
 * @param {Suite[]} suites
 * @returns {string[]} file and title of what failed, and why
 */
function failedSpecs(suites) {
  return suites.flatMap(({ file, specs, suites: inner = [] }) => [
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ title, tests }) => {
        const errors = tests.flatMap(({ results }) => results.map(({ error }) => error?.message));
        return `${file}: ${title}${inShort(errors.find((message) => message !== undefined))}`;
      }),
    ...failedSpecs(inner),
  ]);
}

/**
 * @param {string | undefined} why
 * @returns {string} the beginning of it, for the end of a line; nothing where nothing is known
 */
function inShort(why) {
  const words = stripVTControlCharacters(why ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return words === '' ? '' : `\n      ${words.slice(0, SAID_OF_ONE)}`;
}

/** @param {string} name */
function freshReport(name) {
  const path = join(CACHE, `${name}-report.json`);
  mkdirSync(CACHE, { recursive: true });
  rmSync(path, { force: true });
  return path;
}

/**
 * A runner that ends badly with no failed test (an unhandled error, no tests at all) failed all the same.
 *
 * @param {{ passed: number, failed: number, skipped: number }} counts
 * @param {number} code
 */
function atLeastOneFailure(counts, code) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}
