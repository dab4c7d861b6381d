/** The parts of the File System Access API that TypeScript's DOM library does not know: Chromium and Edge have them. */

interface Wanted {
  mode: 'read' | 'readwrite';
}

interface Asking {
  queryPermission(wanted: Wanted): Promise<PermissionState>;
  /** Asks the person; wants a gesture of theirs. */
  requestPermission(wanted: Wanted): Promise<PermissionState>;
}

interface Moving {
  /** Silently overwrites what has the name already. */
  move(parent: FileSystemDirectoryHandle, name: string): Promise<void>;
}

interface Picking {
  showDirectoryPicker(options: { id: string; mode: 'read' }): Promise<FileSystemDirectoryHandle>;
}

interface HandingOver {
  getAsFileSystemHandle(): Promise<FileSystemHandle | null>;
}

const has = (object: object, method: string): boolean =>
  method in object && typeof Reflect.get(object, method) === 'function';

export const canMove = (file: FileSystemFileHandle): file is FileSystemFileHandle & Moving => has(file, 'move');
export const canPick = (scope: object): scope is Picking => has(scope, 'showDirectoryPicker');
export const canHandOver = (item: DataTransferItem): item is DataTransferItem & HandingOver =>
  has(item, 'getAsFileSystemHandle');
export const isDirectory = (handle: FileSystemHandle): handle is FileSystemDirectoryHandle =>
  handle.kind === 'directory';
const asks = (handle: FileSystemHandle): handle is FileSystemHandle & Asking => has(handle, 'queryPermission');

/** Whether the folder may be read, or written to; a browser that never asks says so when it is tried. */
export async function allowed(folder: FileSystemHandle, mode: Wanted['mode']): Promise<boolean> {
  return !asks(folder) || (await folder.queryPermission({ mode })) === 'granted';
}

/** The same, after asking the person where that is needed; call it from a gesture of theirs. */
export async function askFor(folder: FileSystemHandle, mode: Wanted['mode']): Promise<boolean> {
  return (await allowed(folder, mode)) || (asks(folder) && (await folder.requestPermission({ mode })) === 'granted');
}
