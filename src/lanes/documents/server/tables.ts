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

declare module '#server/store/schema.ts' {
  interface Database {
    document_records: DocumentRecordTable;
  }
}

export const TABLES = { document_records: ['id'] } as const;

export const migrations: Migrations = {
  '0022-document-records': migration(
    () => `
    create table document_records (
      id text primary key, approved_at bigint not null, content_sha256 text, record text not null
    );
    create index document_records_by_content on document_records (content_sha256)`,
  ),
};
