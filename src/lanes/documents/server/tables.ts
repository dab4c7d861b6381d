/** Approved records of documents in the catalog's database. Their PDFs lie in the data directory (contents.ts). */
import { migration, type Migrations } from '#server/store/migrate.ts';

export interface DocumentRecordTable {
  /** SHA-256 of the file as it first came. */
  id: string;
  approved_at: number;
  /** Of the PDF that is kept; null: none. */
  content_sha256: string | null;
  /** JSON: core/share/shared-document.ts. */
  record: string;
}

/** A PDF that was sent, until a record names it. */
export interface DocumentContentsSentTable {
  sha256: string;
  /** Milliseconds since the epoch. */
  sent_at: number;
}

/** A folder of accession.toml with how far its scan is. Made anew from the folder: no backup has it. */
export interface DocumentFolderTable {
  id: string;
  path: string;
  state: 'waiting' | 'scanning' | 'scanned' | 'failed';
  why: string | null;
  documents: number;
  scanned_at: number | null;
}

/** A document of it. */
export interface DocumentFolderFileTable {
  folder_id: string;
  path: string;
  /** JSON: core/folders/folder-document.ts. */
  record: string;
}

declare module '#server/store/schema.ts' {
  interface Database {
    document_records: DocumentRecordTable;
    document_contents_sent: DocumentContentsSentTable;
    document_folders: DocumentFolderTable;
    document_folder_files: DocumentFolderFileTable;
  }
}

export const TABLES = { document_records: ['id'], document_contents_sent: ['sha256'] } as const;

export const DERIVED_TABLES = ['document_folders', 'document_folder_files'] as const;

export const migrations: Migrations = {
  '0022-document-records': migration(
    () => `
    create table document_records (
      id text primary key, approved_at bigint not null, content_sha256 text, record text not null
    );
    create index document_records_by_content on document_records (content_sha256)`,
  ),
  '0026-document-contents': migration(
    () => 'create table document_contents_sent (sha256 text primary key, sent_at bigint not null)',
  ),
  '0027-document-folders': migration(
    () => `
    create table document_folders (
      id text primary key, path text not null, state text not null, why text, documents integer not null,
      scanned_at bigint
    );
    create table document_folder_files (
      folder_id text not null, path text not null, record text not null, primary key (folder_id, path)
    )`,
  ),
};
