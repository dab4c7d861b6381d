/**
 * A move where the browser has none. The executor's journal says that it was begun, so that a crash leaves either the
 * source alone, or the source with an empty or whole copy beside it, or the target alone; settleCopy makes one of it:
 *
 *   empty target -> bytes, all at once when they are written -> hashes agree -> source deleted
 */
import { createSHA256 } from 'hash-wasm';
import { AccessionError, failure } from '#core/errors.ts';

export interface CopyMove {
  source: FileSystemDirectoryHandle;
  file: FileSystemFileHandle;
  target: FileSystemDirectoryHandle;
  name: string;
}

/** The target was looked for right before and is not there. Throws when the copy is not the same; the source then stays. */
export async function moveByCopy(move: CopyMove): Promise<void> {
  const { source, file, target, name } = move;
  let ours = false;
  try {
    const copy = await target.getFileHandle(name, { create: true });
    if ((await copy.getFile()).size > 0)
      throw new AccessionError(failure('conflict', `"${name}" is there already.`, { subject: name }));
    ours = true;
    const original = await file.getFile();
    await original.stream().pipeTo(await copy.createWritable());
    if (!(await same(original, await copy.getFile())))
      throw new AccessionError(failure('file_unreadable', `The copy of "${file.name}" is not the same.`));
    await source.removeEntry(file.name);
  } catch (thrown) {
    if (ours && (await isThere(source, file.name))) await target.removeEntry(name);
    throw thrown;
  }
}

async function isThere(folder: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await folder.getFileHandle(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * While the source is there, a target that is empty or the same goes: nothing else can come of a copy, and anything else
 * is somebody's and stays.
 */
export async function settleCopy({ source, file, target, name }: CopyMove): Promise<void> {
  try {
    const original = await (await source.getFileHandle(file.name)).getFile();
    const handle = await target.getFileHandle(name);
    if (await file.isSameEntry(handle)) return;
    const copy = await handle.getFile();
    if (copy.size === 0 || (await same(original, copy))) await target.removeEntry(name);
  } catch {
    // The source is gone, so that the copy is the file; or there is no copy.
  }
}

async function same(one: Blob, other: Blob): Promise<boolean> {
  return one.size === other.size && (await sha256(one)) === (await sha256(other));
}

async function sha256(blob: Blob): Promise<string> {
  const hash = await createSHA256();
  const reader = blob.stream().getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) hash.update(part.value);
  return hash.digest('hex');
}
