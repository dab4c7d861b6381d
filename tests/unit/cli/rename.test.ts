import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NodeFileTree } from '#adapters/node/file-tree.ts';
import { journalsInDirectory, journalsInFile } from '#adapters/node/rename-journal-store.ts';
import { renameCommand, type RenameFlags } from '#lanes/video/cli/rename.ts';
import { programFile } from '../../fixtures/program-file.ts';
import { clock, mortal, PLAN_ID, rename, renamePlan } from '../../fixtures/rename.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const MAIN = programFile('cli/main.ts');
const BEFORE = { 'S01E01.mkv': 'one', 'S01E02.mkv': 'two', 'raw/3.mkv': 'three' };
const PLAN: [string, string][] = [
  ['S01E01.mkv', 'S01E02.mkv'],
  ['S01E02.mkv', 'S01E01.mkv'],
  ['raw/3.mkv', 'Season 01/3.mkv'],
];
const AFTER = { 'S01E01.mkv': 'two', 'S01E02.mkv': 'one', 'Season 01/3.mkv': 'three' };

async function prepared(plan: unknown = renamePlan(PLAN), before: Readonly<Record<string, string>> = BEFORE) {
  const folder = await temporaryFolder(before);
  const path = join(folder.base, 'a.plan.json');
  await writeFile(path, JSON.stringify(plan));
  let n = 0;
  const run = async (flags: Partial<RenameFlags> = {}) => {
    const said: string[] = [];
    const code = await renameCommand(
      { plan: path, root: folder.root, ...flags },
      {
        openTree: (directory) => NodeFileTree.open(directory),
        openJournal: (file) => journalsInFile(file, join(folder.base, 'locks')),
        clock,
        ids: { next: () => `run-${(n += 1)}` },
        cancel: { aborted: false },
        say: (line) => said.push(line),
      },
    );
    return { code, said };
  };
  return { ...folder, path, run };
}

describe('PLAN-12 accession rename', () => {
  test('PLAN-82 shows, carries out, takes back; a dry run touches nothing', async () => {
    await using world = await prepared();
    const dry = await world.run({ dryRun: true });
    expect(dry).toMatchObject({
      code: 0,
      said: [
        '1  S01E01.mkv  ->  S01E02.mkv',
        '2  S01E02.mkv  ->  S01E01.mkv',
        '3  raw/3.mkv   ->  Season 01/3.mkv',
        `would rename 3 of 3 files in ${world.root}; nothing was touched`,
        expect.stringMatching(/^hash of the plan: [0-9a-f]{64}$/),
      ],
    });
    expect(await world.files()).toEqual(BEFORE);
    expect((await readdir(world.base)).sort()).toEqual(['Show', 'a.plan.json']);
    const hash = dry.said.at(-1)?.split(' ').at(-1) ?? '';
    expect(await world.run({ hash: '0'.repeat(64) })).toMatchObject({ code: 1 });
    const done = await world.run({ hash });
    expect(done.code).toBe(0);
    expect(done.said.at(-1)).toBe(
      `done: 3 renamed, 0 unchanged, 1 folder made, 1 folder left empty and removed; --undo takes it back (${world.path}.journal)`,
    );
    expect(await world.files()).toEqual(AFTER);
    const again = await world.run();
    expect(again).toMatchObject({ code: 1 });
    expect(again.said.join('\n')).toContain('already-done');
    expect(await world.run({ undo: true })).toEqual({ code: 0, said: ['undone: 3 files as before'] });
    expect(await world.files()).toEqual(BEFORE);
    expect(await world.run({ undo: true })).toMatchObject({ code: 1 });
  });

  test('PLAN-82 a plan without an id runs too; every problem has its row, its code and a remedy, and steers no terminal', async () => {
    const { id: _, ...plan } = renamePlan([
      ['S01E01.mkv', 'S01E02.mkv'],
      ['ghost\u001b[2J.mkv', 'x.mkv'],
      ['raw/3.mkv', '/media/Show2/3.mkv'],
    ]);
    await using world = await prepared(plan);
    const { code, said } = await world.run();
    expect(code).toBe(1);
    expect(said.slice(3)).toEqual([
      'row 1: destination-exists: There is a file called "S01E02.mkv" already. Move what has that name away, or choose another name.',
      'row 2: source-missing: "/media/Show/ghost\\u001b[2J.mkv" is not there. Read the folder again and make a new plan.',
      'row 3: outside-media-folder: "/media/Show2/3.mkv" is not inside "/media/Show". Choose a name inside the folder that the plan is for.',
      'refused: 3 problems; nothing was touched',
    ]);
    expect(await world.files()).toEqual(BEFORE);
  });

  test.each([
    ['another ending', 'raw/3.avi', /ending|extension/i],
    ['a name that Windows cannot hold', 'raw/Show: Part 2.mkv', /Show - Part 2\.mkv/],
  ])(
    'PLAN-89 %s is refused on the command line too, with what to do, and nothing is touched',
    async (_name, to, said) => {
      await using world = await prepared(renamePlan([['raw/3.mkv', to]]));
      const refused = await world.run();
      expect(refused.code).toBe(1);
      expect(refused.said.join('\n')).toMatch(said);
      expect(await world.files()).toEqual(BEFORE);
    },
  );

  test('PLAN-81 what was planned of the sources stands beside the plan and counts', async () => {
    await using world = await prepared();
    const sources = { '/media/Show/raw/3.mkv': { size: 1, modified: 0 } };
    const state = { stage: 'ready', created_at: 1, created_by: 'x', ready_at: 1, decided_at: null, decided_by: null };
    await writeFile(join(world.base, 'a.state.json'), JSON.stringify({ ...state, sources }));
    const { code, said } = await world.run();
    expect(code).toBe(1);
    expect(said.join('\n')).toContain('row 3: source-changed: "/media/Show/raw/3.mkv" changed since the plan');
  });

  test('PLAN-81 what a server carried out from its plans is taken back by the journal that it kept there', async () => {
    await using world = await prepared();
    const tree = await NodeFileTree.open(world.root);
    const plans = join(world.base, 'plans');
    const journal = journalsInDirectory(plans, join(world.base, 'locks'));
    await rename(tree, renamePlan(PLAN), { journal, root: tree.root });
    const plan = join(plans, `${PLAN_ID}.plan.json`);
    await writeFile(plan, JSON.stringify({ ...renamePlan(PLAN), status: 'completed' }));
    expect(await world.run({ plan, undo: true })).toEqual({ code: 0, said: ['undone: 3 files as before'] });
    expect(await world.files()).toEqual(BEFORE);
  });

  test('an interrupted run is brought to an end first and said; a dry run only says it', async () => {
    await using world = await prepared();
    const tree = await NodeFileTree.open(world.root);
    const journal = journalsInFile(`${world.path}.journal`, join(world.base, 'locks'));
    const dying = mortal(tree, journal, { at: 5, when: 'after' });
    await rename(dying.tree, renamePlan(PLAN), { ...dying, root: tree.root }).catch(() => null);
    const stood = await world.files();
    const dry = await world.run({ dryRun: true });
    expect(dry.code).toBe(1);
    expect(dry.said).toContain('An earlier run was interrupted. Without --dry-run it is brought to an end first.');
    expect(await world.files()).toEqual(stood);
    expect(await world.run({ undo: true })).toEqual({
      code: 0,
      said: ['An earlier run was interrupted: it is taken back now, every file is as before.'],
    });
    expect(await world.files()).toEqual(BEFORE);
    expect(await world.run({ giveUp: true })).toMatchObject({ code: 0 });
    expect((await world.run()).code).toBe(0);
    expect(await world.files()).toEqual(AFTER);
  });

  test.each([
    ['no JSON', '{', 'is not JSON'],
    ['another plan', { ...renamePlan(PLAN), task: 'recognize-media-file' }, 'is no rename plan'],
    ['a plan without rows', { ...renamePlan(PLAN), files: 'all' }, 'is no rename plan'],
  ])('%s is said to be that', async (_, plan, message) => {
    await using world = await prepared();
    await writeFile(world.path, typeof plan === 'string' ? plan : JSON.stringify(plan));
    await expect(world.run()).rejects.toThrow(message);
    await expect(world.run({ plan: join(world.base, 'none.json') })).rejects.toThrow('cannot be read');
  });

  test('PLAN-8 killed in the middle, the next run ends it: every file as planned', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `E${i}.mkv`);
    const before = Object.fromEntries(names.map((name) => [name, name]));
    // A circle through all of them.
    const plan = names.map((name, i): [string, string] => [name, names[(i + 1) % 40] ?? '']);
    await using world = await prepared(renamePlan(plan, PLAN_ID), before);
    const child = spawn(process.execPath, [MAIN, 'rename', '--plan', world.path, '--root', world.root], {
      env: { ...process.env, TMPDIR: world.base },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // The table has been said: it is about to begin, or in the middle.
    child.stdout.once('data', () => child.kill('SIGKILL'));
    await once(child, 'exit');
    const stood = Object.values(await world.files()).filter((content) => content.startsWith('E'));
    expect(stood.sort()).toEqual([...names].sort());
    expect((await world.run()).code).toBe(0);
    expect(await world.files()).toEqual(Object.fromEntries(plan.map(([from, to]) => [to, from])));
  });
});
