/** Files out of a drop, a paste or a picker, each with its path inside the drop. */
import type { DroppedFile } from '#adapters/browser/api.ts';

export interface Dropped {
  files: DroppedFile[];
  /** Paths that the browser would not let us read. */
  unreadable: string[];
  /** Folders of the drop itself, where the browser hands them over to stay open. */
  folders: FileSystemDirectoryHandle[];
}

/** True when a drag carries files; a drag of text or a link is none of our business. */
export function carriesFiles(transfer: DataTransfer | null): boolean {
  return transfer !== null && Array.from(transfer.types).includes('Files');
}

/**
 * Reads folders to their ends. The entries are taken out of the event at once, because the browser
 * empties `items` when the handler returns; only then is anything awaited.
 */
export async function filesOfDrop(transfer: DataTransfer): Promise<Dropped> {
  const entries = Array.from(transfer.items)
    .filter((item) => item.kind === 'file')
    .map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile(), handle: handleOf(item) }));
  const handles = await Promise.all(entries.map(({ handle }) => handle));
  const out: Dropped = { files: [], unreadable: [], folders: handles.filter((one) => one !== null) };
  for (const { entry, file } of entries) {
    if (entry !== null) await readEntry(entry, out);
    else if (file !== null) out.files.push({ path: file.name, file });
  }
  return out;
}

/** A folder, as the browser hands it over; null: it is none, or the browser hands none over. */
async function handleOf(item: DataTransferItem): Promise<FileSystemDirectoryHandle | null> {
  const handle = handsOver(item) ? await item.getAsFileSystemHandle().catch(() => null) : null;
  return handle?.kind === 'directory' ? (handle as FileSystemDirectoryHandle) : null;
}

/** Chromium and Edge; TypeScript's DOM library does not know it. */
const handsOver = (
  item: DataTransferItem,
): item is DataTransferItem & { getAsFileSystemHandle(): Promise<FileSystemHandle | null> } =>
  'getAsFileSystemHandle' in item;

/** A picker's list; a folder picker says each file's path below the folder. */
export function filesOfList(list: FileList | null): DroppedFile[] {
  return Array.from(list ?? []).map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

async function readEntry(entry: FileSystemEntry, out: Dropped): Promise<void> {
  const path = entry.fullPath.replace(/^\//, '');
  try {
    if (isFile(entry)) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
      out.files.push({ path, file });
    } else if (isDirectory(entry)) {
      for (const child of await readDirectory(entry)) await readEntry(child, out);
    }
  } catch {
    out.unreadable.push(path);
  }
}

/** `readEntries` answers at most a hundred at a time, and an empty list at the end. */
async function readDirectory(entry: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = entry.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all.sort((a, b) => a.name.localeCompare(b.name));
    all.push(...some);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
