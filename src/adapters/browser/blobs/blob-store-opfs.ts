/**
 * Blobs as files of the origin private file system.
 *
 *   tmp/<uuid>   being written; after a kill it is left behind and collected
 *     | every byte written, flushed, hashed; then one rename
 *   sha256/<hash>   whole, for ever the same bytes; archives that are being unpacked lie here under a name of their own
 *
 * Reading is the same everywhere; how a file is written differs (blob-store-opfs-writers.ts).
 */
import { writeCounted, writeHashed, type Write, type WholeDigest } from '#core/ingest/write-hashed.ts';
import type { BlobRef, Cancel } from '#core/ports.ts';
import { ownName } from '../../blob-name.ts';
import { blobRange, ownBytes } from '../../media/blob-pieces.ts';
import { defaultGrace, type BrowserBlobStore } from './blob-store.types.ts';
import { missingBlob, storageFailure } from './storage-failure.ts';
import { AccessionError, failed } from '#core/errors.ts';

/** How a file of the origin private file system is written and given its final name. */
export interface OpfsWriter {
  readonly kind: 'opfs-sync' | 'opfs-writable' | 'opfs-readonly';
  open(file: FileSystemFileHandle): Promise<OpfsSink>;
  /** Gives the finished file its name. Atomic: the name is there with all bytes, or not at all. */
  publish(file: FileSystemFileHandle, folder: FileSystemDirectoryHandle, name: string): Promise<void>;
}

interface OpfsSink {
  write(chunk: Uint8Array, at: number): Promise<void> | void;
  /** Flushed to disk when it resolves. */
  close(): Promise<void> | void;
  /** Lets go of the file; never throws. */
  abort(): Promise<void> | void;
}

/** `move` is in Chromium, Firefox and WebKit, and not in TypeScript's library yet. */
interface Movable extends FileSystemFileHandle {
  move(folder: FileSystemDirectoryHandle, name: string): Promise<void>;
}

/** The part of a worker's file handle that TypeScript's page library does not know. */
interface SyncFile extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<SyncAccess>;
}
interface SyncAccess {
  /** Answers how many bytes were written, which may be fewer. */
  write(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number;
  flush(): void;
  close(): void;
}

function isSync(file: FileSystemFileHandle): file is SyncFile {
  return 'createSyncAccessHandle' in file;
}

function isMovable(file: FileSystemFileHandle): file is Movable {
  return 'move' in file;
}

/** In a dedicated worker of Chromium, Firefox and WebKit: the fastest. */
export const syncAccessWriter: OpfsWriter = {
  kind: 'opfs-sync',
  async open(file) {
    if (!isSync(file)) throw unable('write stored files here');
    const access = await file.createSyncAccessHandle();
    return {
      write(chunk, at) {
        let written = 0;
        // A full disk may show as a short write instead of an error.
        while (written < chunk.length) {
          const more = access.write(ownBytes(chunk.subarray(written)), { at: at + written });
          if (more <= 0) throw failed('storage_full', 'There is no space left in this browser.');
          written += more;
        }
      },
      close() {
        access.flush();
        access.close();
      },
      abort: () => access.close(),
    };
  },
  async publish(file, folder, name) {
    if (!isMovable(file)) throw unable('rename stored files');
    await file.move(folder, name);
  },
};

/** Where there is no sync access handle but `createWritable`, whose `close` swaps the file in as a whole. */
export const writableWriter: OpfsWriter = {
  kind: 'opfs-writable',
  async open(file) {
    const stream = await file.createWritable();
    return {
      write: (chunk) => stream.write(ownBytes(chunk)),
      close: () => stream.close(),
      abort: () => stream.abort().catch(() => undefined),
    };
  },
  async publish(file, folder, name) {
    if (isMovable(file)) {
      await file.move(folder, name);
      return;
    }
    const target = await folder.getFileHandle(name, { create: true });
    const stream = await target.createWritable();
    try {
      for await (const chunk of blobRange(await file.getFile())) await stream.write(ownBytes(chunk));
      await stream.close();
    } catch (error) {
      await stream.abort().catch(() => undefined);
      await folder.removeEntry(name).catch(() => undefined);
      throw error;
    }
  },
};

/** A page of a browser that writes in workers only: it reads what they wrote. */
export const readOnlyWriter: OpfsWriter = {
  kind: 'opfs-readonly',
  open: () => Promise.reject(unable('write stored files in a page, only in workers')),
  publish: () => Promise.reject(unable('write stored files in a page, only in workers')),
};

function unable(what: string): AccessionError {
  return failed('storage_failed', `This browser cannot ${what}.`);
}

/** SHA-256 by the browser; undefined where the page is no secure context, which has none. */
export function platformDigest(): WholeDigest | undefined {
  const subtle: SubtleCrypto | undefined = globalThis.crypto.subtle;
  if (subtle === undefined) return undefined;
  return {
    // Most tracks are smaller.
    most: 64 * 1024 ** 2,
    digest: async (bytes) =>
      [...new Uint8Array(await subtle.digest('SHA-256', bytes))]
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join(''),
  };
}

const HASH = /^[0-9a-f]{64}$/;
const HASH_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export class OpfsBlobStore implements BrowserBlobStore {
  readonly kind: OpfsWriter['kind'];
  readonly #tmp: FileSystemDirectoryHandle;
  readonly #blobs: FileSystemDirectoryHandle;
  readonly #writer: OpfsWriter;

  private constructor(tmp: FileSystemDirectoryHandle, blobs: FileSystemDirectoryHandle, writer: OpfsWriter) {
    this.#tmp = tmp;
    this.#blobs = blobs;
    this.#writer = writer;
    this.kind = writer.kind;
  }

  static async open(root: FileSystemDirectoryHandle, writer: OpfsWriter): Promise<OpfsBlobStore> {
    const tmp = await root.getDirectoryHandle('tmp', { create: true });
    const blobs = await root.getDirectoryHandle('sha256', { create: true });
    return new OpfsBlobStore(tmp, blobs, writer);
  }

  put(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel, expected?: number): Promise<BlobRef> {
    return this.#store((write) => writeHashed(chunks, write, { cancel, expected, digestWhole: platformDigest() }));
  }

  keep(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel): Promise<BlobRef> {
    return this.#store(async (write) => ({ sha256: ownName(), size: await writeCounted(chunks, write, cancel) }));
  }

  async #store(work: (write: Write) => Promise<BlobRef>): Promise<BlobRef> {
    const name = crypto.randomUUID();
    try {
      const handle = await this.#tmp.getFileHandle(name, { create: true });
      const ref = await written(this.#writer, handle, work);
      await this.#publish(handle, ref);
      return ref;
    } catch (error) {
      throw storageFailure(error);
    } finally {
      await removeQuietly(this.#tmp, name);
    }
  }

  async size(sha256: string): Promise<number | null> {
    return (await this.#find(sha256))?.size ?? null;
  }

  async *read(sha256: string, start?: number, end?: number): AsyncIterable<Uint8Array> {
    yield* blobRange(await this.file(sha256), start, end);
  }

  async file(sha256: string): Promise<Blob> {
    const file = await this.#find(sha256);
    if (file === null) throw missingBlob(sha256);
    return file;
  }

  async delete(sha256: string): Promise<void> {
    try {
      await this.#blobs.removeEntry(sha256);
    } catch (error) {
      if (!isNotFound(error)) throw storageFailure(error);
    }
  }

  async *list(): AsyncIterable<BlobRef> {
    for await (const name of this.#blobs.keys()) {
      const size = HASH.test(name) ? await this.size(name) : null;
      if (size !== null) yield { sha256: name, size };
    }
  }

  async collectGarbage(
    referenced: ReadonlySet<string>,
    grace = defaultGrace(Date.now()),
  ): Promise<{ files: number; bytes: number }> {
    const collected = { files: 0, bytes: 0 };
    const collect = async (
      folder: FileSystemDirectoryHandle,
      keepMs: number,
      keep: (name: string) => boolean,
    ): Promise<void> => {
      for (const name of await names(folder)) {
        const file = keep(name) ? null : await find(folder, name);
        // A file that is being written is locked: removing it fails, and it stays.
        if (file === null || grace.now - file.lastModified < keepMs || !(await removeQuietly(folder, name))) continue;
        collected.files += 1;
        collected.bytes += file.size;
      }
    };
    await collect(this.#tmp, grace.temporaryMs, () => false);
    await collect(this.#blobs, grace.temporaryMs, (name) => HASH.test(name));
    await collect(this.#blobs, grace.blobMs, (name) => !HASH.test(name) || referenced.has(name));
    return collected;
  }

  /** One at a time for each name, over all tabs: the same file may be dropped twice at once. */
  async #publish(handle: FileSystemFileHandle, { sha256, size }: BlobRef): Promise<void> {
    const publish = async (): Promise<void> => {
      // The very same bytes may be there already, and somebody may be reading them: they stay.
      if ((await this.size(sha256)) !== size) await this.#writer.publish(handle, this.#blobs, sha256);
    };
    await ('locks' in navigator ? navigator.locks.request(`accession-blob-${sha256}`, publish) : publish());
  }

  /** Without `move`, a kill while a blob is published leaves an empty file under its name: that is no blob. */
  async #find(sha256: string): Promise<File | null> {
    const file = await find(this.#blobs, sha256);
    return file?.size === 0 && sha256 !== HASH_OF_NOTHING ? null : file;
  }
}

/** Lets `work` write the file, which is flushed to disk then. */
export async function written<T>(
  writer: OpfsWriter,
  handle: FileSystemFileHandle,
  work: (write: Write) => Promise<T>,
): Promise<T> {
  const sink = await writer.open(handle);
  try {
    const made = await work((chunk, at) => sink.write(chunk, at));
    await sink.close();
    return made;
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

async function names(folder: FileSystemDirectoryHandle): Promise<string[]> {
  const all: string[] = [];
  for await (const name of folder.keys()) all.push(name);
  return all;
}

export async function find(folder: FileSystemDirectoryHandle, name: string): Promise<File | null> {
  try {
    return await (await folder.getFileHandle(name)).getFile();
  } catch (error) {
    if (isNotFound(error)) return null;
    throw storageFailure(error);
  }
}

/** True when it is gone by our hand. */
async function removeQuietly(folder: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await folder.removeEntry(name);
    return true;
  } catch {
    // Renamed away, removed by another tab, or locked: collected another time.
    return false;
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof Error && error.name === 'NotFoundError';
}
