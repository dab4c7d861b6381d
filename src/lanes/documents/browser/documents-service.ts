/**
 * The Documents page's work, behind the RPC interface of documents.worker: one folder or drop is open at a time.
 *
 *   open -> each document read, then looked up -> (requery) -> preview (again with every change) -> apply -> undo
 */
import { openFolder, type FolderPorts } from '#adapters/browser/plans/open-folder.ts';
import { openFolderTree } from '#adapters/browser/plans/folder-tree.ts';
import { recoverFolders } from '#adapters/browser/plans/rename-runs.ts';
import { readSettings } from '#adapters/browser/settings.ts';
import type { Timers } from '#adapters/http/socket.ts';
import { CancelSource } from '#core/cancel.ts';
import { AccessionError, failed } from '#core/errors.ts';
import type { PdfText } from '#core/ingest/pdf.ts';
import { joinBytes } from '#core/ingest/bytes.ts';
import type { FileTree, TreeEntry } from '#core/plan/file-tree.ts';
import { lastPart } from '#core/plan/plan-path.ts';
import { contentOf } from '#core/plan/replace-content.ts';
import { DOCUMENT } from '#lanes/documents/core/lane-core.ts';
import { replayJournal } from '#core/plan/replay-journal.ts';
import { answered } from '#core/result.ts';
import { applyDocuments, noteDone, undoDocuments } from '#lanes/documents/core/apply/apply-documents.ts';
import type { Lookup } from '#lanes/documents/core/lookup/lookup.ts';
import type { Manifest } from '#lanes/documents/core/manifest/manifest.ts';
import { idsOf } from '#lanes/documents/core/manifest/manifest-state.ts';
import { manifestOf } from '#lanes/documents/core/manifest/manifest-store.ts';
import { documentHash, previewOf, type DocumentPlan } from '#lanes/documents/core/plan/document-plan.ts';
import { makePlan } from '#lanes/documents/core/plan/make-plan.ts';
import { entriesOf } from '#lanes/documents/core/plan/scan-folder.ts';
import type { PdfWriter } from '#lanes/documents/core/write/prepare-pdf.ts';
import type { DocumentPlanRow } from './schema.ts';
import type {
  DroppedDocument,
  DocumentRow,
  DocumentsApi,
  DocumentsProgress,
  DocumentWish,
  OpenedDocuments,
} from './documents-api.types.ts';
import { droppedTree } from './dropped-tree.ts';
import { folderManifest } from './folder-manifest.ts';
import { lookupHere } from './lookup-here.ts';
import { isDocument, lookedUp, readDocument, renamedTo, unread, type ReadDocument } from './read-documents.ts';
import { zipOfDocuments } from './zip-of-documents.ts';

export interface DocumentsUsing extends FolderPorts {
  timers: Timers;
  reader: PdfText;
  writer: PdfWriter;
  /** A file that was taken in; null: it is gone. */
  blob(sha256: string): Promise<Blob | null>;
  /** The browser's; a test's own. */
  fetch?: typeof fetch;
  /** Whether the browser says that there is a network. */
  isOnline(): boolean;
  /** Runs the work alone: no two tabs change a manifest at once. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>;
}

const BY = 'You, in this browser';
/** Of look-ups that wait while the next document is read. */
const AHEAD = 8;
const NO_MANIFEST: Manifest = { version: 1, entries: [] };

interface Draft {
  plan: DocumentPlan;
  sources: DocumentPlanRow['sources'];
  before: DocumentPlanRow['before'];
  hash: string;
}

interface Session {
  tree: FileTree;
  entries: TreeEntry[];
  /** The folder's row; null: a drop. */
  root: string | null;
  name: string;
  mediaFolderPath: string;
  manifest: Manifest;
  problem: string | null;
  documents: Map<string, ReadDocument>;
  draft: Draft | null;
}

export function createDocumentsService(using: DocumentsUsing): DocumentsApi {
  const { db, clock, ids, journal, platform } = using;
  let session: Session | null = null;
  let cancel = new CancelSource();

  const opened = (): Session => {
    if (session !== null) return session;
    throw failed('not_found', 'Nothing is open.', { remedy: 'Open the folder again: the page was loaded anew.' });
  };

  /** What the look-up goes by; settings are read anew before each work. */
  let asking = { offline: true, contact: '' };
  const { lookup, again } = lookupHere({ ...using, now: () => ({ ...asking, cancel }) });

  async function lookupNow(lookUp: boolean): Promise<Lookup> {
    const { documents_contact: contact } = await readSettings(db);
    asking = { offline: !lookUp || !using.isOnline(), contact: contact.trim() };
    again();
    return lookup;
  }

  async function sessionOf(source: Parameters<DocumentsApi['open']>[0]): Promise<Session> {
    if (source.kind !== 'handle') {
      const files = source.kind === 'files' ? source.files : await filesOfBatch(source.id);
      const tree = droppedTree(files, platform);
      const entries = await entriesOf(tree, cancel);
      const rest = { root: null, name: 'Dropped files', mediaFolderPath: '/documents', manifest: NO_MANIFEST };
      return { ...rest, tree, entries, problem: null, documents: new Map(), draft: null };
    }
    const neededFolders = async () => (await db.video_folders.toCollection().primaryKeys()).map(String);
    const folder = await openFolder(source, { ...using, lane: 'documents', neededFolders }, () => undefined);
    const { tree, id: root, name, mediaFolderPath, entries } = folder;
    if (tree === null) throw failed('invalid', 'This browser cannot use this folder.');
    const { manifest, problem } = await manifestOf(folderManifest(tree)).then(
      (read) => ({ manifest: read, problem: null }),
      (error: unknown) => {
        if (!(error instanceof AccessionError) || error.failure.code !== 'invalid') throw error;
        return { manifest: NO_MANIFEST, problem: error.failure.message };
      },
    );
    return { tree, entries, root, name, mediaFolderPath, manifest, problem, documents: new Map(), draft: null };
  }

  async function filesOfBatch(id: string): Promise<DroppedDocument[]> {
    const companions = (await db.batches.get(id))?.companions ?? [];
    const files: DroppedDocument[] = [];
    for (const { path, kind, sha256 } of companions) {
      const blob = kind === DOCUMENT && sha256 !== null ? await using.blob(sha256) : null;
      if (blob !== null) files.push({ path, file: new File([blob], lastPart(path)) });
    }
    return files;
  }

  /** Reads one after the other; look-ups go on beside, a few at a time. */
  async function readAll(now: Session, lookup: Lookup, heard: (row: DocumentRow) => void): Promise<void> {
    const idOf = now.root === null ? (sha256: string) => sha256 : await idsOf(folderManifest(now.tree));
    const done = new Set(now.manifest.entries.flatMap(({ id, processed }) => (processed ? [id] : [])));
    const seen = new Map<string, string>();
    const waiting = new Set<Promise<void>>();
    let failure: unknown = null;
    for (const entry of now.entries.filter(isDocument)) {
      if (cancel.aborted || failure !== null) break;
      heard(unread(entry));
      const read = await readDocument(entry, { ...using, tree: now.tree, idOf, done, cancel });
      const doubleOf = read.row.id === '' ? null : (seen.get(read.row.id) ?? null);
      if (read.row.id !== '' && doubleOf === null) seen.set(read.row.id, entry.path);
      const kept = { ...read, row: { ...read.row, doubleOf } };
      const asked = kept.row.asked !== null && doubleOf === null;
      now.documents.set(entry.path, kept);
      heard(asked ? { ...kept.row, phase: 'looking' } : kept.row);
      if (!asked) continue;
      const one = ask(now, kept, lookup, heard)
        .catch((error: unknown) => void (failure ??= error))
        .finally(() => waiting.delete(one));
      waiting.add(one);
      if (waiting.size >= AHEAD) await Promise.race(waiting);
    }
    await Promise.all(waiting);
    if (failure !== null) throw failure;
  }

  async function ask(
    now: Session,
    read: ReadDocument,
    lookup: Lookup,
    heard: (row: DocumentRow) => void,
  ): Promise<void> {
    try {
      const { offline } = asking;
      let said = await lookedUp(read, lookup);
      // The person said yes, or the network came back, while it was on its way.
      if (offline && !asking.offline) said = await lookedUp(read, lookup);
      now.documents.set(read.row.path, said);
      heard(said.row);
    } catch (error) {
      heard(read.row);
      throw error;
    }
  }

  /** `cancelled`, where that is why it ended. */
  async function untilCancelled(work: () => Promise<void>): Promise<{ cancelled: boolean }> {
    try {
      await work();
      return { cancelled: cancel.aborted };
    } catch (error) {
      if (error instanceof AccessionError && error.failure.code === 'cancelled') return { cancelled: true };
      throw error;
    }
  }

  async function draftOf(now: Session, wish: DocumentWish): Promise<Draft> {
    const decided = wish.decided.flatMap(({ path, action }) => {
      const row = now.documents.get(path)?.row;
      if (row === undefined || row.id === '') return [];
      const { record, reasons } = row.proposal;
      return [{ path, id: row.id, action, record, notes: reasons.slice(1).join(' '), writable: row.whyNot === null }];
    });
    const made = makePlan(decided, {
      ...{
        id: now.draft?.plan.id ?? ids.next(),
        root: now.mediaFolderPath,
        entries: now.entries,
        rules: now.tree.rules,
      },
      ...{ rename: wish.rename, known: now.manifest.entries, now: new Date(clock.now()).toISOString() },
    });
    return { ...made, hash: await documentHash(made.plan) };
  }

  const portsOf = (tree: FileTree, root: string, heard: (progress: DocumentsProgress) => void) => ({
    ...using,
    ...{ tree, journal, root, cancel, by: BY },
    progress: heard,
    prepared: (done: number, total: number) => heard({ phase: 'preparing', done, total }),
  });

  async function folderOf(root: string): Promise<FileTree> {
    const row = await db.video_folders.get(root);
    if (row === undefined) throw failed('not_found', 'The folder of this plan is not known here any more.');
    return openFolderTree(row.handle, platform);
  }

  /** The manifest follows what the journal says became of a plan that was interrupted. */
  async function settle(): Promise<void> {
    for (const row of await db.document_plans.where('status').equals('pending').toArray()) {
      const last = (await journal.list({ planId: row.id })).at(-1);
      const ended = last === undefined ? 'rolled-back' : replayJournal(last).ended;
      if (ended === null || (await isRunning(row.id))) continue;
      if (ended === 'done' && last !== undefined) {
        const tree = await folderOf(row.root);
        await noteDone(row.plan, folderManifest(tree), last.head.steps);
      }
      await db.document_plans.update(row.id, { status: ended === 'done' ? 'completed' : 'rejected' });
    }
  }

  /** Of this worker; another tab's is held by its lock. */
  let running: string | null = null;
  const isRunning = (id: string): Promise<boolean> => Promise.resolve(running === id);

  return {
    open: (source, lookUp, heard, told) =>
      answered(async () => {
        cancel.abort();
        cancel = new CancelSource();
        const lookup = await lookupNow(lookUp);
        const now = await sessionOf(source);
        session = now;
        const documents = now.entries.filter(isDocument).length;
        told({ folder: now.root, name: now.name, documents, problem: now.problem } satisfies OpenedDocuments);
        return untilCancelled(() => readAll(now, lookup, heard));
      }),
    lookUp: (heard) =>
      answered(async () => {
        const now = opened();
        if (cancel.aborted) cancel = new CancelSource();
        const lookup = await lookupNow(true);
        const open = [...now.documents.values()].filter(
          ({ row }) => row.asked !== null && row.doubleOf === null && row.proposal.sure !== 'strong',
        );
        return untilCancelled(async () => {
          for (const { row } of open) heard({ ...row, phase: 'looking' });
          await Promise.all(open.map((read) => ask(now, read, lookup, heard)));
        });
      }),
    cancel: () => {
      cancel.abort();
      return Promise.resolve();
    },
    requery: (path, identifier, lookUp) =>
      answered(async () => {
        const now = opened();
        const read = now.documents.get(path);
        if (read === undefined) throw failed('not_found', `"${path}" is not among the documents.`);
        if (cancel.aborted) cancel = new CancelSource();
        const said = await lookedUp(renamedTo(read, identifier), await lookupNow(lookUp));
        now.documents.set(path, said);
        return said.row;
      }),
    preview: (wish) =>
      answered(async () => {
        const now = opened();
        const draft = await draftOf(now, wish);
        now.draft = draft;
        const below = (path: string): string => path.slice(now.mediaFolderPath.length + 1);
        const names = Object.fromEntries(draft.plan.files.map(({ path, to }) => [below(path), below(to)]));
        const { problems } = await previewOf(draft.plan, now.entries, {
          ...{ rules: now.tree.rules, state: { sources: draft.sources }, replaced: [] },
        });
        return { hash: draft.hash, names, problems: draft.plan.files.length === 0 ? [] : problems };
      }),
    apply: (hash, heard) =>
      answered(async () => {
        const now = opened();
        const { draft } = now;
        if (draft?.hash !== hash)
          throw failed('conflict', 'The plan is not the one that was shown.', { remedy: 'Look again.' });
        if (now.problem !== null) throw failed('invalid', now.problem);
        cancel = new CancelSource();
        if (now.root === null) {
          const prepared = (done: number, total: number) => heard({ phase: 'preparing', done, total });
          const zipped = await zipOfDocuments(draft.plan, now.entries, { ...using, tree: now.tree, cancel, prepared });
          return { as: 'zip' as const, ...zipped };
        }
        return using.alone('accession-documents', () => carryOut(now, now.root ?? '', draft, heard));
      }),
    undo: (planId, heard) =>
      answered(() =>
        using.alone('accession-documents', async () => {
          const row = await db.document_plans.get(planId);
          if (row === undefined) throw failed('not_found', 'This plan is not known here any more.');
          const tree = await folderOf(row.root);
          cancel = new CancelSource();
          const ports = portsOf(tree, row.root, heard);
          const outcome = await undoDocuments(row.plan, { manifest: folderManifest(tree), before: row.before }, ports);
          if (outcome.result === 'undone') await db.document_plans.update(planId, { status: 'undone' });
          return outcome;
        }),
      ),
    recover: (giveUp) =>
      answered(async () => {
        const recovered = await recoverFolders(using, { read: () => Promise.resolve(null) }, BY, giveUp);
        await settle();
        return recovered;
      }),
    content: (path) => answered(async () => joinBytes([await contentOf(opened().tree, path)]).buffer),
  };

  async function carryOut(now: Session, root: string, draft: Draft, heard: (progress: DocumentsProgress) => void) {
    const { plan, sources, before, hash } = draft;
    const row: DocumentPlanRow = {
      ...{ schema_version: 1, id: plan.id, at: clock.now(), root, folder: now.name, status: 'pending' },
      ...{ plan, sources, before },
    };
    running = plan.id;
    try {
      await db.document_plans.put(row);
      const manifest = folderManifest(now.tree);
      const applied = await applyDocuments(
        plan,
        { state: { sources }, hash, manifest },
        portsOf(now.tree, root, heard),
      );
      const { result } = applied.outcome;
      if (result !== 'stuck')
        await db.document_plans.update(plan.id, { status: result === 'done' ? 'completed' : 'rejected' });
      now.draft = null;
      return { as: 'folder' as const, planId: plan.id, ...applied, ...countsOf(plan, applied.unwritten.length) };
    } catch (error) {
      if ((await journal.list({ planId: plan.id })).length === 0) await db.document_plans.delete(plan.id);
      throw error;
    } finally {
      running = null;
    }
  }
}

/** What was done with how many documents; `noted`: they stand in the manifest alone. */
function countsOf({ files }: DocumentPlan, unwritten: number): { written: number; removed: number; noted: number } {
  const removed = files.filter(({ action }) => action === 'remove').length;
  const written = files.filter(({ action, record }) => action === 'write' && record.processed).length - unwritten;
  return { written, removed, noted: files.length - removed - written };
}
