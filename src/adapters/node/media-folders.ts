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

export class NodeMediaFolders {
  readonly #roots: readonly string[];
  readonly #treeAt: (realPath: string) => FileTree | Promise<FileTree>;
  readonly #trees = new Map<string, FileTree>();

  /** Roots are absolute; one that is not there is looked for again each time. */
  constructor(roots: readonly string[], treeAt: (realPath: string) => FileTree | Promise<FileTree>) {
    this.#roots = roots;
    this.#treeAt = treeAt;
  }

  /** The folder and what names it; null where it is not there, no directory, or outside of the roots. */
  async see(mediaFolderPath: string): Promise<SeenFolder | null> {
    const real = await realDirectory(mediaFolderPath);
    if (real === null) return null;
    for (const root of this.#roots) {
      const place = await realDirectory(root);
      if (place !== null && (real === place || real.startsWith(`${place}/`)))
        return { tree: await this.#tree(real), root: real };
    }
    return null;
  }

  /** How names behave in a folder is found out once. */
  async #tree(real: string): Promise<FileTree> {
    const known = this.#trees.get(real);
    if (known) return known;
    const tree = await this.#treeAt(real);
    if (this.#trees.size >= MOST_KNOWN) this.#trees.clear();
    this.#trees.set(real, tree);
    return tree;
  }
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
