/** Files below a folder of the disk that the person opened: found, written, and what the browser says no to as a failure. */
import { AccessionError, failed, isQuotaExceeded, messageOf } from '#core/errors.ts';
import { PlaybookFault } from '../core/faults.ts';

/** What the app keeps in such a folder for itself. */
export const OURS = '.accession';

export async function directoryIn(
  root: FileSystemDirectoryHandle,
  names: readonly string[],
  { create = false } = {},
): Promise<FileSystemDirectoryHandle | null> {
  let folder: FileSystemDirectoryHandle | null = root;
  for (const name of names) {
    if (folder === null) return null;
    folder = await orNull(folder.getDirectoryHandle(name, { create }));
  }
  return folder;
}

export async function fileIn(
  root: FileSystemDirectoryHandle,
  path: string,
  { create = false } = {},
): Promise<FileSystemFileHandle | null> {
  const names = path.split('/');
  const name = names.pop() ?? '';
  const folder = await directoryIn(root, names, { create });
  return folder === null ? null : orNull(folder.getFileHandle(name, { create }));
}

/** The browser writes beside the file and puts it in its place at the end: all of it, or what was there before. */
export async function putFile(
  root: FileSystemDirectoryHandle,
  path: string,
  parts: (before: File) => BlobPart[],
): Promise<void> {
  const handle = await fileIn(root, path, { create: true });
  if (handle === null)
    throw failed('conflict', `"${path}" is a folder.`, { subject: path, remedy: 'Write to a file of another name.' });
  const content = new Blob(parts(await handle.getFile()));
  await content.stream().pipeTo(await handle.createWritable());
}

/** What the browser says no to, as a failure with what to do. */
export async function refusing<Value>(
  root: FileSystemDirectoryHandle,
  path: string,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PlaybookFault || error instanceof AccessionError) throw error;
    const of = { subject: path, cause: error };
    if (isQuotaExceeded(error))
      throw failed('storage_full', `There is no space left for "${path}".`, {
        ...of,
        remedy: 'Free space on the disk, then resume the run.',
      });
    const said = path === '' ? root.name : `${root.name}/${path}`;
    throw failed('file_unreadable', `The folder's "${said}" cannot be reached: ${messageOf(error)}`, {
      ...of,
      remedy: 'Allow the folder again, or look at its permissions, then resume the run.',
    });
  }
}

/** null where nothing has the name, or something of another kind. */
async function orNull<Handle>(asking: Promise<Handle>): Promise<Handle | null> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof Error && (error.name === 'NotFoundError' || error.name === 'TypeMismatchError')) return null;
    throw error;
  }
}
