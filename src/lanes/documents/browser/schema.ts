/** The tables of the documents lane in the workstation's database. */
import type { Table } from 'dexie';
import type { TableVersion } from '#adapters/browser/db.ts';
import type { SharedDocument } from '#lanes/documents/core/share/shared-document.ts';
import type { PlanState } from '#core/plan/plan.ts';
import type { KeptAnswer } from '#lanes/documents/core/lookup/cache.ts';
import type { Manifest, ManifestEntry } from '#core/documents/manifest-form.ts';
import type { Told } from '#lanes/documents/core/manifest/told.ts';
import type { DocumentOutboxRow } from './share/share-outbox.ts';
import type { SharePart } from '../core/share/approved.ts';
import type { DocumentPlan } from '#lanes/documents/core/plan/document-plan.ts';

/** A plan over documents of an opened folder. History: 1 first form. */
export interface DocumentPlanRow {
  schema_version: 1;
  id: string;
  /** Milliseconds. */
  at: number;
  /** The folder's row; its name as it was then. */
  root: string;
  folder: string;
  /** `pending` while it is carried out, and where that was interrupted. */
  status: 'pending' | 'completed' | 'rejected' | 'undone';
  plan: DocumentPlan;
  sources: PlanState['sources'];
  /** What the manifest had of its documents. */
  before: ManifestEntry[];
  /** Where records are from; plans of before have none. */
  told?: Told;
  /** What of it goes to the catalog server; plans of before went nowhere. */
  share?: SharePart;
}

/** What a metadata source said, as it came. History: 1 first form. */
export interface DocumentAnswerRow extends KeptAnswer {
  key: string;
}

/** The list of the form of listings, of which there is one. History: 1 first form. */
export interface DocumentListingsRow {
  id: 'listings';
  manifest: Manifest;
}

declare module '#adapters/browser/db.ts' {
  interface AccessionDb {
    document_plans: Table<DocumentPlanRow, string>;
    document_answers: Table<DocumentAnswerRow, string>;
    document_listings: Table<DocumentListingsRow, string>;
    document_outbox: Table<DocumentOutboxRow, string>;
    shared_documents: Table<SharedDocument, string>;
  }
}

export const tables: readonly TableVersion[] = [
  { since: 13, stores: { document_plans: 'id, at, status', document_answers: 'key' } },
  { since: 14, stores: { document_listings: 'id' } },
  { since: 17, stores: { document_outbox: 'id, next_at', shared_documents: 'id, approved_at' } },
];
