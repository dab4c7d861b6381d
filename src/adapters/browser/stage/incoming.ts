import { kindOfFile } from '#core/ingest/kind-of-file.ts';
import { HEAD_BYTES, sniff } from '#core/ingest/sniff.ts';
import type { FileKind } from '#core/ingest/file-kinds.ts';
import { baseName } from '#core/ingest/paths.ts';
import type { Cancel } from '#core/ports.ts';
import type { ArchiveEntry } from '../../media/archive/archive.types.ts';
import { blobChunks, readSlice } from '../blob-chunks.ts';

/** A file on its way in, loose or from an archive. */
export interface Incoming {
  /** Path inside the batch. */
  path: string;
  /** As it was called on arrival. */
  name: string;
  /** Bytes. */
  size: number;
  /** Name of the archive it comes from. */
  from: string | null;
  /** What was repaired in its name. */
  repairs: string[];
  /** The file itself where it lies loose: an archive is looked at before it is stored. */
  blob: Blob | null;
  /** Path of the archive it lies in. */
  inside?: string;
  /** The failed row of an earlier try, which this try takes the place of. */
  replaces?: string;
  /** What it is by its first bytes. Call it before `chunks`. */
  kind(): Promise<FileKind>;
  /** Its whole content, once. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Lets go of what is half read. */
  release(): Promise<void>;
}

/** Throws AccessionError `file_unreadable` from `kind` and `chunks`. */
export function looseFile(path: string, file: Blob): Incoming {
  const name = baseName(path);
  const bytes = async (start: number): Promise<Uint8Array> =>
    new Uint8Array(await readSlice(file, start, start + HEAD_BYTES, name));
  return {
    path,
    name,
    size: file.size,
    from: null,
    repairs: [],
    blob: file,
    kind: () => kindOfFile(bytes, file.size),
    chunks: () => blobChunks(file, name),
    release: () => Promise.resolve(),
  };
}

/** Throws what reading the entry throws (`archive_*`) from `kind` and `chunks`. */
export function entryFile(path: string, entry: ArchiveEntry, from: string, cancel: Cancel): Incoming {
  const source = entry.chunks(cancel)[Symbol.asyncIterator]();
  const peeked: Uint8Array[] = [];
  return {
    path,
    name: baseName(path),
    size: entry.size,
    from,
    repairs: entry.repairs,
    blob: null,
    async kind() {
      let length = 0;
      while (length < HEAD_BYTES) {
        const next = await source.next();
        if (next.done === true) break;
        // The reader may use its buffer again.
        peeked.push(next.value.slice());
        length += next.value.length;
      }
      return sniff(joined(peeked).subarray(0, HEAD_BYTES));
    },
    async *chunks() {
      yield* peeked.splice(0);
      for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
    },
    async release() {
      await source.return?.();
    },
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
