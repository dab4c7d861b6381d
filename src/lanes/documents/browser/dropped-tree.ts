/** Dropped files as a folder that can be read, and in which nothing changes: what is made of them comes back as a ZIP. */
import { systemRules } from '#adapters/browser/plans/folder-tree.ts';
import { chunksOf } from '#adapters/media/blob-pieces.ts';
import { failed } from '#core/errors.ts';
import type { FileTree, TreeEntry } from '#core/plan/file-tree.ts';
import type { DroppedDocument } from './documents-api.types.ts';

export function droppedTree(files: readonly DroppedDocument[], platform: string): FileTree {
  const byPath = new Map(files.map(({ path, file }) => [path, file]));
  const entryOf = (path: string, { size, lastModified }: File): TreeEntry => ({
    ...{ path, kind: 'file', size, modified: lastModified },
  });
  const never = (): Promise<never> => Promise.reject(failed('invalid', 'Dropped files are not changed.'));
  return {
    rules: systemRules(platform),
    async *list() {
      for (const [path, file] of byPath) yield entryOf(path, file);
    },
    stat(path) {
      const file = byPath.get(path);
      return Promise.resolve(file === undefined ? null : entryOf(path, file));
    },
    async *read(path) {
      const file = byPath.get(path);
      if (file === undefined) throw failed('not_found', `"${path}" is not there.`);
      yield* chunksOf(file.stream());
    },
    makeDirectory: never,
    removeDirectory: never,
    move: never,
  };
}
