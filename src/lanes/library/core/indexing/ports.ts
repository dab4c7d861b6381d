/** What the indexer needs of the world. */
import type { IngesterRegistry } from '#core/ingest/registry.ts';
import type { AgentTimers } from '#core/ingest/read-chunks.ts';
import type { ReadFile } from '../index/file-record.ts';
import type { KnownFile } from './thread-messages.ts';
import type { TextDecoding } from './decode.ts';
import type { Cancel, Clock, Ids } from '#core/ports.ts';

/** An entry of a directory. A link is never followed: it may lead in a circle or out of the folder. */
export interface FolderEntry {
  name: string;
  kind: 'file' | 'directory' | 'link' | 'other';
  /** Bytes; 0 of what is no file. */
  size: number;
  /** Milliseconds since the epoch; 0 of what is no file. */
  modified: number;
}

/** A file's bytes, and its size and time as they were when they were read. */
export interface FileBytes {
  bytes: Uint8Array;
  modified: number;
}

/** A folder that is read and never written. Paths are below it, `/` separated; '' is the folder itself. */
export interface FolderSource {
  /** Rejects where the directory cannot be read. */
  list(directory: string): Promise<FolderEntry[]>;
  /** Null where the file is gone. Rejects where it may not be read, or does not stay the same while it is read. */
  read(path: string): Promise<FileBytes | null>;
}

/** Segments and the manifest of one library. A manifest is replaced whole or not at all, also by a crash. */
export interface LibraryStore {
  /** Null where there is none. What it says is parsed by whoever asks. */
  readManifest(): Promise<unknown>;
  writeManifest(manifest: unknown): Promise<void>;
  /** On the disk when it resolves. */
  writeSegment(id: string, pieces: readonly Uint8Array[]): Promise<void>;
  /** Null where there is none of this id. */
  readSegment(id: string): Promise<ArrayBuffer | null>;
  listSegments(): Promise<string[]>;
  /** No error where there is none. */
  removeSegment(id: string): Promise<void>;
}

export interface IndexingPorts {
  folder: FolderSource;
  store: LibraryStore;
  /** The agents in force now: another registry where they have changed since. */
  registry(): IngesterRegistry;
  clock: Clock;
  ids: Ids;
  timers: AgentTimers;
  /** Lower-case hex SHA-256. */
  hash(bytes: Uint8Array): Promise<string>;
  decode: TextDecoding;
  /** Reads a file elsewhere (reading-pool.ts), so many at once; absent: here, one after the other. */
  elsewhere?: { read(known: KnownFile, bytes: Uint8Array): Promise<ReadFile | null>; atOnce: number };
  /** Resolves when the indexer may go on: at once, or when a pause ends. */
  mayGoOn?(): Promise<void>;
  cancel?: Cancel;
  /** Called often; whoever shows it decides how often it does. */
  onProgress?(progress: IndexProgress): void;
}

export interface IndexProgress {
  /** `vectors`: `found` and `done` count passages. */
  phase: 'looking' | 'reading' | 'vectors' | 'done';
  /** Files that belong to the library. */
  found: number;
  /** Of them: known to be unchanged, or read by now. */
  done: number;
  /** Read in this run, a copy of something known included. */
  read: number;
  chunks: number;
  /** What was last read. */
  path: string;
}
