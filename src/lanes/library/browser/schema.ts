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

/** A tool in YAML, as the person gave it. History: 1 first form. */
export interface LibraryToolRow {
  /** Its file's name. */
  file: string;
  text: string;
}

/** A question that was asked, and its answer. History: 1 first form. */
export interface LibraryAskRow {
  id: string;
  question: string;
  task: string | null;
  /** The question that it follows on from. */
  after?: string | null;
  /** Ids of the folders that were asked; empty: all. */
  folders: string[];
  /** How it was asked beside that, so that it can be asked again so; absent in rows of before, and where it was played back. */
  how?: { profile: 'vector' | 'hybrid' | 'bm25'; tools: string[]; domains: string[] };
  /** Milliseconds since the epoch. */
  asked_at: number;
  /** `open`: begun and without an answer, whether somebody works on it or not. */
  status: 'open' | 'answered' | 'partial' | 'abstained' | 'failed';
  /** `ollama/llama3`; null: none was asked. */
  model: string | null;
  /** It was not asked here, but played back from a transcript. */
  played?: boolean;
  /** Why it failed, a sentence. */
  why: string | null;
  /** An Answer (core/ask/answer), read whole when it is shown. */
  answer: unknown;
  /** Where each source stands: its folder and path, by `source_id`. */
  places: Readonly<Record<string, { folder: string; path: string }>>;
}

/** A piece of a run's transcript: whole lines. History: 1 first form. */
export interface LibraryAskLinesRow {
  run: string;
  /** From 0. */
  n: number;
  text: string;
}

declare module '#adapters/browser/db.ts' {
  interface AccessionDb {
    library_folders: Table<LibraryFolderRow, string>;
    library_agents: Table<LibraryAgentRow, string>;
    library_tools: Table<LibraryToolRow, string>;
    library_asks: Table<LibraryAskRow, string>;
    library_ask_lines: Table<LibraryAskLinesRow, [string, number]>;
  }
}

export const tables: readonly TableVersion[] = [
  { since: 10, stores: { library_folders: 'id, added_at' } },
  { since: 11, stores: { library_agents: 'file' } },
  { since: 12, stores: { library_asks: 'id, asked_at', library_ask_lines: '[run+n], run' } },
  { since: 15, stores: { library_tools: 'file' } },
];
