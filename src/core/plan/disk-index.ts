/** What is in a folder, found as its file system finds it. */
import type { Cancel } from '../ports.ts';
import type { FileTree, TreeEntry, TreeRules } from './file-tree.ts';
import { locate, parentsOf, pathKey } from './plan-path.ts';
import type { RenameFilesPlan } from './plan.ts';

export class DiskIndex {
  readonly rules: TreeRules;
  readonly #exact = new Map<string, TreeEntry>();
  readonly #byKey = new Map<string, TreeEntry>();

  constructor(entries: Iterable<TreeEntry>, rules: TreeRules) {
    this.rules = rules;
    for (const entry of entries) this.#add(entry);
    for (const path of [...this.#exact.keys()])
      for (const parent of parentsOf(path))
        if (!this.#exact.has(parent)) this.#add({ path: parent, kind: 'directory', size: 0, modified: 0 });
  }

  #add(entry: TreeEntry): void {
    this.#exact.set(entry.path, entry);
    // Should the key merge what the system keeps apart, the first is found by it and both are found by their own name.
    const key = this.key(entry.path);
    if (!this.#byKey.has(key)) this.#byKey.set(key, entry);
  }

  key(path: string): string {
    return pathKey(path, this.rules);
  }

  find(path: string): TreeEntry | undefined {
    return this.#exact.get(path) ?? this.#byKey.get(this.key(path));
  }

  entries(): Iterable<TreeEntry> {
    return this.#exact.values();
  }
}

/**
 * Everything that is in the folder, and what a listing leaves out (links, devices) where the plan names it or a folder
 * on the way.
 */
export async function readDisk(
  tree: FileTree,
  plan: Pick<RenameFilesPlan, 'mediaFolderPath' | 'files'>,
  cancel?: Cancel,
): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  for await (const entry of tree.list(cancel)) entries.push(entry);
  const disk = new DiskIndex(entries, tree.rules);
  const unlisted = new Map<string, TreeEntry | null>();
  const entryAt = async (path: string): Promise<TreeEntry | null> => {
    const listed = disk.find(path);
    if (listed !== undefined) return listed;
    const known = unlisted.get(path);
    const found = known === undefined ? await tree.stat(path) : known;
    unlisted.set(path, found);
    return found;
  };
  for (const said of plan.files.flatMap(({ from, to }) => [from, to])) {
    const place = locate(plan.mediaFolderPath, said);
    if (!place.ok) continue;
    // Below what is not there, or is no folder, there is nothing to look for.
    for (const path of [...parentsOf(place.below), place.below]) if ((await entryAt(path))?.kind !== 'directory') break;
  }
  for (const found of unlisted.values()) if (found !== null) entries.push(found);
  return entries;
}
