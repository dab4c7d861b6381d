import type { Table } from 'dexie';
import type { TableVersion } from '#adapters/browser/db.ts';
import type { EndState } from '#lanes/playbooks/core/run/states.ts';

/** A playbook that the person has here. History of `schema_version`: 1, first form. */
export interface PlaybookRow {
  schema_version: 1;
  id: string;
  name: string;
  text: string;
  /** Values of its config by key, as the person typed them: YAML. */
  values: Record<string, string>;
  changed_at: number;
  /** One that ships, with recorded answers; null: the person's own. */
  shipped: string | null;
  /** A folder of the disk that its runs read and write; absent: files of this browser. */
  folder?: FileSystemDirectoryHandle;
  /** To which hosts its steps may turn: the person's word for the text of this hash, and no other. */
  agreed?: { sha256: string; domains: string[] };
  /** Hashes of free code that its steps may run: each is agreed to once. */
  agreed_code?: string[];
}

/** A run, as lists show it; what it did is in its journal. History of `schema_version`: 1, first form. */
export interface PlaybookRunRow {
  schema_version: 1;
  id: string;
  /** The playbook that it is of; it may be gone. */
  book: string;
  name: string;
  begun_at: number;
  /** `open`: it runs, or was cut off; `paused`: by the person, or for want of space. */
  state: EndState | 'open' | 'paused';
  /** `ollama/qwen3:8b`; `recorded`: answers that were recorded. */
  model: string;
  /** The folder of the disk that it reads and writes; absent: a root of its own in this browser. */
  folder?: FileSystemDirectoryHandle;
  /** Where its journal is: in that folder; absent: in this browser, as of all runs of earlier releases. */
  journal?: 'folder';
  /** Of such a run: when more of its journal was in the folder, so that who looks at it looks again. */
  grown_at?: number;
  /** Paths of the files that it was begun with; runs of the first releases do not say. */
  given?: readonly string[];
}

/** A part of a file's text; appended parts follow the first. `root`: `book:ID` or `run:ID`. */
export interface PlaybookFileRow {
  root: string;
  path: string;
  part: number;
  text: string;
}

/** Lines of a run's journal that became durable together. */
export interface PlaybookLinesRow {
  run: string;
  n: number;
  text: string;
}

declare module '#adapters/browser/db.ts' {
  interface AccessionDb {
    playbook_books: Table<PlaybookRow, string>;
    playbook_runs: Table<PlaybookRunRow, string>;
    playbook_files: Table<PlaybookFileRow, [string, string, number]>;
    playbook_lines: Table<PlaybookLinesRow, [string, number]>;
  }
}

export const tables: readonly TableVersion[] = [
  {
    since: 18,
    stores: {
      playbook_books: 'id, changed_at',
      playbook_runs: 'id, begun_at, book',
      playbook_files: '[root+path+part], root',
      playbook_lines: '[run+n]',
    },
  },
];
