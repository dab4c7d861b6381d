import { randomBytes, createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createReadStream } from 'node:fs';
import { failed, isCode } from '#core/errors.ts';
import type { BlobRef, Cancel, FileState } from '#core/ports.ts';

/** Writes a small file so that after a crash there is the old content or the new one, never half of it. */
export async function writeFileAtomic(path: string, text: string, mode = 0o644): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** The text of a file, or null when there is none. */
export async function readTextIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** The secret kept in a file only its owner can read; made on first use. */
export async function keptSecret(path: string, make: () => string): Promise<string> {
  const kept = (await readTextIfThere(path))?.trim();
  if (kept) return kept;
  const secret = make();
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, `${secret}\n`, 0o600);
  return secret;
}

/** Makes a rename or link in `directory` durable. Some systems cannot open a directory: nothing to do there. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => null);
  if (!handle) return;
  try {
    await handle.sync();
  } catch (error) {
    if (!isCode(error, 'EINVAL', 'EPERM', 'ENOTSUP', 'EISDIR')) throw error;
  } finally {
    await handle.close();
  }
}

/** Makes a directory and those above it that are missing, so that a power cut takes none of them away again. */
export async function makeDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let made = resolve(path); made.length >= resolve(first).length; made = dirname(made))
    await syncDirectory(dirname(made));
}

/** Bytes of a file, or null where there is none of that name. */
export async function fileSize(path: string): Promise<number | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : null;
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

/**
 * The size of a file with what changes when it is written to: even where its time of change is put back, that of its
 * entry (ctime) is not. Null where there is none of that name.
 */
export async function fileState(path: string): Promise<FileState | null> {
  try {
    const found = await stat(path, { bigint: true });
    if (!found.isFile()) return null;
    const mark = [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join('-');
    return { size: Number(found.size), mark };
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

/** Writes a few bytes into the directory, durably, and takes them away. Rejects where that is not possible. */
export async function checkDisk(directory: string): Promise<void> {
  const path = join(directory, `.health-${process.pid}`);
  const handle = await open(path, 'w', 0o600);
  try {
    await handle.write('works');
    await handle.datasync();
  } finally {
    await handle.close();
    await rm(path, { force: true });
  }
}

/** Writes a new file to the end and onto the disk, hashing on the way. What fails leaves a part for the caller to remove. */
export async function writeWhole(path: string, chunks: AsyncIterable<Uint8Array>, cancel?: Cancel): Promise<BlobRef> {
  const handle = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of chunks) {
      if (cancel?.aborted) break;
      hash.update(chunk);
      await handle.writeFile(chunk);
      size += chunk.length;
    }
    if (cancel?.aborted) throw failed('cancelled', 'cancelled');
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { sha256: hash.digest('hex'), size };
}

/** Bytes [start, end) of a file. */
export async function* readBytes(path: string, start: number, end: number, highWaterMark?: number) {
  if (start < end) yield* createReadStream(path, { start, end: end - 1, highWaterMark });
}

/** SHA-256 of a file, hex. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

/**
 * The same under the path `part`; when it is whole it gets the path that `pathOf` its SHA-256 says, in the same
 * directory, durably. What fails leaves nothing, and throws AccessionError `storage_full` or `storage_failed` where the
 * disk said no.
 */
export async function writeNamed(
  part: string,
  pathOf: (sha256: string) => string,
  chunks: AsyncIterable<Uint8Array>,
  cancel?: Cancel,
): Promise<BlobRef> {
  try {
    const ref = await writeWhole(part, chunks, cancel);
    await rename(part, pathOf(ref.sha256));
    await syncDirectory(dirname(part));
    return ref;
  } catch (error) {
    await rm(part, { force: true });
    throw asStorageFailure(error);
  }
}

/** What the disk says, as one of our failures; what the source of the bytes threw goes on as it is. */
function asStorageFailure(error: unknown): unknown {
  if (isCode(error, 'ENOSPC', 'EDQUOT'))
    return failed('storage_full', 'There is no space left on the disk.', { cause: error });
  if (isCode(error, 'EROFS', 'EIO', 'EACCES'))
    return failed('storage_failed', 'The disk could not be written.', { cause: error });
  return error;
}
