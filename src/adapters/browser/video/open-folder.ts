/** A folder that the person opened, listed once. */
import type { FileTree, TreeEntry } from '#core/plan/file-tree.ts';
import type { Ids } from '#core/ports.ts';
import type { FolderFile } from '#core/video/folder-reading.ts';
import type { AccessionDb } from '../db.ts';
import { keepFolder } from './folder-store.ts';
import { openFolderTree } from './folder-tree.ts';
import { systemRules } from './folder-rules.ts';
import { entriesOf, listedTree } from './listed-tree.ts';
import type { FolderSource, OpenedFolder } from './video-api.types.ts';

/** So many files between two words of how far the listing is. */
const TELL_EVERY = 200;

export interface Folder extends OpenedFolder {
  /** The real one; null where files cannot be renamed from here. */
  tree: FileTree | null;
  /** As it was listed. */
  listed: FileTree;
  entries: TreeEntry[];
}

export interface OpenDeps {
  db: AccessionDb;
  ids: Ids;
  now(): number;
  /** `navigator.platform`. */
  platform: string;
}

/** Throws AccessionError `file_unreadable`. */
export async function openFolder(
  source: FolderSource,
  deps: OpenDeps,
  heard: (files: number) => void,
): Promise<Folder> {
  if (source.kind === 'list') {
    const entries = entriesOf(source.files);
    return folderOf(null, source.name, null, entries, listedTree(entries, systemRules(deps.platform)));
  }
  const tree = await openFolderTree(source.handle, deps.platform);
  const entries = await listing(tree, heard);
  const { id, name } = await keepFolder(deps.db, source.handle, deps.ids, deps.now());
  return folderOf(id, name, tree, entries, listedTree(entries, tree.rules));
}

/** Everything in the folder; `heard` is told how many files so far. */
async function listing(tree: FileTree, heard: (files: number) => void): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  let files = 0;
  for await (const entry of tree.list()) {
    entries.push(entry);
    if (entry.kind === 'file' && ++files % TELL_EVERY === 0) heard(files);
  }
  heard(files);
  return entries;
}

export function filesOf(entries: readonly TreeEntry[]): FolderFile[] {
  return entries.flatMap(({ kind, path, size }) => (kind === 'file' ? [{ path, size }] : []));
}

function folderOf(
  id: string | null,
  name: string,
  tree: FileTree | null,
  entries: TreeEntry[],
  listed: FileTree,
): Folder {
  const files = entries.filter(({ kind }) => kind === 'file').length;
  return { id, name, mediaFolderPath: pathOf(name), files, tree, listed, entries };
}

/** A drive's root has a name that is no segment of a path. */
function pathOf(name: string): string {
  const segment = name.replace(/[/\0]/g, '_');
  return `/${/^\.{0,2}$/.test(segment) ? 'folder' : segment}`;
}
