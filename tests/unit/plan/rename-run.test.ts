import { describe, expect, test } from 'vitest';
import { MemoryFileTree } from '../../fixtures/memory-file-tree.ts';
import { MemoryJournalStore } from '../../fixtures/memory-plans.ts';
import { failed } from '#core/errors.ts';
import type { FileTree } from '#core/plan/file-tree.ts';
import { previewHash, previewRename } from '#core/plan/preview-rename.ts';
import { recoverRename, undoRename } from '#core/plan/execute-rename.ts';
import { replayJournal } from '#core/plan/replay-journal.ts';
import type { RenameProgress } from '#core/plan/rename-run.types.ts';
import { clock, mortal, PLAN_ID, rename, renamePlan } from '../../fixtures/rename.ts';
import { FOLDER, LINUX } from '../../fixtures/rename-cases.ts';

const BEFORE = { 'raw/1.mkv': 'one', 'raw/2.mkv': 'two', 'raw/3.mkv': 'three' };
const PLAN = renamePlan([
  ['raw/1.mkv', 'S1/1.mkv'],
  ['raw/2.mkv', 'S1/2.mkv'],
  ['raw/3.mkv', 'S1/3.mkv'],
]);
const AFTER = { 'S1/1.mkv': 'one', 'S1/2.mkv': 'two', 'S1/3.mkv': 'three' };

/** The same tree, with something that happens right before the nth move. */
function meddled(tree: MemoryFileTree, at: number, meddle: (from: string, to: string) => void): FileTree {
  let moves = 0;
  return {
    rules: tree.rules,
    list: (cancel) => tree.list(cancel),
    stat: (path) => tree.stat(path),
    read: (path) => tree.read(path),
    makeDirectory: (path) => tree.makeDirectory(path),
    removeDirectory: (path) => tree.removeDirectory(path),
    move: async (from, to) => {
      if ((moves += 1) === at) meddle(from, to);
      await tree.move(from, to);
    },
  };
}

const broken = (): never => {
  throw failed('file_unreadable', 'The disk says no.');
};

async function world() {
  const tree = new MemoryFileTree(LINUX, BEFORE);
  const journal = new MemoryJournalStore();
  const ended = async () => (await journal.list()).map((one) => replayJournal(one).ended);
  return { tree, journal, ended };
}

describe('PLAN-1 what is shown is what is done', () => {
  test('another plan than the one that was shown is refused', async () => {
    const { tree, journal } = await world();
    const shown = await previewRename(tree, PLAN);
    expect(shown.order.filter((step) => step.do === 'move')).toHaveLength(3);
    const files = PLAN.files.map((file, i) => (i === 2 ? { ...file, to: `${FOLDER}/S1/x.mkv` } : file));
    const outcome = await rename(tree, { ...PLAN, files }, { journal, hash: shown.hash });
    expect(outcome).toMatchObject({ result: 'refused', problems: [{ code: 'preview-changed', row: null }] });
    expect(tree.files()).toEqual(BEFORE);
  });

  test('the hash is of the paths, their order and the folder, not of the status or the spelling of the JSON', async () => {
    const hash = await previewHash(PLAN);
    const { files, mediaFolderPath, status, task, id } = PLAN;
    const turnedRound = { files, mediaFolderPath, status, task, id };
    expect(await previewHash(turnedRound)).toBe(hash);
    const completed = { ...PLAN, status: 'completed' as const };
    expect(await previewHash(completed)).toBe(hash);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    for (const other of [
      { ...PLAN, files: [...files].reverse() },
      { ...PLAN, mediaFolderPath: '/media' },
      { ...PLAN, files: files.slice(1) },
    ])
      expect(await previewHash(other)).not.toBe(hash);
  });

  test('PLAN-64 a plan that was rejected, or was carried out already, is refused', async () => {
    const { tree, journal } = await world();
    const rejected = await rename(tree, { ...PLAN, status: 'rejected' }, { journal });
    expect(rejected).toMatchObject({ problems: [{ code: 'plan-not-pending' }] });
    const exchange = renamePlan([
      ['raw/1.mkv', 'raw/2.mkv'],
      ['raw/2.mkv', 'raw/1.mkv'],
    ]);
    expect(await rename(tree, exchange, { journal })).toMatchObject({ result: 'done', renamed: 2, unchanged: 0 });
    expect(await rename(tree, exchange, { journal })).toMatchObject({ problems: [{ code: 'already-done' }] });
    expect(tree.files()).toMatchObject({ 'raw/1.mkv': 'two', 'raw/2.mkv': 'one' });
  });
});

describe('PLAN-6 a step that fails takes back what was done', () => {
  test('a name that somebody takes at the last instant is not overwritten', async () => {
    const { tree, journal, ended } = await world();
    const outcome = await rename(
      meddled(tree, 3, (_, to) => tree.put(to, 'intruder')),
      PLAN,
      { journal },
    );
    expect(outcome).toMatchObject({ result: 'rolled-back', failure: { code: 'conflict' } });
    expect(tree.files()).toEqual({ ...BEFORE, 'S1/3.mkv': 'intruder' });
    expect(await ended()).toEqual(['rolled-back']);
  });

  test('a file that changes while the rename runs is left alone', async () => {
    const { tree, journal } = await world();
    const outcome = await rename(
      meddled(tree, 1, () => tree.put('raw/2.mkv', 'two, and more')),
      PLAN,
      { journal },
    );
    expect(outcome).toMatchObject({
      result: 'rolled-back',
      failure: { message: '"raw/2.mkv" changed while the rename ran.' },
    });
    expect(tree.files()).toEqual({ ...BEFORE, 'raw/2.mkv': 'two, and more' });
    expect(tree.folders()).toEqual(['raw']);
  });

  test('PLAN-71 a move that says it failed and happened all the same is taken back too', async () => {
    const { tree, journal } = await world();
    const lying: FileTree = {
      ...meddled(tree, 0, broken),
      move: async (from, to) => {
        await tree.move(from, to);
        if (to === 'S1/2.mkv') broken();
      },
    };
    expect(await rename(lying, PLAN, { journal })).toMatchObject({ result: 'rolled-back' });
    expect(tree.files()).toEqual(BEFORE);
  });

  test('PLAN-71 a wish to stop ends the step in hand and takes everything back', async () => {
    const { tree, journal } = await world();
    const cancel = { aborted: false };
    const told: RenameProgress[] = [];
    const progress = (one: RenameProgress): void => {
      told.push(one);
      if (one.done === 1) cancel.aborted = true;
    };
    const outcome = await rename(tree, PLAN, { journal, cancel, progress });
    expect(outcome).toMatchObject({ result: 'rolled-back', failure: { code: 'cancelled' } });
    expect(tree.files()).toEqual(BEFORE);
    expect(tree.folders()).toEqual(['raw']);
    expect(told.map(({ phase, done, total }) => [phase, done, total])).toEqual([
      ['checking', 0, 3],
      ['moving', 0, 3],
      ['moving', 1, 3],
      ['taking-back', 1, 3],
      ['taking-back', 2, 3],
    ]);
  });

  test('PLAN-72, PLAN-10 where the way back fails too it stops, and says where every file is', async () => {
    const { tree, journal, ended } = await world();
    let moves = 0;
    const dying: FileTree = {
      ...meddled(tree, 0, broken),
      move: async (from, to) => {
        if ((moves += 1) > 2) broken();
        await tree.move(from, to);
      },
    };
    const outcome = await rename(dying, PLAN, { journal });
    expect(outcome).toMatchObject({
      result: 'stuck',
      failure: { message: 'The disk says no. Taking it back failed too: The disk says no.' },
      standing: [
        { row: 0, from: 'raw/1.mkv', to: 'S1/1.mkv', now: 'S1/1.mkv' },
        { row: 1, from: 'raw/2.mkv', to: 'S1/2.mkv', now: 'S1/2.mkv' },
        { row: 2, from: 'raw/3.mkv', to: 'S1/3.mkv', now: 'raw/3.mkv' },
      ],
    });
    expect(await ended()).toEqual([null]);
    const [recovery] = await recoverRename({ tree, journal, clock, root: FOLDER });
    expect(recovery).toMatchObject({ result: 'rolled-back', wasUndo: false });
    expect(tree.files()).toEqual(BEFORE);
  });
});

describe('PLAN-5 one rename at a time in a folder', () => {
  test('a second one is refused while the first is at work', async () => {
    const { tree, journal } = await world();
    let second: unknown = null;
    const tries = meddled(tree, 0, broken);
    const first = await rename(
      {
        ...tries,
        move: async (from, to) => {
          second ??= await rename(tree, renamePlan([['raw/3.mkv', 'x.mkv']], crypto.randomUUID()), { journal });
          await tree.move(from, to);
        },
      },
      PLAN,
      { journal },
    );
    expect(second).toMatchObject({ result: 'refused', problems: [{ code: 'folder-busy' }] });
    expect(first.result).toBe('done');
    expect(tree.files()).toEqual(AFTER);
  });

  test('one that a crash left open blocks the next, and undo, until it is recovered', async () => {
    const { tree, journal } = await world();
    const dying = mortal(tree, journal, { at: 6, when: 'after' });
    await rename(dying.tree, PLAN, { journal: dying.journal });
    journal.letGo();
    const release = await journal.hold(FOLDER);
    await expect(recoverRename({ tree, journal, clock, root: FOLDER })).rejects.toThrow('Another rename is at work');
    await release?.();
    const other = renamePlan([['raw/3.mkv', 'x.mkv']], crypto.randomUUID());
    expect(await rename(tree, other, { journal })).toMatchObject({ problems: [{ code: 'unfinished-rename' }] });
    expect(await undoRename({ tree, journal, clock, planId: PLAN_ID })).toMatchObject({
      problems: [{ code: 'nothing-to-undo' }],
    });
    expect(await recoverRename({ tree, journal, clock, root: FOLDER })).toMatchObject([{ result: 'rolled-back' }]);
    expect(tree.files()).toEqual(BEFORE);
    const ids = { next: () => 'another' };
    expect(await rename(tree, other, { journal, ids })).toMatchObject({ result: 'done' });
  });
});

describe('PLAN-8 recovery decides by what the disk says', () => {
  /** Dead right after the move of row 2, which no record says was done. */
  async function interrupted() {
    const all = await world();
    const dying = mortal(all.tree, all.journal, { at: 7, when: 'after' });
    await rename(dying.tree, PLAN, { journal: dying.journal });
    all.journal.letGo();
    expect(all.tree.files()).toEqual({ 'S1/1.mkv': 'one', 'S1/2.mkv': 'two', 'raw/3.mkv': 'three' });
    return all;
  }

  test('a file whose place somebody took goes forward where back is closed', async () => {
    const { tree, journal, ended } = await interrupted();
    tree.put('raw/1.mkv', 'intruder');
    expect(await recoverRename({ tree, journal, clock, root: FOLDER })).toMatchObject([{ result: 'done' }]);
    expect(tree.files()).toEqual({ ...AFTER, 'raw/1.mkv': 'intruder' });
    expect(await ended()).toEqual(['done']);
  });

  test('PLAN-75 closed both ways nothing is touched, and giving up leaves it so', async () => {
    const { tree, journal, ended } = await interrupted();
    tree.put('raw/1.mkv', 'intruder');
    tree.put('S1/3.mkv', 'another');
    const stood = tree.files();
    const ports = { tree, journal, clock, root: FOLDER };
    expect(await recoverRename(ports)).toMatchObject([
      {
        result: 'stuck',
        problems: [{ code: 'destination-exists', row: 0, path: `${FOLDER}/raw/1.mkv` }],
        standing: [{ now: 'S1/1.mkv' }, { now: 'S1/2.mkv' }, { now: 'raw/3.mkv' }],
      },
    ]);
    expect(tree.files()).toEqual(stood);
    expect(await recoverRename({ ...ports, giveUp: true })).toMatchObject([{ result: 'abandoned' }]);
    expect(tree.files()).toEqual(stood);
    expect(await ended()).toEqual(['abandoned']);
    expect(await recoverRename(ports)).toEqual([]);
  });

  test('PLAN-76 in a folder where the files are not, nothing is said to be done', async () => {
    const { journal, ended } = await interrupted();
    const unmounted = new MemoryFileTree(LINUX);
    const [recovery] = await recoverRename({ tree: unmounted, journal, clock, root: FOLDER });
    expect(recovery).toMatchObject({ result: 'stuck', standing: [{ now: null }, { now: null }, { now: null }] });
    expect(await ended()).toEqual([null]);
  });
});

describe('PLAN-9, PLAN-10 undo', () => {
  async function renamed() {
    const all = await world();
    expect(await rename(all.tree, PLAN, { journal: all.journal })).toMatchObject({
      result: 'done',
      made: ['S1'],
      removed: ['raw'],
    });
    return { ...all, undo: () => undoRename({ tree: all.tree, journal: all.journal, clock, planId: PLAN_ID }) };
  }

  test('PLAN-77 is refused whole when a name is taken or a file changed or is gone, each of them said', async () => {
    const { tree, undo } = await renamed();
    tree.put('raw/1.mkv', 'intruder');
    tree.put('S1/2.mkv', 'two, and more');
    tree.delete('S1/3.mkv');
    const stood = tree.files();
    const outcome = await undo();
    expect(outcome).toMatchObject({ result: 'refused' });
    const problems = outcome.result === 'refused' ? outcome.problems : [];
    expect(problems.map(({ row, code }) => [row, code])).toEqual([
      [0, 'destination-exists'],
      [1, 'source-changed'],
      [2, 'source-missing'],
    ]);
    expect(tree.files()).toEqual(stood);
  });

  test('PLAN-77 that fails leaves the rename done', async () => {
    const { tree, journal, ended } = await renamed();
    const failing = meddled(tree, 2, broken);
    const outcome = await undoRename({ tree: failing, journal, clock, planId: PLAN_ID });
    expect(outcome).toMatchObject({ result: 'still-done', failure: { message: 'The disk says no.' } });
    expect(tree.files()).toEqual(AFTER);
    expect(await ended()).toEqual(['done']);
  });

  test('a folder that others use by now stays; undone twice is once; done again is done', async () => {
    const { tree, journal, undo } = await renamed();
    tree.put('S1/notes.txt', 'n');
    expect(await undo()).toMatchObject({ result: 'undone', renamed: 3 });
    expect(tree.files()).toEqual({ ...BEFORE, 'S1/notes.txt': 'n' });
    expect(await undo()).toMatchObject({ problems: [{ code: 'nothing-to-undo' }] });
    const ids = { next: () => 'again' };
    expect(await rename(tree, PLAN, { journal, ids })).toMatchObject({ result: 'done', made: [] });
    expect(tree.files()).toEqual({ ...AFTER, 'S1/notes.txt': 'n' });
  });
});

describe('PLAN-3 links and devices', () => {
  test('PLAN-68 are neither moved, nor written over, nor gone through', async () => {
    const tree = new MemoryFileTree(LINUX, { 'a.mkv': 'a', 'b.mkv': 'b' });
    for (const link of ['link.mkv', 'taken.mkv', 'elsewhere']) tree.link(link);
    const plan = renamePlan([
      ['link.mkv', 'x.mkv'],
      ['a.mkv', 'taken.mkv'],
      ['b.mkv', 'elsewhere/b.mkv'],
    ]);
    expect(await rename(tree, plan)).toMatchObject({
      problems: [{ code: 'source-not-file' }, { code: 'destination-exists' }, { code: 'parent-is-link' }],
    });
  });
});
