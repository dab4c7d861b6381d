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

declare module '#server/store/schema.ts' {
  interface Database {
    document_records: DocumentRecordTable;
    document_contents_sent: DocumentContentsSentTable;
  }
}

export const TABLES = { document_records: ['id'], document_contents_sent: ['sha256'] } as const;

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
};
