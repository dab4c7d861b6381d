import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, link, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { failed, isCode } from '#core/errors.ts';
import type { MediaRoot, MediaStore } from '#core/ports.ts';
import { makeDirectory, readBytes, syncDirectory, fileSize, fileState, writeWhole, hashOf } from './atomic-file.ts';
import { openDiskUploads, type UploadStore } from './disk-uploads.ts';

/**
 * The server's audio on disk: `uploads/<sha256>` with its note `<sha256>.json`, `media/<catalog path>`, and
 * `media-former/` for audio that was replaced, `documents/contents/` for PDFs, and `media-damaged/` for files that are not
 * what the catalog says. A placed file is first a hard link to its upload, so that both
 * names exist until the catalog has committed and nothing is ever half there.
 *
 * Where several processes serve, it is a copy that was hashed as it was written: each knows only its own writers of an
 * upload, and a link is the very file that another one may still write to.
 *
 * Makes the directories under `root` when they are missing.
 * @param shared other processes may serve them, too
 */
export async function openDiskMedia(root: string, { shared = false } = {}): Promise<MediaStore & UploadStore> {
  const under = (path: string, of: MediaRoot = 'media'): string => inside(join(root, of), path);
  const media = (path: string): string => under(path);
  const former = (path: string): string => under(path, 'media-former');
  await makeDirectory(join(root, 'media'));
  const { store, pathOf, make } = await openDiskUploads(root);

  async function adopt(file: string, sha256: string): Promise<boolean> {
    const size = await fileSize(file);
    if (size === null) return false;
    // A copy, not a link: what tus may write to is never the file in the media directory.
    await make(sha256, size, (path) => copyFile(file, path));
    return true;
  }

  return {
    ...store,

    async place(sha256, path, of) {
      const source = pathOf(sha256);
      const target = under(path, of);
      await makeDirectory(dirname(target));
      if (!shared) await syncFile(source);
      if (!(await (shared ? copyHashed(source, target, sha256) : linkOrCopy(source, target)))) return false;
      await syncDirectory(dirname(target));
      return true;
    },

    async adopt(path, sha256) {
      if (!(await adopt(media(path), sha256))) throw new Error('the placed file is gone');
    },

    adoptFormer: async (formerPath, sha256) => adopt(former(formerPath), sha256),

    size: async (path) => fileSize(media(path)),

    state: async (path, of) => fileState(under(path, of)),

    read: (path, start, end, of) => readBytes(under(path, of), start, end),

    list: (of) => filesBelow(join(root, of)),

    async setAside(path, of) {
      const source = under(path, of);
      const target = inside(join(root, 'media-damaged'), `${path} [${randomUUID()}]`);
      await makeDirectory(dirname(target));
      try {
        await rename(source, target);
      } catch (error) {
        if (isCode(error, 'ENOENT', 'ENOTDIR')) return;
        throw error;
      }
      await syncDirectory(dirname(target));
      await syncDirectory(dirname(source));
    },

    async remove(path, of) {
      await rm(under(path, of), { force: true });
    },

    async retire(path, formerPath) {
      const source = media(path);
      const target = former(formerPath);
      if ((await fileSize(source)) === null) return;
      await makeDirectory(dirname(target));
      // Other audio under that name: both stay where they are.
      if (!(await linkOrCopy(source, target)) && !(await sameBytes(source, target))) return;
      await syncDirectory(dirname(target));
      await rm(source, { force: true });
      await syncDirectory(dirname(source));
    },
  };
}

/** Every file, however deep, `/` between the names; not what is being written beside its name. */
async function* filesBelow(folder: string, above = ''): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  });
  for (const entry of entries) {
    const path = `${above}${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name), `${path}/`);
    else if (!isPart(entry.name)) yield path;
  }
}

const isPart = (name: string): boolean => name.startsWith('.') && name.endsWith('.part');

/** Another device, or a file system without hard links. */
const NO_LINKS = ['EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK'] as const;

/** False, and nothing is written, where the name is taken. */
async function linkOrCopy(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    if (!isCode(error, ...NO_LINKS)) throw error;
    return fillBeside(target, async (part) => {
      await copyFile(source, part);
      await syncFile(part);
    });
  }
}

async function sameBytes(one: string, other: string): Promise<boolean> {
  if ((await fileSize(one)) !== (await fileSize(other))) return false;
  return (await hashOf(one)) === (await hashOf(other));
}

/** Throws AccessionError `hash_mismatch` where the source is not, or not any more, what it is named. */
function copyHashed(source: string, target: string, sha256: string): Promise<boolean> {
  return fillBeside(target, async (part) => {
    const copy = await writeWhole(part, createReadStream(source));
    if (copy.sha256 === sha256) return;
    throw failed('hash_mismatch', 'The upload was written to while it was being published.');
  });
}

/** A part that nobody finished within this time was left by a process that was killed. Milliseconds. */
const LEFT_MS = 3_600_000;

/**
 * A file that `fill` writes and that appears under its name only when it is whole. False when the name is taken. Its part
 * has a name of its own: two that are placed at once do not write into each other's.
 */
async function fillBeside(target: string, fill: (part: string) => Promise<void>): Promise<boolean> {
  await removeLeft(dirname(target));
  // Not with the target's name in it, which may be as long as a name can be.
  const part = join(dirname(target), `.${randomUUID()}.part`);
  try {
    await fill(part);
    try {
      await link(part, target);
    } catch (error) {
      if (!isCode(error, ...NO_LINKS)) throw error;
      // `wx` claims the name; the rename then replaces only the empty file that is ours.
      await (await open(target, 'wx')).close();
      await rename(part, target);
    }
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(part, { force: true });
  }
}

async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!isPart(name)) continue;
    const left = join(folder, name);
    const written = (await stat(left).catch(() => null))?.mtimeMs ?? Infinity;
    if (written < Date.now() - LEFT_MS) await rm(left, { force: true });
  }
}

/** The last defence: names are made safe where paths are built, and no path leaves its root whatever it says. */
function inside(root: string, path: string): string {
  const target = resolve(root, path);
  if (!target.startsWith(resolve(root) + sep)) throw new Error('a media path left its directory');
  return target;
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
