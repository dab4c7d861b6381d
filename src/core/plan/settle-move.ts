import type { FileTree, TreeEntry } from './file-tree.ts';
import type { Stamp } from './replay-journal.ts';
import { sameTime } from './validate-rename.ts';

/**
 * After a move of which nobody knows whether it happened: at which of its two names the file is. What is only half
 * done is made whole first. `none`: at neither; somebody else took it.
 */
export async function settleMove(
  tree: FileTree,
  { from, to }: { from: string; to: string },
  stamp: Stamp,
): Promise<'from' | 'to' | 'none'> {
  await tree.settle?.(from, to);
  const [before, after] = [await tree.stat(from), await tree.stat(to)];
  // A move may change a file's time where it has to copy; its size it never changes.
  const could = (entry: TreeEntry | null): boolean => entry?.kind === 'file' && entry.size === stamp.size;
  if (before?.kind === 'file' && after?.kind === 'file') {
    // Somebody put a file at one of the names in the meantime. Ours is the one that did not change.
    if (could(before) && sameTime(before.modified, stamp.modified)) return 'from';
    if (could(after) && sameTime(after.modified, stamp.modified)) return 'to';
    return could(after) && !could(before) ? 'to' : 'from';
  }
  if (before?.kind === 'file') return 'from';
  return could(after) ? 'to' : 'none';
}
