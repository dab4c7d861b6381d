/** What the core needs from the world, named by need. Adapters are in src/adapters, one a file. */

/** Milliseconds since the epoch (UTC). */
export interface Clock {
  now(): number;
}

export interface Ids {
  /** A new globally unique id, safe in URLs and file names. */
  next(): string;
}

/** A wish to stop. AbortSignal fits it; the core has no DOM types. */
export interface Cancel {
  readonly aborted: boolean;
}

export interface BlobRef {
  /** Lower-case hex SHA-256 of the content; also its name. */
  sha256: string;
  /** Bytes. */
  size: number;
}

/**
 * Content-addressed bytes. `put` writes to a temporary name, flushes, hashes and only then renames,
 * so a torn blob never has a final name. Conformance: tests/contract/blob-store.ts.
 */
export interface BlobStore {
  /**
   * `expected` is how many bytes are to come, as far as anybody knows. Throws AccessionError `storage_full`, `cancelled`
   * or `storage_failed`; leaves nothing behind then.
   */
  put(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel, expected?: number): Promise<BlobRef>;
  /** Size in bytes, or null where there is no such blob. */
  size(sha256: string): Promise<number | null>;
  /** Bytes [start, end). Throws AccessionError `blob_missing`. */
  read(sha256: string, start?: number, end?: number): AsyncIterable<Uint8Array>;
  /** No error where there is no such blob. */
  delete(sha256: string): Promise<void>;
  list(): AsyncIterable<BlobRef>;
}

/** An upload on its way in. */
export interface StoredUpload {
  sha256: string;
  /** When it last got bytes, milliseconds since the epoch. */
  touched_at: number;
  /** When it was begun, milliseconds since the epoch; null where that is not known. */
  begun_at: number | null;
  /** Bytes that were announced, or those that are here where it is not known. */
  size: number;
  /** Who began it, where that is known. */
  user_id: string | null;
}

/**
 * The catalog server's audio: uploads on their way in, named by the SHA-256 that was announced for them,
 * and the media directory. Paths are relative, `/` separated, already made safe (server/ingest/catalog-path.ts).
 */
/** Where the server's files are: audio that is published, audio that was replaced or taken back, PDFs of records. */
export const MEDIA_ROOTS = ['media', 'media-former', 'documents/contents'] as const;
export type MediaRoot = (typeof MEDIA_ROOTS)[number];

/** A file as it is now. */
export interface FileState {
  /** Bytes. */
  size: number;
  /** Another one as soon as somebody has written to the file, or put another one in its place. */
  mark: string;
}

export interface MediaStore {
  /** What has arrived of an upload, or null. `complete` says that every announced byte is there, not that it is right. */
  upload(sha256: string): Promise<(StoredUpload & { received: number; complete: boolean }) | null>;
  readUpload(sha256: string): AsyncIterable<Uint8Array>;
  listUploads(): Promise<StoredUpload[]>;
  /** No error where there is no such upload. */
  removeUpload(sha256: string): Promise<void>;
  /** Puts a finished upload under `path` too, durably. Never overwrites: false when something is there already. */
  place(sha256: string, path: string, root?: MediaRoot): Promise<boolean>;
  /** Makes an upload of bytes from elsewhere. Nothing is kept where they have another SHA-256: false. */
  putUpload(sha256: string, chunks: AsyncIterable<Uint8Array>): Promise<boolean>;
  /** Makes an upload of a file that was placed before: the same audio, wanted under a second path. */
  adopt(path: string, sha256: string): Promise<void>;
  /** The same for a file that was retired. False where it is gone. */
  adoptFormer(formerPath: string, sha256: string): Promise<boolean>;
  /** Bytes, or null where there is no such file. */
  size(path: string): Promise<number | null>;
  /** The same with a mark, or null. */
  state(path: string, root?: MediaRoot): Promise<FileState | null>;
  /** Bytes [start, end) of a placed file. */
  read(path: string, start: number, end: number, root?: MediaRoot): AsyncIterable<Uint8Array>;
  /** The path of every file. */
  list(root: MediaRoot): AsyncIterable<string>;
  /** Moves a damaged file away, to be looked at; its name is free then. No error where there is none. */
  setAside(path: string, root: MediaRoot): Promise<void>;
  /** No error where there is no such file. */
  remove(path: string, root?: MediaRoot): Promise<void>;
  /** Moves a placed file out of the media directory, to be kept. No error when that was done before. */
  retire(path: string, formerPath: string): Promise<void>;
}
