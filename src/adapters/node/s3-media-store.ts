import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { MEDIA_ROOTS, type MediaRoot, type MediaStore } from '#core/ports.ts';
import { openDiskUploads, type UploadStore } from './disk-uploads.ts';
import { fileSize, writeWhole } from './atomic-file.ts';
import { encodeKey, type S3Client, S3Error } from './s3-client.ts';
import {
  copyObject,
  deleteObject,
  endOldParts,
  headObject,
  listObjects,
  lookAtBucket,
  readObject,
} from './s3-objects.ts';
import { placeFile } from './s3-place.ts';

/** An upload in parts that was begun so long ago is nobody's any more, milliseconds. */
const ENDED_MS = 86_400_000;

interface S3Media extends MediaStore, UploadStore {
  /** Asks once. Rejects with a plain sentence where the bucket cannot be used. */
  check(): Promise<void>;
  /**
   * Writes, reads and removes a small object, and ends what was begun and never ended.
   * @returns whether the storage itself refuses to write over an object
   */
  prepare(now: number): Promise<{ refusesOverwriting: boolean }>;
}

/**
 * The server's files in a bucket: `media/<catalog path>`, `media-former/` and `documents/contents/`. Uploads stay on the disk until they are
 * whole and verified, and go to the bucket when they are placed: nothing half is ever there under its name.
 * @param root where uploads are kept until they are placed
 */
export async function openS3Media(root: string, s3: S3Client): Promise<S3Media> {
  const { store, pathOf, make } = await openDiskUploads(root);

  async function prepare(now: number): Promise<{ refusesOverwriting: boolean }> {
    await lookAtBucket(s3);
    const key = `check/${randomUUID()}`;
    const body = new TextEncoder().encode('works');
    const put = async (expect: readonly number[]): Promise<number> => {
      const answer = await s3.send({ method: 'PUT', key, headers: { 'If-None-Match': '*' }, body, expect });
      await answer.body?.cancel();
      return answer.status;
    };
    // 412: the first answer was lost on its way.
    let refusesOverwriting = (await put([412, 501])) !== 501;
    try {
      if (refusesOverwriting) refusesOverwriting = (await put([412])) === 412;
    } finally {
      await deleteObject(s3, key);
    }
    for (const root of MEDIA_ROOTS) await endOldParts(s3, `${root}/`, now - ENDED_MS);
    return { refusesOverwriting };
  }

  async function adopt(key: string, sha256: string): Promise<boolean> {
    const found = await headObject(s3, key);
    if (found === null) return false;
    await make(sha256, found.size, async (path) => {
      try {
        await writeWhole(path, readObject(s3, key, 0, found.size));
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    });
    return true;
  }

  return {
    ...store,
    check: () => plainly(lookAtBucket(s3, 1)),
    prepare: (now) => plainly(prepare(now)),

    async place(sha256, path, root) {
      const file = pathOf(sha256);
      const size = await fileSize(file);
      if (size === null) throw new Error('the upload is gone');
      return placeFile(s3, keyOf(path, root), file, { sha256, size });
    },

    async adopt(path, sha256) {
      if (!(await adopt(media(path), sha256))) throw new Error('the placed file is gone');
    },

    adoptFormer: async (formerPath, sha256) => adopt(former(formerPath), sha256),

    size: async (path) => (await headObject(s3, media(path)))?.size ?? null,

    async state(path, root) {
      const found = await headObject(s3, keyOf(path, root));
      return found === null ? null : { size: found.size, mark: `${found.size}-${found.etag}` };
    },

    read: (path, start, end, root) => readObject(s3, keyOf(path, root), start, end),

    async *list(root) {
      for await (const key of listObjects(s3, `${root}/`)) yield key.slice(root.length + 1);
    },

    async setAside(path, root) {
      const from = keyOf(path, root);
      if ((await headObject(s3, from)) === null) return;
      await copyObject(s3, from, `media-damaged/${path} [${randomUUID()}]`);
      await deleteObject(s3, from);
    },

    remove: async (path, root) => deleteObject(s3, keyOf(path, root)),

    async retire(path, formerPath) {
      const [from, to] = [media(path), former(formerPath)];
      const source = await headObject(s3, from);
      if (source === null) return;
      const there = await headObject(s3, to);
      // Other audio under that name: both stay where they are.
      if (there !== null && there.sha256 !== source.sha256) return;
      if (there?.size !== source.size) await copyObject(s3, from, to);
      const kept = await headObject(s3, to);
      if (kept?.size !== source.size) throw new S3Error(s3.place, 404, 'without the copy that it made');
      await deleteObject(s3, from);
    },
  };
}

/** The last defence, as on the disk: no path leaves its place whatever it says. */
function keyOf(path: string, root: MediaRoot = 'media'): string {
  encodeKey(path);
  return `${root}/${path}`;
}

const media = (path: string): string => keyOf(path);
const former = (path: string): string => keyOf(path, 'media-former');

async function plainly<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof S3Error ? new Error(error.reason, { cause: error }) : error;
  }
}
