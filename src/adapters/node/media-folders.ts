/**
 * The folders below given roots. Where a path really is counts, not how it is written:
 *
 *   PLAN-50 a folder is seen when its real path is a root's real path or below it, resolved each time it is opened;
 *           a symbolic link that leads out of the roots leads nowhere
 */
import { realpath, stat } from 'node:fs/promises';

import { isCode } from '#core/errors.ts';
import type { FileTree } from '#core/plan/file-tree.ts';

/** Folders that are remembered. */
const MOST_KNOWN = 500;

export interface SeenFolder {
  tree: FileTree;
  /** The same for every way to write the folder's path: names it for locks and journals. */
  root: string;
}

/** Roots are absolute; one that is not there is looked for again each time. */
export function mediaFolders(roots: readonly string[], treeAt: (realPath: string) => FileTree | Promise<FileTree>) {
  const trees = new Map<string, FileTree>();

  /** How names behave in a folder is found out once. */
  async function treeOf(real: string): Promise<FileTree> {
    const known = trees.get(real);
    if (known) return known;
    const tree = await treeAt(real);
    if (trees.size >= MOST_KNOWN) trees.clear();
    trees.set(real, tree);
    return tree;
  }

  return {
    /** The folder and what names it; null where it is not there, no directory, or outside of the roots. */
    async see(mediaFolderPath: string): Promise<SeenFolder | null> {
      const real = await realDirectory(mediaFolderPath);
      if (real === null) return null;
      for (const root of roots) {
        const place = await realDirectory(root);
        if (place !== null && (real === place || real.startsWith(`${place}/`)))
          return { tree: await treeOf(real), root: real };
      }
      return null;
    },
  };
}

async function realDirectory(path: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : null;
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG')) return null;
    throw error;
  }
}
