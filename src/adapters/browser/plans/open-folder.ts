/** A folder that the person opened: listed once, and remembered, so that it can be opened again without being looked for. */
import { failed } from '#core/errors.ts';
import type { FileTree, TreeEntry, TreeRules } from '#core/plan/file-tree.ts';
import { parentsOf } from '#core/plan/plan-path.ts';
import type { JournalStore } from '#core/plan/rename-journal.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { AccessionDb } from '../db.ts';
import { systemRules, openFolderTree } from './folder-tree.ts';
import type { FolderRow } from './rows.types.ts';

/** A folder whose files can be renamed, or, in other browsers, only its list of files. */
export type FolderSource =
  { kind: 'handle'; handle: FileSystemDirectoryHandle } | { kind: 'list'; name: string; files: ListedFile[] };

export interface ListedFile {
  /** Below the folder, `/` separated. */
  path: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  modified: number;
}

export interface OpenedFolder {
  /** Null where files cannot be renamed from here. */
  id: string | null;
  name: string;
  /**
   * `/` and the folder's name: a browser does not say where on the disk it is. The CLI and the server lay a plan over the
   * folder that they are given.
   */
  mediaFolderPath: string;
  files: number;
}

export interface Folder extends OpenedFolder {
  /** The real one; null where files cannot be renamed from here. */
  tree: FileTree | null;
  /** As it was listed. */
  listed: FileTree;
  entries: TreeEntry[];
}

/** What folders are opened with, and what renames in them run on. */
export interface FolderPorts {
  db: AccessionDb;
  journal: JournalStore;
  clock: Clock;
  /** UUIDs. */
  ids: Ids;
  /** `navigator.platform`. */
  platform: string;
  /** Whose page shows the folder among those that were open before; video where nothing is said. */
  lane?: string;
  /** Ids of folders that something else refers to: they are not forgotten. */
  neededFolders?: () => Promise<Iterable<string>>;
}

/** Files between two reports of how far the listing is. */
const REPORT_EVERY = 200;
/** Folders that are remembered; the longest unused is forgotten first, those that are needed and of journals never. */
const KEPT = 12;

/** `progress` gets the number of files so far. Throws AccessionError `file_unreadable`. */
export async function openFolder(
  source: FolderSource,
  ports: Pick<FolderPorts, 'db' | 'ids' | 'clock' | 'platform' | 'neededFolders' | 'lane'>,
  progress: (files: number) => void,
): Promise<Folder> {
  if (source.kind === 'list') {
    const entries = entriesOf(source.files);
    return folderOf(null, source.name, null, entries, systemRules(ports.platform));
  }
  const tree = await openFolderTree(source.handle, ports.platform);
  const entries = await listing(tree, progress);
  const { id, name } = await keepFolder(ports, source.handle);
  return folderOf(id, name, tree, entries, tree.rules);
}

/** Everything in the folder. */
async function listing(tree: FileTree, progress: (files: number) => void): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  let files = 0;
  for await (const entry of tree.list()) {
    entries.push(entry);
    if (entry.kind === 'file' && ++files % REPORT_EVERY === 0) progress(files);
  }
  progress(files);
  return entries;
}

export function filesOf(entries: readonly TreeEntry[]): { path: string; size: number }[] {
  return entries.flatMap(({ kind, path, size }) => (kind === 'file' ? [{ path, size }] : []));
}

function folderOf(
  id: string | null,
  name: string,
  tree: FileTree | null,
  entries: TreeEntry[],
  rules: TreeRules,
): Folder {
  const files = entries.filter(({ kind }) => kind === 'file').length;
  return { id, name, mediaFolderPath: pathOf(name), files, tree, listed: listedTree(entries, rules), entries };
}

/** A drive's root has a name that is no segment of a path. */
function pathOf(name: string): string {
  const segment = name.replace(/[/\0]/g, '_');
  return `/${/^\.{0,2}$/.test(segment) ? 'folder' : segment}`;
}

/** A folder as it was listed: plans are made of it without reading the disk again, and nothing in it moves. */
function listedTree(entries: readonly TreeEntry[], rules: TreeRules): FileTree {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const never = (): Promise<never> =>
    Promise.reject(failed('invalid', 'This browser cannot change files of this folder.'));
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
function entriesOf(files: readonly ListedFile[]): TreeEntry[] {
  const folders = new Set(files.flatMap(({ path }) => parentsOf(path)));
  return [
    ...[...folders].map((path): TreeEntry => ({ path, kind: 'directory', size: 0, modified: 0 })),
    ...files.map((file): TreeEntry => ({ ...file, kind: 'file' })),
  ];
}

/** The row of a folder: the one it had before, if it is the same one on the disk. */
async function keepFolder(
  { db, ids, clock, neededFolders, lane }: Pick<FolderPorts, 'db' | 'ids' | 'clock' | 'neededFolders' | 'lane'>,
  handle: FileSystemDirectoryHandle,
): Promise<FolderRow> {
  const needed = [...((await neededFolders?.()) ?? [])];
  const fresh = ids.next();
  const looked = new Map<string, boolean>();
  for (;;) {
    // The disk is asked outside of the transaction, which would end with the question.
    for (const row of await db.video_folders.toArray())
      if (!looked.has(row.id)) looked.set(row.id, row.name === handle.name && (await row.handle.isSameEntry(handle)));
    const kept = await db.transaction('rw', db.video_folders, db.rename_journals, async () => {
      const rows = await db.video_folders.orderBy('opened_at').toArray();
      // Another tab opened one meanwhile, which may be this one.
      if (rows.some(({ id }) => !looked.has(id))) return null;
      const id = rows.findLast((row) => looked.get(row.id) === true)?.id ?? fresh;
      const row = { id, name: handle.name, handle, opened_at: clock.now(), ...(lane === undefined ? {} : { lane }) };
      await db.video_folders.put(row);
      const wanted = new Set([...needed, ...(await db.rename_journals.toArray()).map(({ root }) => root)]);
      const spare = rows.filter((one) => one.id !== id && !wanted.has(one.id)).slice(0, -(KEPT - 1));
      await db.video_folders.bulkDelete(spare.map((one) => one.id));
      return row;
    });
    if (kept !== null) return kept;
  }
}
