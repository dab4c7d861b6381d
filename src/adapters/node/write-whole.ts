import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AccessionError, failure } from '#core/errors.ts';
import type { BlobRef, Cancel } from '#core/ports.ts';
import { isCode, syncDirectory } from './atomic-file.ts';

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
    if (cancel?.aborted) throw new AccessionError(failure('cancelled', 'cancelled'));
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { sha256: hash.digest('hex'), size };
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
    return new AccessionError(failure('storage_full', 'There is no space left on the disk.'), { cause: error });
  if (isCode(error, 'EROFS', 'EIO', 'EACCES'))
    return new AccessionError(failure('storage_failed', 'The disk could not be written.'), { cause: error });
  return error;
}
