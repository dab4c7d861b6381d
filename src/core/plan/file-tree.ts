/** A real folder, as the executor of a rename plan needs it. Adapters: memory, Node, File System Access API. */
import type { Cancel } from '../ports.ts';

export interface TreeEntry {
  /** Below the folder, `/` separated, without a leading slash; as the file system spells it. */
  path: string;
  kind: 'file' | 'directory';
  /** Bytes; 0 for a directory. */
  size: number;
  /** Milliseconds since the epoch; 0 where unknown. */
  modified: number;
}

/** How names behave there. */
export interface TreeRules {
  caseSensitive: boolean;
  unicode: 'preserve' | 'nfc-insensitive';
  /** Names that Windows refuses are refused: reserved words, `<>:"|?*\`, a dot or space at the end. */
  windowsNames: boolean;
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
  /** Bytes of a file, for a check by hash. */
  read(path: string): AsyncIterable<Uint8Array>;
}
