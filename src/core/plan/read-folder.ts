import type { Cancel } from '../ports.ts';
import { DiskIndex } from './disk-index.ts';
import type { FileTree, TreeEntry } from './file-tree.ts';
import { locate, parentsOf } from './plan-path.ts';
import type { RenameDocument } from './validate-rename.ts';

/**
 * Everything that stands in the folder, and what a listing leaves out (links, devices) where the plan names it or a
 * folder on the way.
 */
export async function readFolder(tree: FileTree, plan: RenameDocument, cancel?: Cancel): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  for await (const entry of tree.list(cancel)) entries.push(entry);
  const disk = new DiskIndex(entries, tree.rules);
  const unseen = new Map<string, TreeEntry | null>();
  const look = async (path: string): Promise<TreeEntry | null> => {
    const listed = disk.find(path);
    if (listed !== undefined) return listed;
    const known = unseen.get(path);
    const found = known === undefined ? await tree.stat(path) : known;
    unseen.set(path, found);
    return found;
  };
  for (const said of plan.files.flatMap(({ from, to }) => [from, to])) {
    const place = locate(plan.mediaFolderPath, said);
    if (!place.ok) continue;
    // Below what is not there, or is no folder, there is nothing to look for.
    for (const path of [...parentsOf(place.below), place.below]) if ((await look(path))?.kind !== 'directory') break;
  }
  for (const found of unseen.values()) if (found !== null) entries.push(found);
  return entries;
}
