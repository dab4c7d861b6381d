/** What `npm test` makes ready for the tests: programs put together of the sources, and a folder in memory. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });

test('TEST-4 a program that was put together of the sources says what the sources say, and finds what lies beside them', () => {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.cache', 'programs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const made = run('scripts/lib/bundle-programs.mjs', folder);
  expect([made.status, made.stderr]).toEqual([0, '']);
  const args = ['work', '--help'];
  const put = run(join(folder, 'cli.mjs'), ...args);
  expect([put.status, put.stdout]).toEqual([0, run('src/cli/main.ts', ...args).stdout]);
  // Threads and files beside a module are named by where that lies among the sources.
  const server = readFileSync(join(folder, 'server.mjs'), 'utf8');
  expect(server).toContain(`new URL("../../package.json", "${pathToFileURL(join(ROOT, 'src/server/main.ts')).href}")`);
  expect(server).not.toContain('import.meta.url');
});

test.skipIf(!existsSync('/dev/shm'))(
  'TEST-5 what a run has left in memory goes with it, and at the next one where it was killed',
  () => {
    const left = join('/dev/shm', `accession-tests-${String(2 ** 30)}-killed`);
    mkdirSync(left, { recursive: true });
    const script = "const { fastFolder } = await import('./scripts/lib/fast-folder.mjs'); console.log(fastFolder())";
    const folder = run('--input-type=module', '--eval', script).stdout.trim();
    // Where memory is short the disk is written to, as everywhere else.
    expect(folder === 'null' || /^\/dev\/shm\/accession-tests-/.test(folder)).toBe(true);
    expect(existsSync(folder)).toBe(false);
    if (folder !== 'null') expect(existsSync(left)).toBe(false);
    rmSync(left, { recursive: true, force: true });
  },
);
