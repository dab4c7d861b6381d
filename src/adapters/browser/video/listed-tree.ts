/** A folder as it was listed: plans are made of it without reading the disk again, and nothing in it moves. */
import { AccessionError, failure } from '#core/errors.ts';
import type { FileTree, TreeEntry, TreeRules } from '#core/plan/file-tree.ts';
import type { ListedFile } from './video-api.types.ts';

export function listedTree(entries: readonly TreeEntry[], rules: TreeRules): FileTree {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const never = (): Promise<never> =>
    Promise.reject(new AccessionError(failure('invalid', 'This browser cannot change files of this folder.')));
  return {
    rules,
    async *list() {
      yield* entries;
    },
    stat: (path) => Promise.resolve(byPath.get(path) ?? null),
    makeDirectory: never,
    removeDirectory: never,
    move: never,
    async *read() {
      yield await never();
    },
  };
}

/** Files of a browser's list, with the folders that they are in. */
export function entriesOf(files: readonly ListedFile[]): TreeEntry[] {
  const folders = new Set<string>();
  for (const { path } of files)
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1))
      folders.add(path.slice(0, slash));
  return [
    ...[...folders].map((path): TreeEntry => ({ path, kind: 'directory', size: 0, modified: 0 })),
    ...files.map((file): TreeEntry => ({ ...file, kind: 'file' })),
  ];
}
