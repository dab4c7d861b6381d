/**
 * The plan `apply-document-metadata`: which documents get their record written, which name, and which go to the trash.
 * It is carried out by the engine's journal, as steps that write behind a file and steps that give it a name.
 */
import * as v from 'valibot';
import { createSHA256 } from 'hash-wasm';
import { canonical } from '#core/agent/tools/tool.ts';
import type { TreeEntry, TreeRules } from '#core/plan/file-tree.ts';
import { PosixPathSchema, type Plan, type PlanDocument, type PlanState, type RenameEntry } from '#core/plan/plan.ts';
import { extensionOf, lastPart, parentOf, parentsOf } from '#core/plan/plan-path.ts';
import type { RenamePreview } from '#core/plan/preview-rename.ts';
import type { ReplaceStep } from '#core/plan/rename-journal.ts';
import { validateRename } from '#core/plan/validate-rename.ts';
import { EntrySchema } from '#core/documents/manifest-form.ts';

export const TASK = 'apply-document-metadata';
/** Where removed files wait, inside their folder. */
export const TRASH = '.accession-trash';
/** Files of these endings go with a document of their name. */
const COMPANIONS: ReadonlySet<string> = new Set(['.bib', '.ris', '.txt']);

export const DocumentEntrySchema = v.object({
  path: PosixPathSchema,
  /** SHA-256 of the file as it first came. */
  id: v.string(),
  /** `remove`: `to` is its place in the trash. A `write` whose record is not processed was skipped: the manifest alone gets it. */
  action: v.picklist(['write', 'remove']),
  to: PosixPathSchema,
  /** As the manifest will have it; of a removed one nothing goes there. */
  record: EntrySchema,
});
export type DocumentEntry = v.InferOutput<typeof DocumentEntrySchema>;
export type DocumentPlan = PlanDocument<typeof TASK, DocumentEntry>;
export const isDocumentPlan = (plan: Plan): plan is DocumentPlan => plan.task === TASK;

/** What a person is shown and what is carried out are the same when this SHA-256 is. */
export async function documentHash({
  id,
  task,
  mediaFolderPath,
  files,
}: Omit<DocumentPlan, 'status'>): Promise<string> {
  return (await createSHA256()).update(canonical({ id, task, mediaFolderPath, files })).digest();
}

/** Names of documents and of what goes with them. `entries`: everything in the folder. */
export function renamesOf({ mediaFolderPath, files }: DocumentPlan, entries: readonly TreeEntry[]): RenameEntry[] {
  const rows = files.map(({ path, to }) => ({ from: path, to }));
  const named = new Set(files.map(({ path }) => path));
  const stem = (path: string): string => path.slice(0, path.length - extensionOf(path).length);
  const byStem = new Map(rows.filter(({ from, to }) => from !== to).map(({ from, to }) => [stem(from), stem(to)]));
  for (const { path, kind } of entries) {
    const whole = `${mediaFolderPath}/${path}`;
    const to = byStem.get(stem(whole));
    if (kind === 'file' && to !== undefined && COMPANIONS.has(extensionOf(path).toLowerCase()) && !named.has(whole))
      rows.push({ from: whole, to: `${to}${extensionOf(path)}` });
  }
  return rows;
}

/** What carrying it out would do. `replaced`: the contents, of rows that are written into. */
export async function previewOf(
  plan: DocumentPlan,
  entries: readonly TreeEntry[],
  { rules, state, replaced }: { rules: TreeRules; state: Pick<PlanState, 'sources'>; replaced: readonly ReplaceStep[] },
): Promise<RenamePreview> {
  const { id, mediaFolderPath } = plan;
  const { problems, order } = validateRename(
    { id, mediaFolderPath, files: renamesOf(plan, entries) },
    entries,
    rules,
    state,
  );
  return { hash: await documentHash(plan), problems, order: problems.length > 0 ? [] : [...replaced, ...order] };
}

/** Below the folder: a free name that says the title, with the year where it is known. `taken`: names that are given. */
export function nameFor(
  { title, year }: { title: string; year: number | null },
  path: string,
  { fold, taken }: { fold: (text: string) => string; taken: (path: string) => boolean },
): string {
  const slug = fold(title).replaceAll(' ', '_').slice(0, LONGEST_SLUG).replace(/_+$/, '');
  if (slug === '') return path;
  const [folder, stem] = [parentOf(path), year === null ? slug : `${slug}_${year}`];
  for (let n = 1; ; n++) {
    const name = `${stem}${n === 1 ? '' : `_${n}`}${extensionOf(path)}`;
    const whole = folder === '' ? name : `${folder}/${name}`;
    if (whole === path || !taken(whole)) return whole;
  }
}

const LONGEST_SLUG = 120;

/** Where a removed file waits, below the folder: a free name in the trash. */
export function trashPlace(path: string, taken: (path: string) => boolean): string {
  const [name, ending] = [lastPart(path), extensionOf(path)];
  for (let n = 1; ; n++) {
    const place = `${TRASH}/${n === 1 ? name : `${name.slice(0, name.length - ending.length)}_${n}${ending}`}`;
    if (!taken(place)) return place;
  }
}

/** Whether a path lies in a trash. */
export const isTrash = (path: string): boolean => parentsOf(path).some((folder) => lastPart(folder) === TRASH);
