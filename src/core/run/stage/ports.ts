/** What taking files in needs of where it happens. */
import type { Failure } from '../../errors.ts';
import type { ArchiveOptions, OpenArchive } from '../../ingest/archive.types.ts';
import type { FileKind } from '../../ingest/file-kinds.ts';
import type { ArchiveLimits } from '../../ingest/limits.ts';
import type { IngesterRegistry } from '../../ingest/registry.ts';
import type { ApplyContext } from '../../job/apply.ts';
import type { BlobRef, BlobStore, Cancel } from '../../ports.ts';
import type { JobStore } from '../job-store.ts';

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
  /** Path of the archive it lies in. */
  inside?: string;
  /** The failed row of an earlier try, which this try takes the place of. */
  replaces?: string;
  /** The job that the server has made for it already. */
  job_id?: string;
  /** Where it is in the blob store already. */
  stored?: BlobRef;
  /** Of a loose file: an archive is listed before it is stored. */
  list?(options: ArchiveOptions): Promise<OpenArchive>;
  /** What it is by its first bytes. Call it before `chunks`. Throws AccessionError `file_unreadable` or `archive_*`. */
  kind(): Promise<FileKind>;
  /** Its whole content, once. Throws as `kind`. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Lets go of what is half read. */
  release(): Promise<void>;
}

/** A loose file of a drop or an upload; it is opened when its turn comes. */
export interface LooseFile {
  /** Path inside the drop, `/` separated. */
  path: string;
  /** Bytes. */
  size: number;
  /** `path`: inside the batch. Throws AccessionError where it cannot be had. */
  open(path: string): Promise<Incoming> | Incoming;
}

export interface StageBlobs extends BlobStore {
  /**
   * Stores what is only kept for a while, an archive until it is unpacked, as `put` does but under a name of its own
   * and not under its hash: hashing gigabytes that are hashed again file by file costs as much as unpacking them.
   */
  keep(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel): Promise<BlobRef>;
}

/** Who stages which batch, over everybody who shares the store. */
export interface StageLocks {
  /** Runs `work` while nobody else stages the batch. */
  run<T>(batchId: string, work: () => Promise<T>): Promise<T>;
  /** The same, unless it is being staged now: then nothing runs, and false. */
  runIfFree(batchId: string, work: () => Promise<void>): Promise<boolean>;
}

/** Before what is read of one batch: shut while the person paused work, until the batch is cancelled. */
export interface Gate {
  readonly closed: boolean;
  /** Resolves when it is open. */
  opens(): Promise<void>;
  /** Nothing more of the batch is read. */
  end(): void;
}

export interface StagePorts extends ApplyContext {
  store: JobStore;
  blobs: StageBlobs;
  registry: IngesterRegistry;
  locks: StageLocks;
  /** Lists an archive in the blob store. Throws AccessionError `archive_*`. */
  openArchive(sha256: string, options: ArchiveOptions): Promise<OpenArchive>;
  /** A text file whose encoding nobody wrote down. */
  decodeText(bytes: Uint8Array): string;
  /** As the person set them; asked once a batch. */
  limits(): Promise<ArchiveLimits>;
  /** Bytes that can still be stored, as far as anybody knows; null when nobody does. */
  freeBytes(): Promise<number | null>;
  /** A full disk as it is shown to a person. `then`: what to press when space is free. */
  noSpace(what: string, wanted: number, words: { subject: string; then: string; why?: string }): Promise<Failure>;
  /** What a local failure (no space) means: the file is a failed row, or the upload is left to another worker. */
  onLocalFailure(failure: Failure): 'fail' | 'stop';
  /** `cancel` is set when the batch is cancelled, by whoever. Without a gate nobody pauses. */
  gate?(batchId: string, cancel: { aborted: boolean }): Gate;
  /** Says how many bytes of a batch are read in. */
  report?(batchId: string, done: number, total: number): void;
  /** Something was taken in. */
  notify(): void;
  /** Called after each file. */
  taken?(): Promise<void>;
  /** Archives have jobs of their own (files that were uploaded to the server). */
  archivesAreJobs?: boolean;
}
