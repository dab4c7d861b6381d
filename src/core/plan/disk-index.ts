/** What stands in the folder, found as its file system finds it. */
import type { TreeEntry, TreeRules } from './file-tree.ts';
import { parentsOf, pathKey } from './plan-path.ts';

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
    // Should the key merge what the system keeps apart, the first stands for it and both are found by their own name.
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
