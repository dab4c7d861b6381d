import { link, lstat, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NodeFileTree } from '#adapters/node/file-tree.ts';
import { copyOver, moveFile, settleFile } from '#adapters/node/move-file.ts';
import { journalsInDirectory, journalsInFile } from '#adapters/node/rename-journal-store.ts';
import type { TreeEntry } from '#core/plan/file-tree.ts';
import { recoverRename, undoRename } from '#core/plan/execute-rename.ts';
import { clock, mortal, PLAN_ID, rename, renamePlan } from '../../fixtures/rename.ts';
import { absolute, LINUX, RENAME_CASES } from '../../fixtures/rename-cases.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

async function opened(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder(files);
  const tree = await NodeFileTree.open(folder.root);
  const journal = journalsInDirectory(join(folder.base, 'plans'), join(folder.base, 'locks'));
  return { ...folder, tree, journal, ports: { tree, journal, clock, root: tree.root } };
}

async function listed(tree: NodeFileTree): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  for await (const entry of tree.list()) entries.push(entry);
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A disk of this machine that behaves like Linux's; elsewhere the cases in memory speak for it. */
const onLinux = process.platform === 'linux';

describe.runIf(onLinux)('PLAN-2 PLAN-3 PLAN-4 the cases of Linux on a real folder', () => {
  test.each(RENAME_CASES.filter(({ rules }) => rules === LINUX))('$id', async (one) => {
    // A name with a broken character cannot be on a disk, but it can be in a plan.
    await using world = await opened(one.before);
    const { tree, journal, ports } = world;
    expect(tree.rules).toMatchObject(LINUX);
    const planned = Object.entries(one.planned ?? {}).map(([path, stamp]) => [absolute(path), stamp] as const);
    const outcome = await rename(tree, renamePlan(one.plan), {
      ...ports,
      state: { sources: Object.fromEntries(planned) },
    });
    if ('problems' in one.expect) {
      const problems = outcome.result === 'refused' ? outcome.problems : [];
      expect(problems.map(({ row, code }) => [row, code])).toEqual(one.expect.problems);
      expect(await world.files()).toEqual(one.before);
      return;
    }
    expect(outcome.result).toBe('done');
    expect(await world.files()).toEqual(one.expect.after);
    if (one.expect.folders) expect((await world.folders()).sort()).toEqual(one.expect.folders);
    expect((await undoRename({ ...ports, planId: PLAN_ID })).result).toBe('undone');
    expect(await world.files()).toEqual(one.before);
    expect(await journal.list({ root: '/elsewhere' })).toEqual([]);
  });
});

describe('PLAN-11 a real folder', () => {
  test('PLAN-79 nothing outside of it, nor through a link, is listed, read or moved', async () => {
    await using world = await opened({ 'in/a.mkv': 'a' });
    const { tree, base, root } = world;
    await mkdir(join(base, 'outside'));
    await writeFile(join(base, 'outside', 'secret'), 's');
    await symlink(join(base, 'outside'), join(root, 'door'));
    await symlink(join(base, 'outside', 'secret'), join(root, 'secret.mkv'));
    await symlink(join(base, 'nowhere'), join(root, 'dangling'));
    expect((await listed(tree)).map(({ path, kind }) => [path, kind])).toEqual([
      ['in', 'directory'],
      ['in/a.mkv', 'file'],
    ]);
    expect(await tree.stat('door')).toMatchObject({ kind: 'other' });
    expect(await tree.stat('dangling')).toMatchObject({ kind: 'other' });
    expect(await tree.stat('door/secret')).toBeNull();
    await expect(tree.move('in/a.mkv', 'door/a.mkv')).rejects.toThrow('its folder is not there, or is a link');
    await expect(tree.move('in/a.mkv', '../a.mkv')).rejects.toThrow('not a path below the folder');
    await expect(tree.move('in/a.mkv', 'dangling')).rejects.toThrow('already');
    await expect(tree.move('secret.mkv', 'b.mkv')).rejects.toThrow('is not a file');
    await expect(tree.makeDirectory('door/new')).rejects.toThrow('is not a folder');
    await expect(tree.read('secret.mkv')[Symbol.asyncIterator]().next()).rejects.toThrow('cannot be read');
    const plan = renamePlan([
      ['secret.mkv', 'x.mkv'],
      ['in/a.mkv', 'door/a.mkv'],
    ]);
    expect(await rename(tree, plan, world.ports)).toMatchObject({
      problems: [{ code: 'source-not-file' }, { code: 'parent-is-link' }],
    });
    expect(await readFile(join(base, 'outside', 'secret'), 'utf8')).toBe('s');
  });

  test('a move never overwrites, and keeps the file the file', async () => {
    await using world = await opened({ 'a.mkv': 'a', 'b.mkv': 'b' });
    const { tree, root } = world;
    const before = await stat(join(root, 'a.mkv'));
    await expect(tree.move('a.mkv', 'b.mkv')).rejects.toMatchObject({ failure: { code: 'conflict' } });
    await expect(tree.move('ghost.mkv', 'c.mkv')).rejects.toMatchObject({ failure: { code: 'not_found' } });
    await expect(tree.move('a.mkv', 'no/c.mkv')).rejects.toMatchObject({ failure: { code: 'file_unreadable' } });
    await tree.move('a.mkv', 'c.mkv');
    const after = await stat(join(root, 'c.mkv'));
    expect([after.ino, after.mtimeMs, after.nlink]).toEqual([before.ino, before.mtimeMs, 1]);
    expect(await world.files()).toEqual({ 'b.mkv': 'b', 'c.mkv': 'a' });
  });

  test('PLAN-78 between devices a file is copied, compared and only then removed; mode and times go along', async () => {
    await using world = await opened({ 'a.mkv': 'a long film', 'taken.mkv': 't' });
    const at = (name: string): string => join(world.root, name);
    const before = await stat(at('a.mkv'));
    await expect(copyOver(at('a.mkv'), at('taken.mkv'))).rejects.toThrow();
    expect(await world.files()).toEqual({ 'a.mkv': 'a long film', 'taken.mkv': 't' });
    await copyOver(at('a.mkv'), at('b.mkv'));
    const after = await stat(at('b.mkv'));
    expect([after.mode, Math.floor(after.mtimeMs)]).toEqual([before.mode, Math.floor(before.mtimeMs)]);
    expect(await world.files()).toEqual({ 'b.mkv': 'a long film', 'taken.mkv': 't' });
  });

  test.each(['EPERM', 'ENOTSUP', 'EXDEV'])(
    'where a link is refused (%s) a file moves all the same, and over nothing',
    async (code) => {
      await using world = await opened({ 'a.mkv': 'a', 'b.mkv': 'b' });
      const at = (name: string): string => join(world.root, name);
      const refused = () => Promise.reject(Object.assign(new Error(code), { code }));
      await expect(moveFile(at('a.mkv'), at('b.mkv'), { makeLink: refused })).rejects.toMatchObject({
        failure: { code: 'conflict' },
      });
      await expect(moveFile(at('ghost'), at('x'), { makeLink: refused })).rejects.toMatchObject({
        failure: { code: 'not_found' },
      });
      await moveFile(at('a.mkv'), at('c.mkv'), { makeLink: refused });
      expect(await world.files()).toEqual({ 'b.mkv': 'b', 'c.mkv': 'a' });
    },
  );

  test('PLAN-74 half a move is made whole: one file with two names, and a copy whose original still stands', async () => {
    await using world = await opened({ 'a.mkv': 'a', 'copy.mkv': 'c', 'c.mkv': 'c', 'other.mkv': 'o', 'd.mkv': 'd' });
    const at = (name: string): string => join(world.root, name);
    await link(at('a.mkv'), at('b.mkv'));
    await settleFile(at('a.mkv'), at('b.mkv'));
    await settleFile(at('copy.mkv'), at('c.mkv'));
    // What differs is somebody else's.
    await settleFile(at('other.mkv'), at('d.mkv'));
    await settleFile(at('ghost.mkv'), at('d.mkv'));
    expect(await world.files()).toEqual({ 'b.mkv': 'a', 'c.mkv': 'c', 'other.mkv': 'o', 'd.mkv': 'd' });
  });

  test('a directory in the way of a file is in the way', async () => {
    await using world = await opened({ 'a.mkv': 'a', 'b/c': 'c' });
    const at = (name: string): string => join(world.root, name);
    await expect(moveFile(at('a.mkv'), at('b'))).rejects.toMatchObject({ failure: { code: 'conflict' } });
    expect(await world.tree.removeDirectory('b')).toBe(false);
    expect(await world.tree.removeDirectory('nowhere')).toBe(false);
    await rm(at('b/c'));
    expect(await world.tree.removeDirectory('b')).toBe(true);
  });

  test('a folder that is none is said to be none', async () => {
    await using world = await opened({ 'a.mkv': 'a' });
    await expect(NodeFileTree.open(join(world.root, 'a.mkv'))).rejects.toMatchObject({
      failure: { code: 'not_found' },
    });
  });
});

describe('PLAN-7 PLAN-8 journals on the disk', () => {
  const before = { 'raw/1.mkv': 'one', 'raw/2.mkv': 'two' };
  const plan = renamePlan([
    ['raw/1.mkv', 'raw/2.mkv'],
    ['raw/2.mkv', 'raw/1.mkv'],
  ]);
  const after = { 'raw/1.mkv': 'two', 'raw/2.mkv': 'one' };

  test('from every write at which it may die, before and after, another process finds one of the ends', async () => {
    let last = false;
    for (let at = 1; !last; at += 1) {
      for (const when of ['before', 'after'] as const) {
        await using world = await opened(before);
        const dying = mortal(world.tree, world.journal, { at, when });
        await rename(dying.tree, plan, { ...world.ports, ...dying }).catch(() => null);
        last = dying.writes() < at;
        const fresh = journalsInDirectory(join(world.base, 'plans'), join(world.base, 'locks'));
        await recoverRename({ ...world.ports, journal: fresh });
        expect([before, after]).toContainEqual(await world.files());
      }
    }
  });

  test('PLAN-73 half a line at the end counts for nothing, and what is written next stands whole', async () => {
    await using world = await opened(before);
    const dying = mortal(world.tree, world.journal, { at: 5, when: 'after' });
    await rename(dying.tree, plan, { ...world.ports, ...dying }).catch(() => null);
    const file = join(world.base, 'plans', `${PLAN_ID}.journal.jsonl`);
    await writeFile(file, '{"of":"journal-1","rec', { flag: 'a' });
    const fresh = journalsInDirectory(join(world.base, 'plans'), join(world.base, 'locks'));
    expect(await recoverRename({ ...world.ports, journal: fresh })).toMatchObject([{ result: 'rolled-back' }]);
    expect(await world.files()).toEqual(before);
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ record: { kind: 'end', result: 'rolled-back' } });
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });

  test('PLAN-73 a damaged line before the end is said, and nothing is done on it', async () => {
    await using world = await opened(before);
    await rename(world.tree, plan, world.ports);
    const file = join(world.base, 'plans', `${PLAN_ID}.journal.jsonl`);
    const [head, ...rest] = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, [head, 'nonsense', ...rest].join('\n'));
    await expect(undoRename({ ...world.ports, planId: PLAN_ID })).rejects.toThrow('is damaged in line 2');
    expect(await world.files()).toEqual(after);
  });

  test('PLAN-5, PLAN-70 of two stores on one folder one is at work; what one left open the other does not write over', async () => {
    await using world = await opened(before);
    const locks = join(world.base, 'locks');
    const other = journalsInFile(join(world.base, 'x.plan.json.journal'), locks);
    const release = await world.journal.hold(world.tree.root);
    expect(await other.hold(world.tree.root)).toBeNull();
    await release?.();
    const dying = mortal(world.tree, world.journal, { at: 5, when: 'after' });
    await rename(dying.tree, plan, { ...world.ports, ...dying }).catch(() => null);
    const next = renamePlan([['raw/1.mkv', 'x.mkv']], crypto.randomUUID());
    await expect(rename(world.tree, next, { ...world.ports, journal: other })).rejects.toThrow('left a rename of');
    await recoverRename(world.ports);
    expect(await rename(world.tree, next, { ...world.ports, journal: other })).toMatchObject({ result: 'done' });
    // The mark is gone with the rename.
    expect(await world.files()).toEqual({ 'x.mkv': 'one', 'raw/2.mkv': 'two' });
  });

  test("PLAN-70 a mark that came with the files is nobody's journal", async () => {
    await using world = await opened(before);
    const journal = join(world.root, 'evil');
    await writeFile(journal, 'no journal\n');
    const mark = { journal, id: 'x', process: { host: 'nowhere', pid: 1, began: '' } };
    const path = join(world.root, '.accession-rename.json');
    await writeFile(path, JSON.stringify(mark));
    // Of another machine and new: that one may be at work.
    expect(await rename(world.tree, plan, world.ports)).toMatchObject({ problems: [{ code: 'folder-busy' }] });
    await writeFile(path, JSON.stringify({ ...mark, process: { ...mark.process, host: hostname() } }));
    expect(await rename(world.tree, plan, world.ports)).toMatchObject({ result: 'done' });
    await expect(lstat(path)).rejects.toThrow();
    expect(await readFile(journal, 'utf8')).toBe('no journal\n');
  });
});
