/** What was confirmed, done in the opened folder; taken back; and brought to an end after an interruption. */
import { openFolderTree } from '#adapters/browser/plans/folder-tree.ts';
import type { FolderPorts } from '#adapters/browser/plans/open-folder.ts';
import { failed } from '#core/errors.ts';
import type { PdfText } from '#core/ingest/pdf.ts';
import type { FileTree } from '#core/plan/file-tree.ts';
import type { UndoOutcome } from '#core/plan/rename-run.types.ts';
import { replayJournal } from '#core/plan/replay-journal.ts';
import type { Cancel } from '#core/ports.ts';
import {
  applyDocuments,
  noteDone,
  noteUndone,
  undoDocuments,
  type ApplyPorts,
} from '#lanes/documents/core/apply/apply-documents.ts';
import type { DocumentPlan } from '#lanes/documents/core/plan/document-plan.ts';
import type { PdfWriter } from '#lanes/documents/core/write/prepare-pdf.ts';
import type { Draft, Session } from './document-session.ts';
import type { DocumentsApplied, DocumentsProgress } from './documents-api.types.ts';
import { folderManifest } from './folder-manifest.ts';
import type { DocumentPlanRow } from './schema.ts';
import type { SharePart } from '#lanes/documents/core/share/approved.ts';
import { queueDone, queueUndone } from './share/share-plan.ts';

/** Who decided, as the history says it. */
export const BY = 'You, in this browser';

export interface CarryOutPorts extends FolderPorts {
  reader: PdfText;
  writer: PdfWriter;
  cancel: Cancel;
  heard: (progress: DocumentsProgress) => void;
  /** What of it goes to the catalog server. */
  share: SharePart;
}

const applyPorts = (tree: FileTree, root: string, { heard, ...using }: CarryOutPorts): ApplyPorts => ({
  ...using,
  ...{ tree, root, by: BY },
  progress: heard,
  prepared: (done, total) => heard({ phase: 'preparing', done, total }),
});

/** The plan is kept before anything changes, and decided by what came of it. */
export async function carryOut(
  now: Session & { root: string },
  { plan, sources, before, told, hash }: Draft,
  ports: CarryOutPorts,
): Promise<DocumentsApplied> {
  const { db, clock, journal } = ports;
  const row: DocumentPlanRow = {
    ...{ schema_version: 1, id: plan.id, at: clock.now(), root: now.root, folder: now.name, status: 'pending' },
    ...{ plan, sources, before, told, share: ports.share },
  };
  try {
    await db.document_plans.put(row);
    const facts = { state: { sources }, hash, manifest: folderManifest(now.tree), told };
    const applied = await applyDocuments(plan, facts, applyPorts(now.tree, now.root, ports));
    if (applied.outcome.result === 'done') await queue(row, now.tree, ports);
    const status = { done: 'completed', 'rolled-back': 'rejected', refused: 'rejected', stuck: 'pending' } as const;
    await db.document_plans.update(plan.id, { status: status[applied.outcome.result] });
    return { as: 'folder', planId: plan.id, ...applied, ...countsOf(plan, applied.unwritten.length) };
  } catch (error) {
    if ((await journal.list({ planId: plan.id })).length === 0) await db.document_plans.delete(plan.id);
    throw error;
  }
}

/** Throws AccessionError `not_found` where the plan or its folder is not known any more. */
export async function takeBack(planId: string, ports: CarryOutPorts): Promise<UndoOutcome> {
  const { db } = ports;
  const row = await db.document_plans.get(planId);
  if (row === undefined) throw failed('not_found', 'This plan is not known here any more.');
  const tree = await folderOf(row.root, ports);
  const facts = { manifest: folderManifest(tree), before: row.before };
  const outcome = await undoDocuments(row.plan, facts, applyPorts(tree, row.root, ports));
  if (outcome.result !== 'undone') return outcome;
  await queueUndone(db, { ...row, part: row.share ?? 'nothing', now: ports.clock.now() });
  await db.document_plans.update(planId, { status: 'undone' });
  return outcome;
}

async function queue(
  { plan, told = {}, share = 'nothing' }: DocumentPlanRow,
  tree: FileTree,
  { db, clock }: Pick<FolderPorts, 'db' | 'clock'>,
): Promise<void> {
  const placeOf = ({ to }: DocumentPlan['files'][number]): string => to.slice(plan.mediaFolderPath.length + 1);
  await queueDone(db, tree, { plan, told, part: share, now: clock.now(), placeOf });
}

/** The manifest follows what the journals say became of plans that were interrupted, done or taken back. */
export async function settlePlans(ports: FolderPorts): Promise<void> {
  const { db, journal } = ports;
  for (const row of await db.document_plans.where('status').anyOf('pending', 'completed').toArray()) {
    const last = (await journal.list({ planId: row.id })).at(-1);
    const ended = last === undefined ? 'rolled-back' : replayJournal(last).ended;
    if (ended === null || (row.status === 'completed' && ended !== 'undone')) continue;
    const isDone = ended === 'done' && last !== undefined;
    if (isDone) {
      const tree = await folderOf(row.root, ports);
      await noteDone(row.plan, folderManifest(tree), { steps: last.head.steps, told: row.told ?? {} });
      await queue(row, tree, ports);
    }
    if (ended === 'undone')
      await queueUndone(ports.db, { ...row, part: row.share ?? 'nothing', now: ports.clock.now() });
    if (ended === 'undone') await noteUndone(row.plan, folderManifest(await folderOf(row.root, ports)), row.before);
    await db.document_plans.update(row.id, {
      status: isDone ? 'completed' : ended === 'undone' ? 'undone' : 'rejected',
    });
  }
}

async function folderOf(root: string, { db, platform }: Pick<FolderPorts, 'db' | 'platform'>): Promise<FileTree> {
  const row = await db.video_folders.get(root);
  if (row === undefined) throw failed('not_found', 'The folder of this plan is not known here any more.');
  return openFolderTree(row.handle, platform);
}

/** What was done with how many documents; `noted`: they stand in the manifest alone. */
function countsOf({ files }: DocumentPlan, unwritten: number): { written: number; removed: number; noted: number } {
  const removed = files.filter(({ action }) => action === 'remove').length;
  const written = files.filter(({ action, record }) => action === 'write' && record.processed).length - unwritten;
  return { written, removed, noted: files.length - removed - written };
}
