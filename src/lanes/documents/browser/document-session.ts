/** A folder or a drop that is open on the Documents page. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { openFolder, type FolderPorts } from '#adapters/browser/plans/open-folder.ts';
import { AccessionError, failed } from '#core/errors.ts';
import type { FileTree, TreeEntry } from '#core/plan/file-tree.ts';
import { lastPart } from '#core/plan/plan-path.ts';
import type { Cancel } from '#core/ports.ts';
import { DOCUMENT } from '#lanes/documents/core/lane-core.ts';
import type { Manifest } from '#core/documents/manifest-form.ts';
import { manifestOf } from '#lanes/documents/core/manifest/manifest-store.ts';
import type { Told } from '#lanes/documents/core/manifest/told.ts';
import type { DocumentPlan } from '#lanes/documents/core/plan/document-plan.ts';
import { entriesOf } from '#lanes/documents/core/plan/scan-folder.ts';
import type { DocumentSource, DocumentWish, DroppedDocument } from './documents-api.types.ts';
import { droppedTree } from './dropped-tree.ts';
import { folderManifest } from './folder-manifest.ts';
import type { ReadDocument } from './read-documents.ts';
import type { DocumentPlanRow } from './schema.ts';

/** What was shown, and is carried out where it is confirmed. */
export interface Draft {
  plan: DocumentPlan;
  sources: DocumentPlanRow['sources'];
  before: DocumentPlanRow['before'];
  told: Told;
  hash: string;
}

export interface Session {
  tree: FileTree;
  entries: TreeEntry[];
  /** The folder's row; null: a drop. */
  root: string | null;
  /** The folder of the catalog server; null: another one. */
  server: string | null;
  name: string;
  mediaFolderPath: string;
  manifest: Manifest;
  /** Why the manifest cannot be used. */
  problem: string | null;
  documents: Map<string, ReadDocument>;
  draft: Draft | null;
  /** Of which the draft is. */
  wish?: DocumentWish;
}

const NO_MANIFEST: Manifest = { version: 1, entries: [] };

export interface Opening extends FolderPorts {
  /** A file that was taken in; null: it is gone. */
  blob(sha256: string): Promise<Blob | null>;
}

/** Throws AccessionError where the folder cannot be read, and `cancelled`. */
export async function openSession(source: DocumentSource, using: Opening, cancel: Cancel): Promise<Session> {
  const { db, platform } = using;
  const nothing = { documents: new Map(), draft: null, server: null };
  if (source.kind === 'server') throw failed('invalid', 'A folder of the server is opened by the server.');
  if (source.kind !== 'handle') {
    const files = source.kind === 'files' ? source.files : await filesOfBatch(db, source.id, using.blob);
    const tree = droppedTree(files, platform);
    const about = { root: null, name: 'Dropped files', mediaFolderPath: '/documents', problem: null };
    return { ...about, ...nothing, tree, entries: await entriesOf(tree, cancel), manifest: NO_MANIFEST };
  }
  const neededFolders = async () => (await db.video_folders.toCollection().primaryKeys()).map(String);
  const folder = await openFolder(source, { ...using, lane: 'documents', neededFolders }, () => undefined);
  const { tree, id: root, name, mediaFolderPath } = folder;
  const entries = folder.entries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  if (tree === null) throw failed('invalid', 'This browser cannot use this folder.');
  return { root, name, mediaFolderPath, entries, tree, ...nothing, ...(await known(tree)) };
}

async function known(tree: FileTree): Promise<Pick<Session, 'manifest' | 'problem'>> {
  try {
    return { manifest: await manifestOf(folderManifest(tree)), problem: null };
  } catch (error) {
    if (!(error instanceof AccessionError) || error.failure.code !== 'invalid') throw error;
    return { manifest: NO_MANIFEST, problem: error.failure.message };
  }
}

async function filesOfBatch(db: AccessionDb, id: string, blobOf: Opening['blob']): Promise<DroppedDocument[]> {
  const companions = (await db.batches.get(id))?.companions ?? [];
  const files: DroppedDocument[] = [];
  for (const { path, kind, sha256 } of companions) {
    const blob = kind === DOCUMENT && sha256 !== null ? await blobOf(sha256) : null;
    if (blob !== null) files.push({ path, file: new File([blob], lastPart(path)) });
  }
  return files;
}
