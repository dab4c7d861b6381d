import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TreeEntry } from '#core/plan/file-tree.ts';
import { renameScript } from '#core/plan/preview-rename.ts';
import { validateRename } from '#core/plan/validate-rename.ts';

const RULES = { caseSensitive: true, unicode: 'preserve' as const, windowsNames: false };
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'accession-script-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(...paths: string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), path);
  }
}

function scriptOf(files: { from: string; to: string }[]): string {
  const absolute = files.map(({ from, to }) => ({ from: `/Show/${from}`, to: `/Show/${to}` }));
  const entries = files.map(({ from }): TreeEntry => ({ path: from, kind: 'file', size: 1, modified: 1 }));
  const plan = { id: '0f7e3b6a-6f0e-4f5e-9a51-0b8a6a1f2c3d', mediaFolderPath: '/Show', files: absolute };
  const { order, problems } = validateRename(plan, entries, RULES);
  expect(problems).toEqual([]);
  return renameScript({ folder: 'Show', files, steps: order });
}

async function run(script: string): Promise<number> {
  const path = `${folder}.sh`;
  await writeFile(path, script);
  try {
    await promisify(execFile)('sh', [path, folder]);
    return 0;
  } catch (error) {
    return error instanceof Error && 'code' in error ? Number(error.code) : -1;
  } finally {
    await rm(path);
  }
}

const content = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');

describe('VIDEO-85 a rename as a shell script', () => {
  test('does what the plan says, whatever the names have in them', async () => {
    const files = [
      { from: `-n $(touch x) 'a' "b" \`c\`.mkv`, to: `Season 01/it's; rm -rf $HOME.mkv` },
      { from: 'a\nb.mkv', to: 'Season 01/b.mkv' },
    ];
    await put(...files.map(({ from }) => from));
    expect(await run(scriptOf(files))).toBe(0);
    for (const { from, to } of files) expect(await content(to)).toBe(from);
    expect(await readdir(folder)).toEqual(['Season 01']);
  });

  test('swaps two names through a third', async () => {
    await put('1.mkv', '2.mkv');
    const files = [
      { from: '1.mkv', to: '2.mkv' },
      { from: '2.mkv', to: '1.mkv' },
    ];
    expect(await run(scriptOf(files))).toBe(0);
    expect([await content('1.mkv'), await content('2.mkv')]).toEqual(['2.mkv', '1.mkv']);
  });

  test('touches nothing where a target is taken, by a link to nowhere too, or a source is gone', async () => {
    const files = [
      { from: 'a.mkv', to: 'c.mkv' },
      { from: 'b.mkv', to: 'd.mkv' },
    ];
    await put('a.mkv', 'b.mkv', 'd.mkv');
    expect(await run(scriptOf(files))).toBe(1);
    expect((await readdir(folder)).sort()).toEqual(['a.mkv', 'b.mkv', 'd.mkv']);
    await rm(join(folder, 'd.mkv'));
    await symlink('nowhere', join(folder, 'd.mkv'));
    expect(await run(scriptOf(files))).toBe(1);
    await rm(join(folder, 'd.mkv'));
    await rm(join(folder, 'b.mkv'));
    expect(await run(scriptOf(files))).toBe(1);
    expect(await readdir(folder)).toEqual(['a.mkv']);
  });
});
