/**
 * The library in the catalog's database:
 *
 *   library_folders --< library_files -- library_texts     a file's text, chunks and pieces: a segment of one file
 *         |                   |--------< library_pieces    what is looked up, with how often it has each token
 *         |                   |                `- library_tokens   FTS5 or tsvector with GIN, under the piece's id
 *         |                   |--------- library_documents what the file says of itself, or a manifest of documents
 *         |                   |--------- library_vectors   of its pieces, in their order, by one model
 *         |                   `--------< library_names     symbols; `library_grams`: pairs of letters of their names
 *         |--< library_terms      how many pieces of the folder have a token
 *         `--< library_readers    who sees it
 *
 * All of it is made from the folders, so that no backup has it.
 */
import { migration, type Migrations } from '#server/store/migrate.ts';

/** A folder of accession.toml. */
export interface LibraryFolderTable {
  id: string;
  name: string;
  /** Of the machine; in no answer. */
  path: string;
  /** Of the run under way, or the last one: files that belong to the library, and those that are read or known. */
  found: number;
  done: number;
  /** What was last read in the run under way. */
  reading: string;
  files: number;
  chunks: number;
  pieces: number;
  /** Of all pieces. */
  words: number;
  failures: number;
  /** JSON: how many were left out, by reason. */
  left_out: string;
  /** Why the last run came to nothing, a sentence. */
  error: string | null;
  /** When it was last looked through to the end. */
  completed_at: number | null;
  /** When it is looked through again. */
  due_at: number;
  /** Whoever indexes it. */
  lease_id: string | null;
  lease_until: number | null;
  /** 1: accession.toml no longer names it; nobody sees it, and its rows are taken away. */
  removed: number;
}

export interface LibraryReaderTable {
  folder_id: string;
  kind: 'scope' | 'person';
  /** A permission; the id or the name of a person. */
  who: string;
}

export interface LibraryFileTable {
  id: number;
  folder_id: string;
  path: string;
  size: number;
  modified: number;
  sha256: string;
  agent_id: string;
  agent_key: string;
  capability: string;
  language: string;
  encoding: string;
  /** 1: no text; it is only remembered. */
  no_text: number;
  /** JSON array of sentences. */
  warnings: string;
  /** Why it could not be read; null: it was. */
  failed: string | null;
  chunks: number;
}

export interface LibraryPieceTable {
  id: number;
  folder_id: string;
  file_id: number;
  /** Its number in the file's segment. */
  piece: number;
  words: number;
  /** ` token count token count `, blanks at both ends. */
  counts: string;
}

export interface LibraryNameTable {
  id: number;
  folder_id: string;
  file_id: number;
  name: string;
  qualified: string;
  chunk_type: string;
  line: number;
}

export interface LibraryVectorTable {
  file_id: number;
  folder_id: string;
  /** Provider and model: vectors of two names are never compared. */
  model: string;
  dimension: number;
  pieces: number;
  /** Of each piece its scale (32-bit float, little-endian) and `dimension` 8-bit numbers. */
  vectors: Uint8Array;
}

export interface LibraryDocumentTable {
  file_id: number;
  folder_id: string;
  /** `own`: which document the file says it is; `manifest`, `state`: what it says of other files. */
  kind: 'own' | 'manifest' | 'state';
  /** JSON. */
  said: string;
}

declare module '#server/store/schema.ts' {
  interface Database {
    library_folders: LibraryFolderTable;
    library_readers: LibraryReaderTable;
    library_files: LibraryFileTable;
    library_texts: { file_id: number; segment: Uint8Array };
    library_pieces: LibraryPieceTable;
    library_terms: { folder_id: string; term: string; pieces: number };
    library_names: LibraryNameTable;
    library_vectors: LibraryVectorTable;
    library_documents: LibraryDocumentTable;
  }
}

/** Those of FTS5 make further ones for themselves. */
const FTS = ['library_tokens', 'library_grams'];
export const DERIVED_TABLES: readonly string[] = [
  'library_folders',
  'library_readers',
  'library_files',
  'library_texts',
  'library_pieces',
  'library_terms',
  'library_names',
  'library_vectors',
  'library_documents',
  ...FTS.flatMap((name) => ['', '_data', '_idx', '_content', '_docsize', '_config'].map((end) => `${name}${end}`)),
];

/** Tokens are words already: FTS5 only divides them at blanks, and keeps no text. */
const inFts5 = (name: string): string =>
  `create virtual table ${name} using fts5(tokens, content='', contentless_delete=1, tokenize="ascii tokenchars '_'")`;
const inPostgres = (name: string): string =>
  `create table ${name} (id integer primary key, tokens tsvector not null);
    create index ${name}_by_token on ${name} using gin (tokens)`;

export const migrations: Migrations = {
  /** Folders of accession.toml with their files, chunks and what finds them. */
  '0018-library': migration(({ sqlite, clustered }) => {
    const lookup = sqlite ? inFts5 : inPostgres;
    return `
    create table library_folders (
      id text primary key, name text not null, path text not null, found integer not null, done integer not null,
      reading text not null, files integer not null, chunks integer not null, pieces integer not null,
      words integer not null, failures integer not null, left_out text not null, error text, completed_at bigint,
      due_at bigint not null, lease_id text, lease_until bigint, removed integer not null
    );
    create table library_readers (
      folder_id text not null references library_folders (id) on delete cascade, kind text not null, who text not null,
      constraint library_readers_once primary key (folder_id, kind, who)
    );
    create table library_files (
      id integer primary key, folder_id text not null references library_folders (id), path text not null,
      size bigint not null, modified double precision not null, sha256 text not null, agent_id text not null,
      agent_key text not null, capability text not null, language text not null, encoding text not null,
      no_text integer not null, warnings text not null, failed text, chunks integer not null,
      constraint library_files_once unique (folder_id, path)
    );
    create table library_texts (
      file_id integer primary key references library_files (id) on delete cascade, segment ${sqlite ? 'blob' : 'bytea'} not null
    );
    create table library_pieces (
      id integer primary key, folder_id text not null, file_id integer not null references library_files (id),
      piece integer not null, words integer not null, counts text not null
    );
    create index library_pieces_by_file on library_pieces (file_id);
    create table library_names (
      id integer primary key, folder_id text not null, file_id integer not null references library_files (id),
      name text not null, qualified text not null, chunk_type text not null, line integer not null
    );
    create index library_names_by_file on library_names (file_id);
    create table library_terms (
      folder_id text not null, term text not null, pieces integer not null,
      constraint library_terms_once primary key (folder_id, term)
    )${clustered};
    ${lookup('library_tokens')};
    ${lookup('library_grams')}`;
  }),
  /** What the pieces of a file mean, where the server has a model that makes vectors. */
  '0020-library-vectors': migration(
    ({ sqlite }) => `
    create table library_vectors (
      file_id integer primary key references library_files (id) on delete cascade, folder_id text not null,
      model text not null, dimension integer not null, pieces integer not null,
      vectors ${sqlite ? 'blob' : 'bytea'} not null
    );
    create index library_vectors_by_folder on library_vectors (folder_id, model)`,
  ),
  /** Which documents files are. Manifests that are known already are read again: nobody is as large as -1. */
  '0021-library-documents': migration(
    () => `
    create table library_documents (
      file_id integer primary key references library_files (id) on delete cascade, folder_id text not null,
      kind text not null, said text not null
    );
    create index library_documents_by_folder on library_documents (folder_id, kind);
    update library_files set size = -1 where path = 'manifest.json' or path like '%/manifest.json'
      or path = 'manifest.state.json' or path like '%/manifest.state.json'`,
  ),
};
