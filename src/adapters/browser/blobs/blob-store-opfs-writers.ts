import { AccessionError, failure } from '#core/errors.ts';
import { blobRange } from '../../media/blob-pieces.ts';
import { ownBytes } from '../../media/blob-chunks.ts';

/** How a file of the origin private file system is written and given its final name. */
export interface OpfsWriter {
  readonly kind: 'opfs-sync' | 'opfs-writable' | 'opfs-readonly';
  open(file: FileSystemFileHandle): Promise<OpfsSink>;
  /** Gives the finished file its name. Atomic: the name is there with all bytes, or not at all. */
  publish(file: FileSystemFileHandle, folder: FileSystemDirectoryHandle, name: string): Promise<void>;
}

export interface OpfsSink {
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
          if (more <= 0) throw new AccessionError(failure('storage_full', 'There is no space left in this browser.'));
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
  return new AccessionError(failure('storage_failed', `This browser cannot ${what}.`));
}
