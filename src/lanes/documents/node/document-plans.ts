/**
 * Plans over documents of a folder of this machine, as the server carries them out: all of a plan or nothing of it, the
 * folder's `manifest.json` with it.
 */
import { join } from 'node:path';
import * as v from 'valibot';
import { FailureSchema } from '#core/agent/llm/failure-schema.ts';
import { nodePdfText } from '#adapters/node/pdf-text.ts';
import { MANIFEST_NAME, type ManifestEntry } from '#core/documents/manifest-form.ts';
import { failed, toFailure } from '#core/errors.ts';
import { undoRename } from '#core/plan/execute-rename.ts';
import type { KnownPlan } from '#core/plan/plan-kind.ts';
import type { Journal } from '#core/plan/rename-journal.ts';
import { renameProblem } from '#core/plan/rename-problem.ts';
import type { RenameOutcome, UndoOutcome, UndoRename } from '#core/plan/rename-run.types.ts';
import { replayJournal } from '#core/plan/replay-journal.ts';
import { canonical } from '#core/agent/tools/tool.ts';
import { applyDocuments, noteDone, noteUndone, type Applied } from '../core/apply/apply-documents.ts';
import { manifestOf, type ManifestStore } from '../core/manifest/manifest-store.ts';
import { aboutOf, documentKind } from '../core/plan/document-kind.ts';
import { documentHash, previewOf, type DocumentPlan } from '../core/plan/document-plan.ts';
import { entriesOf } from '../core/plan/scan-folder.ts';
import { pdfLibWriter } from '../pdf/pdf-lib-writer.ts';
import { manifestFiles } from './scan/manifest-files.ts';

const NEVER = { aborted: false };

/** The manifest of a folder of the server. */
export const manifestIn = (root: string): ManifestStore => manifestFiles(join(root, MANIFEST_NAME));

/** A plan carried out or taken back elsewhere: reading and writing PDFs takes a processor for itself. */
export type CarryOut = <T extends RenameOutcome | UndoOutcome>(order: CarryOutOrder) => Promise<T>;
/** What it prints. */
export const CarriedOutSchema = v.variant('ok', [
  v.object({ ok: v.literal(true), value: v.looseObject({ result: v.string() }) }),
  v.object({ ok: v.literal(false), failure: FailureSchema }),
]);
interface CarryOutOrder {
  way: 'do' | 'undo';
  plan: DocumentPlan;
  state: KnownPlan<DocumentPlan>['state'];
  hash: string;
  root: string;
  by: string;
}

/**
 * @param beside null: in this process
 * @param manifestAt another one than the folder's own, in tests
 */
export const documentPlans = (
  beside: CarryOut | null = null,
  manifestAt: (root: string) => ManifestStore = manifestIn,
) =>
  documentKind({
    done: 'written',
    previewHash: documentHash,
    async preview(tree, plan, state, cancel = NEVER) {
      const entries = await entriesOf(tree, cancel);
      return previewOf(plan, entries, { rules: tree.rules, state: state ?? { sources: {} }, replaced: [] });
    },
    async execute({ plan, hash, state, root = plan.mediaFolderPath, cancel = NEVER, ...run }) {
      if (beside !== null) return beside<RenameOutcome>({ way: 'do', plan, state, hash, root, by: run.by ?? '' });
      const { told, before } = aboutOf(state?.about);
      const manifest = manifestAt(root);
      const changed = changedSince(plan, before, (await manifestOf(manifest)).entries);
      if (changed !== null) return changed;
      const ports = { ...run, root, cancel, writer: pdfLibWriter(), reader: nodePdfText() };
      const sources = state?.sources ?? {};
      const applied = await applyDocuments(plan, { state: { sources }, hash, manifest: null, told }, ports);
      const { outcome } = applied;
      if (outcome.result !== 'done') return outcome;
      try {
        const [journal] = (await run.journal.list({ planId: plan.id, root })).slice(-1);
        await noteDone(plan, manifest, { steps: journal?.head.steps ?? [], told });
        return { ...outcome, said: saidOf(applied) };
      } catch (error) {
        return taken(await undoRename({ ...run, root, planId: plan.id }), toFailure(error), outcome);
      }
    },
    async undo({ plan, state, planId, ...run }) {
      const root = run.root ?? plan.mediaFolderPath;
      if (beside !== null) return beside<UndoOutcome>({ way: 'undo', plan, state, hash: '', root, by: run.by ?? '' });
      const manifest = manifestAt(root);
      const { before } = aboutOf(state?.about);
      // An undo whose manifest could not be written is brought to its end by the next one.
      const last = state?.taken_back === undefined ? await lastOf({ ...run, planId, root }) : undefined;
      const outcome = await undone({ ...run, planId, root }, last);
      if (outcome.result === 'undone') await noteUndone(plan, manifest, before);
      return outcome;
    },
    async follow({ plan, state }: KnownPlan<DocumentPlan>, journal) {
      const manifest = manifestAt(journal.head.root);
      const { told, before } = aboutOf(state?.about);
      const { ended } = replayJournal(journal);
      if (ended === 'done') await noteDone(plan, manifest, { steps: journal.head.steps, told });
      if (ended === 'undone') await noteUndone(plan, manifest, before);
    },
  });

/** What stands in the manifest since the plan was made is nobody's to overwrite. */
function changedSince(
  { files }: DocumentPlan,
  before: readonly ManifestEntry[],
  now: readonly ManifestEntry[],
): RenameOutcome | null {
  const had = new Map(before.map((entry) => [entry.id, canonical(entry)]));
  const has = new Map(now.map((entry) => [entry.id, canonical(entry)]));
  const problems = files.flatMap(({ id, path }, row) => {
    if (had.get(id) === has.get(id)) return [];
    const message = `The manifest has something else of "${path}" than when this was planned.`;
    return [renameProblem('source-changed', row, path, message, 'Make a new plan.')];
  });
  return problems.length === 0 ? null : { result: 'refused', problems };
}

/** The manifest could not be written: the files went back. */
function taken(
  back: UndoOutcome,
  failure: ReturnType<typeof toFailure>,
  { journalId }: Extract<RenameOutcome, { result: 'done' }>,
): RenameOutcome {
  if (back.result === 'undone') return { result: 'rolled-back', journalId, failure };
  // It stays as planned: the next start, or the next look at the history, writes the manifest.
  throw failed(
    failure.code,
    `${failure.message} The files are as planned; the manifest follows when it can be written.`,
  );
}

async function undone(run: UndoRename & { root: string }, last: Journal | undefined): Promise<UndoOutcome> {
  if (last === undefined || replayJournal(last).ended !== 'undone') return undoRename(run);
  return { result: 'undone', journalId: last.head.id, renamed: last.head.plan.files.length };
}

const lastOf = async ({ journal, planId, root }: UndoRename & { root: string }): Promise<Journal | undefined> =>
  (await journal.list({ planId, root })).at(-1);

function saidOf({ unwritten, warnings }: Applied): { path: string; sentence: string }[] {
  return [
    ...unwritten.map(({ path, reason }) => ({
      path,
      sentence: `It was not written into, ${reason}; it stands in the manifest.`,
    })),
    ...warnings.map(({ path, reason }) => ({ path, sentence: reason })),
  ];
}
