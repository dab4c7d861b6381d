/** What the Documents page may ask of its worker. */
import type { FolderSource } from '#adapters/browser/plans/open-folder.ts';
import type { RecoveredFolder } from '#adapters/browser/plans/rename-runs.ts';
import type { RenameProblem } from '#core/plan/rename-problem.ts';
import type { RenameOutcome, UndoOutcome } from '#core/plan/rename-run.types.ts';
import type { Result } from '#core/result.ts';
import type { DocumentEvidence } from '#lanes/documents/core/identify/evidence.ts';
import type { DocumentRecord } from '#core/documents/record.ts';
import type { Manifest } from '#core/documents/manifest-form.ts';
import type { Identifier } from '#lanes/documents/core/lookup/source.ts';
import type { DocumentAction } from '#lanes/documents/core/plan/make-plan.ts';
import type { ShownCandidate } from '#lanes/documents/core/plan/find-by-title.ts';
import type { Choice } from '#lanes/documents/core/plan/open-readings.ts';
import type { Proposal } from '#lanes/documents/core/plan/propose.ts';
import type { ServerFoldersApi } from './server-folders.ts';

export type { ShownCandidate };
export type { DocumentAction, DocumentEvidence, DocumentRecord, Identifier, RecoveredFolder };

/** A file that was dropped, with its path inside the drop. */
export interface DroppedDocument {
  path: string;
  file: File;
}

export type DocumentSource =
  | Extract<FolderSource, { kind: 'handle' }>
  | { kind: 'files'; files: readonly DroppedDocument[] }
  /** Documents that were dropped on Ingest: a batch's id. */
  | { kind: 'batch'; id: string }
  /** A folder of the catalog server, as that scanned it. */
  | { kind: 'server'; id: string; name: string };

/** A document as the table shows it. */
export interface DocumentRow {
  /** Below the folder, or inside the drop. */
  path: string;
  /** Bytes. */
  size: number;
  modified: number;
  /** SHA-256 of it as it first came; '' where it could not be read. */
  id: string;
  /** `reading`, then `looking` while a source is asked, then `ready`. */
  phase: 'reading' | 'looking' | 'ready';
  /** What it is asked for by; null: it names nothing of its own. */
  asked: Identifier | null;
  /** What it may be, where nothing tells which: a person chooses. */
  choices: readonly Choice[];
  /** What was found by its title when a person asked for it. */
  candidates: readonly ShownCandidate[];
  /** The title to look for; '' where it says none. */
  title: string;
  proposal: Proposal;
  /** What it says of itself now. */
  own: DocumentRecord;
  evidence: readonly DocumentEvidence[];
  /** Why nothing is written into it, as a part of a sentence; null: it may be. */
  whyNot: string | null;
  /** It opens with a password alone, and none was given that does. */
  locked: boolean;
  /** The path of another file with the same content. */
  doubleOf: string | null;
  /** Which other one it may be though their bytes differ, a sentence. */
  maybeTwice: string | null;
  /** It stands in the manifest as processed. */
  done: boolean;
}

export interface OpenedDocuments {
  /** The folder's row, or the server's folder; null: files without a folder, which come back as a ZIP. */
  folder: string | null;
  name: string;
  documents: number;
  /** Why the folder's manifest cannot be used: nothing is carried out then. */
  problem: string | null;
}

export interface DocumentWish {
  decided: readonly { path: string; action: DocumentAction }[];
  rename: boolean;
}

export interface DocumentsPreview {
  hash: string;
  /** New names, by path. */
  names: Readonly<Record<string, string>>;
  problems: readonly RenameProblem[];
}

/** `preparing`: what is written is made and read again; then the steps of the journal. */
export interface DocumentsProgress {
  phase: 'checking' | 'preparing' | 'moving' | 'taking-back' | 'tidying';
  done: number;
  total: number;
}

export type DocumentsApplied = {
  /** Documents that keep their content, with the reason. */
  unwritten: readonly { path: string; reason: string }[];
  warnings: readonly { path: string; reason: string }[];
} & (
  | { as: 'folder'; planId: string; outcome: RenameOutcome; written: number; removed: number; noted: number }
  | { as: 'zip'; zip: Blob; name: string; files: number; written: number }
  /** On the catalog server. */
  | { as: 'server'; planId: string; written: number; removed: number; noted: number }
);

export interface DocumentsApi extends ServerFoldersApi {
  /**
   * Reads a folder or dropped files: `heard` gets each document when it changes. Resolves when all are read and looked
   * up, or when it was cancelled. `lookUp` false: nobody is asked.
   */
  open(
    source: DocumentSource,
    lookUp: boolean,
    heard: (row: DocumentRow) => void,
    opened: (opened: OpenedDocuments) => void,
  ): Promise<Result<{ cancelled: boolean }>>;
  /** Asks again what nobody answered, or what was not asked yet. */
  lookUp(heard: (row: DocumentRow) => void): Promise<Result<{ cancelled: boolean }>>;
  /** Stops what is under way; what was begun on the disk is taken back. */
  cancel(): Promise<void>;
  /** The person's own identifier for a document. */
  requery(path: string, identifier: Identifier, lookUp: boolean): Promise<Result<DocumentRow>>;
  /** Who has a document of this title; `why`: why nobody has, a sentence. Nothing is decided by it. */
  findByTitle(path: string, title: string, lookUp: boolean): Promise<Result<{ row: DocumentRow; why: string | null }>>;
  /** What the model of the settings says of a document in doubt; its row with that, never Strong. */
  advise(path: string, lookUp: boolean): Promise<Result<DocumentRow>>;
  /** Reads a document that opens with this password, and looks it up. The password is kept nowhere. */
  unlock(path: string, password: string, lookUp: boolean): Promise<Result<DocumentRow>>;
  preview(wish: DocumentWish): Promise<Result<DocumentsPreview>>;
  apply(hash: string, heard: (progress: DocumentsProgress) => void): Promise<Result<DocumentsApplied>>;
  undo(planId: string, heard: (progress: DocumentsProgress) => void): Promise<Result<UndoOutcome>>;
  /** A plan over a folder of the catalog server. */
  undoOnServer(planId: string): Promise<Result<UndoOutcome>>;
  /** What a crash left open is brought to an end, its manifest with it. */
  recover(giveUp: boolean): Promise<Result<RecoveredFolder[]>>;
  /** The list of the form of listings, and what it is from now on. What is stored and is none is an empty one. */
  listings(): Promise<Result<Manifest>>;
  keepListings(before: Manifest, after: Manifest): Promise<Result<Manifest>>;
  /** The PDF of a record of the catalog server, for the reader. */
  sharedContent(sha256: string): Promise<Result<ArrayBuffer>>;
  /** A document's bytes, for the reader. */
  content(path: string): Promise<Result<ArrayBuffer>>;
}
