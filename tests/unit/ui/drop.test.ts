import { expect, test } from 'vitest';
import { carriesFiles, filesOfDrop } from '#ui/ingest/drop.ts';

type Tree = { [name: string]: Tree | 'file' | 'locked' };

/** An entry as the File and Directory Entries API has it: a folder answers at most a hundred names at a time. */
function entryOf(name: string, content: Tree[string], parent = ''): FileSystemEntry {
  const fullPath = `${parent}/${name}`;
  const isFile = typeof content === 'string';
  const children = isFile ? [] : Object.entries(content).map(([child, of]) => entryOf(child, of, fullPath));
  return {
    ...{ name, fullPath, isFile, isDirectory: !isFile },
    file: (done: (file: File) => void, failed: (error: Error) => void) =>
      content === 'locked' ? failed(new Error('not readable')) : done(new File(['x'], name)),
    createReader: () => ({ readEntries: (done: (some: FileSystemEntry[]) => void) => done(children.splice(0, 100)) }),
  } as unknown as FileSystemEntry;
}

const dropOf = (tree: Tree): DataTransfer =>
  ({
    types: ['Files'],
    items: Object.entries(tree).map(([name, content]) => ({
      kind: 'file',
      webkitGetAsEntry: () => entryOf(name, content),
      getAsFile: () => null,
    })),
  }) as unknown as DataTransfer;

test('UI-14 a dropped folder is read to its end, however many files are in it and however deep', async () => {
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`${n}.flac`, 'file' as const]));
  const { files, unreadable } = await filesOfDrop(dropOf({ album: { ...many, 'CD 2': { 'a.flac': 'file' } } }));
  expect(files).toHaveLength(251);
  expect(files.map(({ path }) => path)).toContain('album/CD 2/a.flac');
  expect(unreadable).toEqual([]);
});

test('UI-14 what the browser will not open is named, and the rest is read', async () => {
  const { files, unreadable } = await filesOfDrop(dropOf({ album: { 'a.flac': 'file', 'b.flac': 'locked' } }));
  expect(files.map(({ path }) => path)).toEqual(['album/a.flac']);
  expect(unreadable).toEqual(['album/b.flac']);
});

test('a drag of a text is none of files', () => {
  expect(carriesFiles({ types: ['text/plain'] } as unknown as DataTransfer)).toBe(false);
  expect(carriesFiles(dropOf({}))).toBe(true);
});
