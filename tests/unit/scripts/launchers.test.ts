import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const LIB = new URL('../../../scripts/lib/', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'accession-scripts-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Launchers are scripts that any Node runs, and are tried as such. */
const script = (module: string, code: string): string[] => [
  '--input-type=module',
  '--eval',
  `import * as it from ${JSON.stringify(new URL(module, LIB).href)};\n${code}`,
];
function run(module: string, code: string, cwd = folder) {
  const { status, stdout, stderr } = spawnSync(process.execPath, script(module, code), { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('START-2 what a build is made of is known by its content, from any folder and without git', () => {
  const path = join(folder, 'source.ts');
  const hash = (): string =>
    run(
      'build.mjs',
      `import { relative } from 'node:path'; import { ROOT } from ${JSON.stringify(new URL('paths.mjs', LIB).href)};
       console.log(it.hashOf([relative(ROOT, ${JSON.stringify(path)})]));`,
    ).stdout;
  writeFileSync(path, 'one');
  const first = hash();
  expect(first).toMatch(/^[0-9a-f]{64}\n$/);
  writeFileSync(path, 'one');
  expect(hash()).toBe(first);
  writeFileSync(path, 'two');
  expect(hash()).not.toBe(first);
});

test('START-3 of two launchers at once in one folder one works after the other', async () => {
  const log = join(folder, 'log');
  const name = `test-${process.pid}`;
  const work = `import { appendFileSync } from 'node:fs'; import { setTimeout } from 'node:timers/promises';
    await it.withLock(${JSON.stringify(name)}, async () => {
      appendFileSync(${JSON.stringify(log)}, 'begin ');
      await setTimeout(50);
      appendFileSync(${JSON.stringify(log)}, 'end ');
    });`;
  const both = [1, 2].map(() => once(spawn(process.execPath, script('lock.mjs', work), { stdio: 'ignore' }), 'exit'));
  expect(await Promise.all(both)).toEqual([
    [0, null],
    [0, null],
  ]);
  const { stdout } = run(
    'lock.mjs',
    `import { readFileSync } from 'node:fs'; console.log(readFileSync(${JSON.stringify(log)}, 'utf8'));`,
  );
  expect(stdout.trim()).toBe('begin end begin end');
});

test('START-5 what a person has to do themselves is a sentence and how, without a stack', () => {
  const told = run('say.mjs', `await it.launch(() => { throw new it.Trouble('The disk is full.', 'Free 1 GB.'); });`);
  expect(told).toEqual({ status: 1, stdout: '', stderr: '\nThe disk is full.\nFree 1 GB.\n' });
});

test('TEST-1 the last line counts every check and test, skipped ones where there are any, and a failure is the exit code', () => {
  const count = (skipped: number, failed: number, ci = false) =>
    run(
      'tally.mjs',
      `const tally = new it.Tally(); tally.passed('types');
       await tally.part(async (part) => part.add('unit', { passed: 7, failed: ${failed}, skipped: ${skipped} }));
       process.exitCode = tally.end(${ci});`,
    );
  const last = ({ status, stdout }: ReturnType<typeof run>) => [status, stdout.trim().split('\n').at(-1)];
  expect(last(count(0, 0))).toEqual([0, '8 passed, 0 failed']);
  expect(last(count(2, 0))).toEqual([0, '8 passed, 0 failed, 2 skipped']);
  expect(last(count(0, 1))).toEqual([1, '8 passed, 1 failed']);
  expect(last(run('tally.mjs', 'process.exitCode = new it.Tally().end(false);'))).toEqual([1, '0 passed, 0 failed']);
  // TEST-2: with CI=true nothing may be skipped.
  expect(last(count(2, 0, true))).toEqual([1, '8 passed, 2 failed']);
});

test('TEST-13 what failed is named once more behind all output, in parts as well', () => {
  const { stdout } = run(
    'tally.mjs',
    `const tally = new it.Tally();
     await tally.part(async (part) => {
       part.failed('types', 'a.ts is wrong');
       part.add('unit', { passed: 1, failed: 1, skipped: 0 }, ['b.test.ts: counts']);
       part.add('e2e', { passed: 0, failed: 1, skipped: 0 });
     });
     process.exitCode = tally.end(true);`,
  );
  const [, end = ''] = stdout.split('\nFailed:\n');
  expect(end.split('\n').slice(0, 3)).toEqual([
    '  types',
    '  b.test.ts: counts',
    '  e2e: its runner ended with an error',
  ]);
});

test('TEST-2 with CI=true what is skipped has failed, and a browser that is set and does not start is named', () => {
  const path = fileURLToPath(new URL('find-chromium.ts', LIB));
  const env = { ...process.env, ACCESSION_BROWSER: join(folder, 'no-browser') };
  const { status, stdout } = spawnSync(process.execPath, [path], { env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toContain(env.ACCESSION_BROWSER);
  expect(stdout.split('\n')).toHaveLength(2);
});

test('TEST-2 another browser that is missing is left out on a machine of its own, and named with CI=true', () => {
  const find = (lines: string) => run('other-browsers.mjs', `process.env.PATH = ${JSON.stringify(folder)}; ${lines}`);
  const none = { ACCESSION_FIREFOX: '', ACCESSION_WEBKIT_DRIVER: '' };
  expect(JSON.parse(find('console.log(JSON.stringify(it.findOtherBrowsers(false)));').stdout)).toEqual(none);
  const firefox = find("process.env.ACCESSION_FIREFOX = ''; it.findOtherBrowsers(true);");
  expect(firefox.stderr).toContain('There is no Firefox to be driven: looked for firefox-esr or firefox on the PATH.');
  const webkit = find('process.env.ACCESSION_FIREFOX = process.execPath; it.findOtherBrowsers(true);');
  expect(webkit.stderr).toMatch(/There is no WebKit to be driven: looked for WebKitWebDriver on the PATH, with Xvfb/);
});

test('TEST-3 the parts of the continuous integration are all groups of npm test, each once', () => {
  const workflow = readFileSync(new URL('../../.github/workflows/ci.yml', LIB), 'utf8');
  expect(workflow).toContain('run: .ci/run ${{ matrix.groups }}');
  const parts = [...workflow.matchAll(/groups: ([\w ]+?) \}/g)].flatMap(([, groups = '']) => groups.split(' '));
  const { stdout } = run(
    'checks.mjs',
    'console.log(JSON.stringify({ all: Object.keys(it.GROUPS), reading: it.READING }));',
  );
  const { all, reading } = JSON.parse(stdout) as Record<'all' | 'reading', string[]>;
  expect(parts.flatMap((part) => (part === 'static' ? reading : [part])).sort()).toEqual([...all].sort());
});

test('OPS-70 a server that the launchers begin leaves a processor to its loop, and has a helper on any machine', () => {
  const { stdout } = run(
    'serve.mjs',
    'console.log([1, 2, 3, 5, 64].map((processors) => it.optionsOf(processors)[0]).join(" "))',
  );
  expect(stdout.trim().split(' ')).toEqual([1, 1, 2, 4, 4].map((helpers) => `--v8-pool-size=${helpers}`));
});

test('OPS-71 a server that the launchers begin has two halves of 16 MB for new values, on any machine', () => {
  const option = run('serve.mjs', 'console.log(it.optionsOf(64)[1])').stdout.trim();
  const fill = `
    const kept = [];
    let most = 0;
    for (let at = 0; at < 2_000_000; at++) {
      kept[at % 200_000] = { at };
      if (at % 50_000 === 0)
        most = Math.max(most, require('node:v8').getHeapSpaceStatistics().find((one) => one.space_name === 'new_space').space_size);
    }
    console.log(most);`;
  const { stdout, status } = spawnSync(process.execPath, [option, '--eval', fill], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(Number(stdout)).toBeLessThanOrEqual(2 * 16 * 2 ** 20);
});

test('OPS-61 a server that the launchers begin gives large buffers back to the system, unless something else is set', () => {
  const said = (given: object) =>
    run('serve.mjs', `console.log(JSON.stringify(it.memoryOf(${JSON.stringify(given)})));`).stdout.trim();
  const all = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' };
  expect(JSON.parse(said({}))).toEqual(all);
  expect(JSON.parse(said({ ...all, MALLOC_ARENA_MAX: '8' }))).toEqual({});
});
