import type { Failure } from '../errors.ts';
import type { ArchiveKind } from './file-kinds.ts';
import type { ArchiveLimits, Expansion } from './limits.ts';
import type { Cancel } from '../ports.ts';

/** One entry that can be read. */
export interface ArchiveEntry {
  ok: true;
  /** Path inside the archive, made safe and unique. */
  path: string;
  /** Bytes, as declared. */
  size: number;
  /** What was repaired in its name. */
  repairs: string[];
  /** Its content, checked while it is read: CRC, real size, limits, overlap. Throws AccessionError; can be called once. */
  chunks(cancel?: Cancel): AsyncIterable<Uint8Array>;
  /** Of a protected entry: whether the password fits, without reading it. One wrong password in 256 may pass (ZipCrypto). */
  unlocks?(): Promise<boolean>;
}

/** One entry that cannot. */
export interface ArchiveRefusal {
  ok: false;
  path: string;
  size: number;
  /** As it is called in the archive. */
  name: string;
  failure: Failure;
}

export type ArchiveItem = ArchiveEntry | ArchiveRefusal;

export interface OpenArchive {
  kind: ArchiveKind;
  /** Every file of the archive in its order, folders left out. */
  items: ArchiveItem[];
  close(): Promise<void>;
}

export interface ArchiveOptions {
  /** The archive's name, for messages. */
  name: string;
  limits: ArchiveLimits;
  /** 1 for a dropped archive, 2 for a ZIP inside it. */
  depth?: number;
  /** What the dropped archive has used up; shared with the archives inside it. */
  used?: Expansion;
  /** Opens what is protected. Kept in memory, and in no message. */
  password?: string;
}

/** The same with every gap filled. */
export interface Opening extends ArchiveOptions {
  used: Expansion;
}
