import { describe, expect, test } from 'vitest';
import { openFolderTree } from '#adapters/browser/plans/folder-tree.ts';
import { fakeFolder } from '../fixtures/fake-folder.ts';
import { fileTreeContract } from './file-tree.ts';

const LINUX = 'Linux x86_64';

for (const canMove of [true, false])
  fileTreeContract(
    `File System Access API ${canMove ? 'with' : 'without'} move`,
    async (files) => {
      const folder = fakeFolder(files, canMove);
      const tree = await openFolderTree(folder.handle, LINUX);
      return { tree, files: () => folder.contents(), [Symbol.asyncDispose]: () => Promise.resolve() };
    },
    { setsTimes: false },
  );

test('DOCUMENT-41 a file that is written into stays whole where the browser refuses, and one that is made is not left half', async () => {
  const folder = fakeFolder({ 'a.pdf': 'abc' });
  const tree = await openFolderTree(folder.handle, LINUX);
  folder.disk.beforeClose = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  for (const write of [tree.replace?.('a.pdf', new Uint8Array(9)), tree.create?.('b.json', new Uint8Array(9))])
    await expect(write).rejects.toMatchObject({ failure: { code: 'storage_full' } });
  expect(folder.contents()).toEqual({ 'a.pdf': 'abc' });
});

test('VIDEO-79 a file of the folder is opened at any place, one that is not there is not', async () => {
  const tree = await openFolderTree(fakeFolder({ 'S1/a.mkv': 'abcdef' }).handle, LINUX);
  const file = await tree.open?.('S1/a.mkv');
  expect(file?.size).toBe(6);
  expect(new TextDecoder().decode(await file?.read(2, 4))).toBe('cd');
  expect([await tree.open?.('S1/b.mkv'), await tree.open?.('S2/a.mkv')]).toEqual([null, null]);
});

describe('VIDEO-83, VIDEO-114 a browser that cannot move copies, compares and deletes', () => {
  test('a copy that fails leaves the file where it was, and nothing at its target', async () => {
    const folder = fakeFolder({ 'a.mkv': 'abc' }, false);
    const tree = await openFolderTree(folder.handle, LINUX);
    folder.disk.beforeClose = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    await expect(tree.move('a.mkv', 'b.mkv')).rejects.toMatchObject({ failure: { code: 'storage_full' } });
    expect(folder.contents()).toEqual({ 'a.mkv': 'abc' });
  });

  test('a copy that is not the same does not cost the original', async () => {
    const folder = fakeFolder({ 'a.mkv': 'abc' }, false);
    const tree = await openFolderTree(folder.handle, LINUX);
    folder.disk.damage = true;
    await expect(tree.move('a.mkv', 'b.mkv')).rejects.toMatchObject({ failure: { code: 'file_unreadable' } });
    expect(folder.contents()).toEqual({ 'a.mkv': 'abc' });
  });

  test.each([
    ['an empty target goes', { 'a.mkv': 'abc', 'b.mkv': '' }, { 'a.mkv': 'abc' }],
    ['a whole copy goes', { 'a.mkv': 'abc', 'b.mkv': 'abc' }, { 'a.mkv': 'abc' }],
    ['what is somebody else’s stays', { 'a.mkv': 'abc', 'b.mkv': 'xyz' }, { 'a.mkv': 'abc', 'b.mkv': 'xyz' }],
    ['a file that was moved stays', { 'b.mkv': 'abc' }, { 'b.mkv': 'abc' }],
  ])('after a crash: %s', async (_what, before: Record<string, string>, after) => {
    const folder = fakeFolder(before, false);
    const tree = await openFolderTree(folder.handle, LINUX);
    await tree.settle?.('a.mkv', 'b.mkv');
    expect(folder.contents()).toEqual(after);
  });
});

describe('VIDEO-84 how names behave in a folder', () => {
  test('is what is usual on the system, and names that Windows refuses are refused everywhere', async () => {
    const rules = async (platform: string) => (await openFolderTree(fakeFolder({}).handle, platform)).rules;
    expect(await rules(LINUX)).toMatchObject({ caseSensitive: true, unicode: 'preserve', windowsNames: true });
    expect(await rules('MacIntel')).toMatchObject({ caseSensitive: false, unicode: 'nfc-insensitive' });
    expect(await rules('Win32')).toMatchObject({ caseSensitive: false, windowsNames: true });
  });

  test('is looked at where a file has another spelling: a case-sensitive volume on a Mac is one', async () => {
    const { rules } = await openFolderTree(fakeFolder({ 'Abc.mkv': 'a' }).handle, 'MacIntel');
    expect(rules.caseSensitive).toBe(true);
  });
});
