import { AccessionError, type Failure } from '#core/errors.ts';
import { kindOfFile, HEAD_BYTES } from '#core/ingest/sniff.ts';
import { baseName } from '#core/ingest/paths.ts';
import type { Incoming, StageBlobs, StagePorts } from '#core/run/stage/ports.ts';
import { openArchive } from './archive/open.ts';
import { blobChunks, readSlice } from './blob-pieces.ts';
import { decodeTextFile } from './legacy-text.ts';

/** A store whose blobs can be read as files. */
export interface FileBlobs extends StageBlobs {
  /** Not loaded. Throws AccessionError `blob_missing`. */
  file(sha256: string): Promise<Blob>;
}

/** A file that lies loose in a drop or an upload. Throws AccessionError `file_unreadable` from `kind` and `chunks`. */
export function looseFile(path: string, file: Blob, known: Pick<Incoming, 'job_id' | 'stored'> = {}): Incoming {
  const name = baseName(path);
  const bytes = async (start: number): Promise<Uint8Array> =>
    new Uint8Array(await readSlice(file, start, start + HEAD_BYTES, name));
  return {
    ...{ path, name, size: file.size, from: null, repairs: [] },
    ...known,
    list: (options) => openArchive(file, options),
    kind: () => kindOfFile(bytes, file.size),
    chunks: () => blobChunks(file, name),
    release: () => Promise.resolve(),
  };
}

/** A file of an upload that the server does not have any more: reading it fails with why. */
export function lostFile(path: string, size: number, why: Failure, job_id: string): Incoming {
  const fails = (): Promise<never> => Promise.reject(new AccessionError(why));
  return {
    ...{ path, name: baseName(path), size, from: null, repairs: [], job_id },
    list: fails,
    kind: fails,
    chunks: async function* () {
      yield await fails();
    },
    release: () => Promise.resolve(),
  };
}

/** How staging reads archives and texts. */
export function readers(blobs: Pick<FileBlobs, 'file'>): Pick<StagePorts, 'openArchive' | 'decodeText'> {
  return {
    openArchive: async (sha256, options) => openArchive(await blobs.file(sha256), options),
    decodeText: decodeTextFile,
  };
}
