import type { Table } from 'dexie';
import type { TableVersion } from '#adapters/browser/db.ts';

/** A folder of the library. History: 1 first form. */
export interface LibraryFolderRow {
  id: string;
  name: string;
  /** Null for files that were dropped or chosen: they are read once, and given again to be read anew. */
  handle: FileSystemDirectoryHandle | null;
  /** Milliseconds since the epoch. */
  added_at: number;
  /** Of its index (core/indexing/manifest.ts); null before anything was written. */
  manifest: unknown;
  /** Of the index, for lists: files with text, and their chunks. */
  files: number;
  chunks: number;
}

/** An agent in Markdown, as the person gave it. History: 1 first form. */
export interface LibraryAgentRow {
  /** Its file's name. */
  file: string;
  text: string;
}

declare module '#adapters/browser/db.ts' {
  interface AccessionDb {
    library_folders: Table<LibraryFolderRow, string>;
    library_agents: Table<LibraryAgentRow, string>;
  }
}

export const tables: readonly TableVersion[] = [
  { since: 10, stores: { library_folders: 'id, added_at' } },
  { since: 11, stores: { library_agents: 'file' } },
];
