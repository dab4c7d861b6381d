/** A plan of what a person decided about documents of a folder of the server, over what its scan found of each. */
import * as v from 'valibot';
import { randomUuids } from '#core/ids.ts';
import { failed } from '#core/errors.ts';
import { sameTime } from '#core/plan/file-tree.ts';
import type { PlanState } from '#core/plan/plan.ts';
import { manifestOf } from '#lanes/documents/core/manifest/manifest-store.ts';
import { belowFolder } from '#lanes/documents/core/plan/document-kind.ts';
import { TASK } from '#lanes/documents/core/plan/document-plan.ts';
import { makePlan, type Decided } from '#lanes/documents/core/plan/make-plan.ts';
import { entriesOf } from '#lanes/documents/core/plan/scan-folder.ts';
import { manifestIn } from '#lanes/documents/node/document-plans.ts';
import { previewOf } from '#server/plans/carry-out.ts';
import { chunks } from '#server/store/rows.ts';
import { serverPlans, type PlansDeps } from '#server/plans/server-plans.ts';
import {
  FolderDocumentSchema,
  type DecidedFolder,
  type DecideFolderSchema,
  type FolderDocument,
} from '../../core/folders/folder-document.ts';
import type { DocumentFolderTable } from '../tables.ts';

export const StoredDocumentSchema = v.pipe(v.string(), v.parseJson(), FolderDocumentSchema);

/** Throws AccessionError: `not_found`, `conflict` where a document is not as it was scanned, `invalid` where nothing is left. */
export async function planFolder(
  deps: PlansDeps,
  folder: DocumentFolderTable,
  { decided: wish, rename, share }: v.InferOutput<typeof DecideFolderSchema>,
  by: string,
): Promise<DecidedFolder> {
  const seen = await deps.plans.folders.see(folder.path);
  if (seen === null) throw failed('not_found', `The folder "${folder.path}" is not there now.`);
  const { tree, root } = seen;
  const entries = await entriesOf(tree, { aborted: false });
  const there = new Map(entries.map((entry) => [entry.path, entry]));
  const paths = wish.map(({ path }) => path);
  const known = await scannedOf(deps, folder.id, paths);
  const notes: PlanState['notes'] = {};
  const mediaFolderPath = folder.path.replace(/(?<=.)\/$/, '');
  const decided = wish.map((one): Decided => {
    const { path, action } = one;
    const document = known.get(path);
    if (document === undefined) throw failed('not_found', `The scan of the folder knows no "${path}".`);
    const entry = there.get(path);
    if (entry?.size !== document.size || !sameTime(entry.modified, document.modified))
      throw failed('conflict', `"${path}" is not as it was when it was scanned.`, { remedy: 'Scan the folder again.' });
    const record = one.record ?? document.record;
    if (action === 'write' && record === null)
      throw failed('invalid', `Nothing is known of "${path}" that could be written.`);
    const source = one.record === undefined ? document.source : (one.source ?? null);
    const { sure, reasons, evidence, id } = document;
    notes[`${mediaFolderPath}/${path}`] = { confidence: SURE[sure], reasons };
    const writable = document.why_not === null;
    return { path, id, action, record, source, evidence, notes: reasons.slice(1).join(' '), writable };
  });
  const { plan, before, told } = makePlan(decided, {
    ...{ id: randomUuids.next(), root: mediaFolderPath, entries, rules: tree.rules, rename },
    known: (await manifestOf(manifestIn(root))).entries,
    now: new Date(deps.clock.now()).toISOString(),
  });
  if (plan.files.length === 0) throw failed('invalid', 'Nothing would change: what is skipped stands in the manifest.');
  const plans = serverPlans(deps);
  const proposal = { task: TASK, mediaFolderPath, files: plan.files, notes, source: 'person' } as const;
  const { plan: kept } = await plans.service.propose({ ...proposal, about: { told, before, share } }, by);
  const { hash, problems } = await previewOf(deps, plans, kept.id);
  const files = plan.files.map((file) => ({
    ...{ path: belowFolder(plan, file.path), to: belowFolder(plan, file.to), action: file.action },
    skipped: file.action === 'write' && !file.record.processed,
  }));
  return { planId: kept.id, hash, problems, files };
}

/** What a person makes of it is theirs; this is what the scan said. */
const SURE = { strong: 1, unsure: 0.5, unknown: 0 } as const;

async function scannedOf(
  { store }: Pick<PlansDeps, 'store'>,
  folder: string,
  paths: readonly string[],
): Promise<Map<string, FolderDocument>> {
  const found = new Map<string, FolderDocument>();
  for (const part of chunks(paths)) {
    const of = store.db.selectFrom('document_folder_files').selectAll().where('folder_id', '=', folder);
    for (const { path, record } of await of.where('path', 'in', part).execute())
      found.set(path, v.parse(StoredDocumentSchema, record));
  }
  return found;
}
