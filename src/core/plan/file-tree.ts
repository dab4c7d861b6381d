/** A real folder, as the executor of a rename plan needs it. Adapters: memory, Node, File System Access API. */
import type { Cancel } from '../ports.ts';

export interface TreeEntry {
  /** Below the folder, `/` separated, without a leading slash; as the file system spells it. */
  path: string;
  /** `other`: a symbolic link, a device: it has its name and is never moved or followed. From `stat` alone, never listed. */
  kind: 'file' | 'directory' | 'other';
  /** Bytes; 0 for what is no file. */
  size: number;
  /** Milliseconds since the epoch; 0 where unknown. */
  modified: number;
}

/** How names behave there. */
export interface TreeRules {
  caseSensitive: boolean;
  unicode: 'preserve' | 'nfc-insensitive';
  /** The file system keeps names by the rules of Windows, on whatever computer. */
  windowsNames: boolean;
  /**
   * How long a name and a path below the folder may be. Without it: 255 and what the system usually takes, in UTF-16
   * units with `windowsNames` and in bytes of UTF-8 otherwise.
   */
  limits?: { name: number; path: number; unit: 'bytes' | 'units' };
}

export interface FileTree {
  readonly rules: TreeRules;
  /** Everything below the folder, in any order. Symbolic links are neither followed nor listed. */
  list(cancel?: Cancel): AsyncIterable<TreeEntry>;
  stat(path: string): Promise<TreeEntry | null>;
  /** With its parents; no error when it is there. */
  makeDirectory(path: string): Promise<void>;
  /** Removes an empty directory; false when it is not empty or not there. */
  removeDirectory(path: string): Promise<boolean>;
  /**
   * Moves a file inside the folder and never onto another file: throws AccessionError `conflict` when `to` is occupied,
   * `not_found` when `from` is gone, `file_unreadable` for anything that the system refuses.
   */
  move(from: string, to: string): Promise<void>;
  /**
   * Makes whole what a crash in the middle of `move(from, to)` left: where both names hold the same file, one of them
   * goes; a half copy goes. Touches nothing else, and nothing where it is not sure. Needed where `move` is not atomic.
   */
  settle?(from: string, to: string): Promise<void>;
  /**
   * Gives a file another content, all of it or none, whatever happens: throws `not_found` where there is no such file.
   * Needed by plans that write into files.
   *
   * @param modified milliseconds since the epoch that the file is to say, where the system lets that be set; else now
   */
  replace?(path: string, content: Uint8Array<ArrayBuffer>, modified?: number): Promise<void>;
  /** Takes away what a crash in the middle of `replace` left beside the file. */
  settleReplace?(path: string): Promise<void>;
  /**
   * Makes a file, its folder being there: all of it or none. Throws `conflict` where something has the name. Needed by
   * plans that keep a list of what they did in the folder.
   */
  create?(path: string, content: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Bytes of a file, for a check by hash. */
  read(path: string): AsyncIterable<Uint8Array>;
  /** Bytes from anywhere in a file, for a look at its head; null where there is no such file. Who opens it closes it. */
  open?(path: string): Promise<OpenFile | null>;
}

export interface OpenFile {
  /** Bytes. */
  size: number;
  /** [start, end), fewer where the file ends. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** Milliseconds; 0 is unknown. */
export function sameTime(a: number, b: number): boolean {
  return a === b || a === 0 || b === 0;
}
