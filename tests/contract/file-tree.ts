import { describe, expect, test } from 'vitest';
import type { FileTree, TreeEntry } from '#core/plan/file-tree.ts';

/** A folder for one case, and what stands in it. */
export interface TreeWorld extends AsyncDisposable {
  tree: FileTree;
  files: () => Record<string, string> | Promise<Record<string, string>>;
}

/** Runs the conformance suite of the FileTree port; each case gets a folder of its own. */
export function fileTreeContract(
  name: string,
  open: (files: Record<string, string>) => Promise<TreeWorld>,
  { setsTimes = true }: { setsTimes?: boolean } = {},
): void {
  const listed = async (tree: FileTree): Promise<TreeEntry[]> => {
    const entries: TreeEntry[] = [];
    for await (const entry of tree.list()) entries.push(entry);
    return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  };
  const codeOf = (code: string) => ({ failure: { code } });

  describe(`PLAN-11 ${name} keeps the FileTree contract`, () => {
    test('lists files and folders below it, as they are spelled, with size and time', async () => {
      await using world = await open({ 'a.mkv': 'abc', 'Sub/Deep/b.srt': 'b' });
      const entries = await listed(world.tree);
      expect(entries.map(({ path, kind, size }) => [path, kind, size])).toEqual([
        ['Sub', 'directory', 0],
        ['Sub/Deep', 'directory', 0],
        ['Sub/Deep/b.srt', 'file', 1],
        ['a.mkv', 'file', 3],
      ]);
      for (const { kind, modified } of entries)
        expect(Number.isInteger(modified) && modified > 0).toBe(kind === 'file');
      expect(await world.tree.stat('a.mkv')).toEqual(entries[3]);
    });

    test('a look at what is not there, or below a file, finds nothing', async () => {
      await using world = await open({ 'a.mkv': 'abc' });
      for (const path of ['b.mkv', 'no/b.mkv', 'a.mkv/b.mkv']) expect(await world.tree.stat(path)).toBeNull();
    });

    test('a move takes the file along, into a folder that is there', async () => {
      await using world = await open({ 'a.mkv': 'abc', 'b.mkv': 'b' });
      await world.tree.makeDirectory('S/1');
      await world.tree.makeDirectory('S/1');
      await world.tree.move('a.mkv', 'S/1/a.mkv');
      expect(await world.files()).toEqual({ 'S/1/a.mkv': 'abc', 'b.mkv': 'b' });
      const bytes: Uint8Array[] = [];
      for await (const chunk of world.tree.read('S/1/a.mkv')) bytes.push(chunk);
      expect(Buffer.concat(bytes).toString()).toBe('abc');
    });

    test('a move never overwrites, a file or a folder, and says which of its names was wrong', async () => {
      const before = { 'a.mkv': 'a', 'b.mkv': 'b', 'c/d.mkv': 'd' };
      await using world = await open(before);
      await expect(world.tree.move('a.mkv', 'b.mkv')).rejects.toMatchObject(codeOf('conflict'));
      await expect(world.tree.move('a.mkv', 'c')).rejects.toMatchObject(codeOf('conflict'));
      await expect(world.tree.move('ghost.mkv', 'x.mkv')).rejects.toMatchObject(codeOf('not_found'));
      await expect(world.tree.move('a.mkv', 'no/x.mkv')).rejects.toBeInstanceOf(Error);
      expect(await world.files()).toEqual(before);
    });

    test('another content stands whole under the name it had, and is not made where no file is', async () => {
      await using world = await open({ 'S/a.mkv': 'abc', 'b.mkv': 'b' });
      const { tree } = world;
      // Not every folder can be written into: plans that need it refuse then.
      if (tree.replace === undefined) return;
      await tree.replace('S/a.mkv', new Uint8Array([100, 101]), 1_600_000_000_000);
      expect(await world.files()).toEqual({ 'S/a.mkv': 'de', 'b.mkv': 'b' });
      expect(await tree.stat('S/a.mkv')).toMatchObject({ size: 2, ...(setsTimes && { modified: 1_600_000_000_000 }) });
      await expect(tree.replace('no.mkv', new Uint8Array(1))).rejects.toMatchObject(codeOf('not_found'));
      await expect(tree.replace('S', new Uint8Array(1))).rejects.toBeInstanceOf(Error);
      await tree.settleReplace?.('S/a.mkv');
      expect(await world.files()).toEqual({ 'S/a.mkv': 'de', 'b.mkv': 'b' });
    });

    test('a file is made whole, never over another one, and not where no folder is', async () => {
      await using world = await open({ 'S/a.mkv': 'abc' });
      const { tree } = world;
      if (tree.create === undefined) return;
      await tree.create('S/b.json', new Uint8Array([100, 101]));
      expect(await world.files()).toEqual({ 'S/a.mkv': 'abc', 'S/b.json': 'de' });
      for (const path of ['S/a.mkv', 'S'])
        await expect(tree.create(path, new Uint8Array(1))).rejects.toMatchObject(codeOf('conflict'));
      await expect(tree.create('no/c.json', new Uint8Array(1))).rejects.toBeInstanceOf(Error);
      expect(await world.files()).toEqual({ 'S/a.mkv': 'abc', 'S/b.json': 'de' });
    });

    test('only an empty folder is removed, and no file by that name', async () => {
      await using world = await open({ 'a.mkv': 'a', 'b/c.mkv': 'c' });
      await world.tree.makeDirectory('empty');
      expect(await world.tree.removeDirectory('empty')).toBe(true);
      for (const path of ['empty', 'b', 'a.mkv', 'no/where'])
        expect(await world.tree.removeDirectory(path)).toBe(false);
      expect(await world.files()).toEqual({ 'a.mkv': 'a', 'b/c.mkv': 'c' });
    });

    test('a folder is not made over a file', async () => {
      await using world = await open({ 'a.mkv': 'a' });
      await expect(world.tree.makeDirectory('a.mkv')).rejects.toBeInstanceOf(Error);
      await expect(world.tree.makeDirectory('a.mkv/b')).rejects.toBeInstanceOf(Error);
      expect(await world.files()).toEqual({ 'a.mkv': 'a' });
    });

    test('what has nothing half done to settle is left as it is', async () => {
      const before = { 'a.mkv': 'a', 'b.mkv': 'b' };
      await using world = await open(before);
      await world.tree.settle?.('a.mkv', 'b.mkv');
      await world.tree.settle?.('a.mkv', 'c.mkv');
      await world.tree.settle?.('c.mkv', 'a.mkv');
      expect(await world.files()).toEqual(before);
    });
  });
}
