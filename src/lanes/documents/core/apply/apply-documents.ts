/** Carries out a plan over documents, and takes it back: the files by the engine's journal, then the manifest. */
import { failed } from '#core/errors.ts';
import type { PdfText } from '#core/ingest/pdf.ts';
import { executeRename, undoRename } from '#core/plan/execute-rename.ts';
import type { PlanState } from '#core/plan/plan.ts';
import { locate } from '#core/plan/plan-path.ts';
import { joinBytes } from '#core/ingest/bytes.ts';
import { contentOf, encoded, sha256Of } from '#core/plan/replace-content.ts';
import type { RenameStep, ReplaceStep } from '#core/plan/rename-journal.ts';
import type { RenameOutcome, RenamePorts, UndoOutcome } from '#core/plan/rename-run.types.ts';
import type { Cancel, Ids } from '#core/ports.ts';
import type { Manifest, ManifestEntry, Renamed } from '#core/documents/manifest-form.ts';
import { takenBack, withEntries } from '../manifest/manifest.ts';
import { cslItemOf } from '../cite/csl-item.ts';
import { forgetState, noteState } from '../manifest/manifest-state.ts';
import type { Told } from '../manifest/told.ts';
import { rewriteManifest, type ManifestStore } from '../manifest/manifest-store.ts';
import { previewOf, renamesOf, type DocumentPlan } from '../plan/document-plan.ts';
import { entriesOf } from '../plan/scan-folder.ts';
import { isPdfPath, NOT_WRITTEN } from '../written/written-file.ts';
import { prepareMark, preparePdf, type PdfWriter } from '../write/prepare-pdf.ts';

export interface ApplyPorts extends RenamePorts {
  ids: Ids;
  cancel: Cancel;
  writer: PdfWriter;
  reader: PdfText;
  root: string;
  /** What is skipped and says nothing of itself gets `/ProcessedBy`. */
  markSkipped?: boolean;
  /** What is written is made and read again, before anything is touched. */
  prepared?: (done: number, total: number) => void;
}

export interface Applied {
  outcome: RenameOutcome;
  /** Documents that keep their content, with the reason, by path; their entry stands in the manifest alone. */
  unwritten: { path: string; reason: string }[];
  warnings: { path: string; reason: string }[];
}

/** @param manifest null: none is kept. Throws AccessionError where the folder or the manifest cannot be read. */
export async function applyDocuments(
  plan: DocumentPlan,
  {
    state,
    hash,
    manifest,
    told,
  }: { state: Pick<PlanState, 'sources'>; hash: string; manifest: ManifestStore | null; told: Told },
  ports: ApplyPorts,
): Promise<Applied> {
  const { tree } = ports;
  const entries = await entriesOf(tree, ports.cancel);
  const { replaced, unwritten, warnings } = await contentsOf(plan, ports);
  const outcome = await executeRename({
    ...ports,
    plan: { ...plan, task: 'rename-files', files: renamesOf(plan, entries) },
    hash,
    preview: () => previewOf(plan, entries, { rules: tree.rules, state, replaced }),
  });
  if (outcome.result === 'done' && manifest !== null) await noteDone(plan, manifest, { steps: replaced, told });
  return { outcome, unwritten, warnings };
}

/** What was carried out, in the manifest and in its state. `steps`: of the run's journal; `told`: where records are from. */
export async function noteDone(
  plan: DocumentPlan,
  manifest: ManifestStore,
  { steps, told }: { steps: readonly RenameStep[]; told: Told },
): Promise<void> {
  const written = steps.flatMap((step): [string, string][] => {
    const id = step.do === 'replace' ? plan.files[step.row]?.id : undefined;
    return step.do !== 'replace' || id === undefined ? [] : [[step.after.sha256, id]];
  });
  const documents = plan.files.flatMap(({ id, action, record }) => {
    const of = told[id];
    return of === undefined || action !== 'write' || !record.processed
      ? []
      : [[id, { csl: cslItemOf(record, id), ...of }] as const];
  });
  // The manifest last: where it cannot be written, nobody believes that something was done.
  await noteState(manifest, new Map(written), Object.fromEntries(documents));
  await rewriteManifest(manifest, (kept) => added(kept, plan));
}

/** Takes the plan's newest run back, and with it what the manifest got. `before`: the entries that it had of these documents. */
export async function undoDocuments(
  plan: DocumentPlan,
  { manifest, before }: { manifest: ManifestStore | null; before: readonly ManifestEntry[] },
  ports: ApplyPorts,
): Promise<UndoOutcome> {
  const outcome = await undoRename({ ...ports, planId: plan.id });
  if (outcome.result === 'undone' && manifest !== null) await noteUndone(plan, manifest, before);
  return outcome;
}

/** What was taken back, in the manifest. */
export async function noteUndone(
  plan: DocumentPlan,
  manifest: ManifestStore,
  before: readonly ManifestEntry[],
): Promise<void> {
  const ids = new Set(plan.files.map(({ id }) => id));
  await rewriteManifest(manifest, (kept) => takenBack(kept, ids, { before, renames: namedAnew(plan) }));
  const had = new Set(before.map(({ id }) => id));
  await forgetState(manifest, new Set([...ids].filter((id) => !had.has(id))));
}

/** What is written into each document, proved to be right. */
export async function contentsOf(
  plan: DocumentPlan,
  {
    tree,
    cancel,
    prepared,
    markSkipped = false,
    ...using
  }: Pick<ApplyPorts, 'tree' | 'cancel' | 'prepared' | 'markSkipped' | 'writer' | 'reader'>,
): Promise<{ replaced: ReplaceStep[] } & Pick<Applied, 'unwritten' | 'warnings'>> {
  const [replaced, unwritten, warnings]: [ReplaceStep[], Applied['unwritten'], Applied['warnings']] = [[], [], []];
  for (const [row, { path: said, action, record }] of plan.files.entries()) {
    if (cancel.aborted) throw failed('cancelled', 'It was cancelled; nothing was touched.');
    prepared?.(row, plan.files.length);
    const place = locate(plan.mediaFolderPath, said);
    const isWritten = action === 'write' && (record.processed || markSkipped);
    const entry = place.ok && isWritten ? await tree.stat(place.below) : null;
    // What is no file there is a problem that the preview names; what was skipped stands in the manifest alone.
    if (!place.ok || entry?.kind !== 'file') continue;
    if (!isPdfPath(place.below)) {
      unwritten.push({ path: place.below, reason: NOT_WRITTEN });
      continue;
    }
    const original = await contentOf(tree, place.below);
    const made = record.processed ? await preparePdf(original, record, using) : await prepareMark(original, using);
    if (made === null) continue;
    if (made.write === 'refused') {
      unwritten.push({ path: place.below, reason: made.reason });
      continue;
    }
    if (made.warning !== null) warnings.push({ path: place.below, reason: made.warning });
    const whole = joinBytes([original, made.added]);
    replaced.push({
      do: 'replace',
      row,
      path: place.below,
      before: { size: original.length, sha256: await sha256Of(original) },
      after: { size: whole.length, sha256: await sha256Of(whole) },
      modified: entry.modified,
      added: encoded(made.added),
    });
  }
  return { replaced, unwritten, warnings };
}

/** The manifest with what a plan over documents says of them. */
export function added(manifest: Manifest, plan: DocumentPlan): Manifest {
  const written = plan.files.filter(({ action }) => action === 'write');
  return withEntries(
    manifest,
    written.map(({ record }) => record),
    namedAnew(plan),
  );
}

/** Names below the folder, of those that get another one. */
function namedAnew({ files, mediaFolderPath }: DocumentPlan): Renamed[] {
  const below = (path: string): string => path.slice(mediaFolderPath.length + 1);
  const renamed = files.filter(({ action, path, to }) => action === 'write' && path !== to);
  return renamed.map(({ id, path, to }) => ({ id, from: below(path), to: below(to) }));
}
