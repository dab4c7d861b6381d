/** Plans over documents as a kind of plans, and what is kept beside such a plan. */
import * as v from 'valibot';
import { EntrySchema, type ManifestEntry } from '#core/documents/manifest-form.ts';
import type { PlanExecution, PlanKind } from '#core/plan/plan-kind.ts';
import { lastPart, locate } from '#core/plan/plan-path.ts';
import { refusal } from '#core/plan/plan-rules.ts';
import { ToldSchema, type Told } from '../manifest/told.ts';
import type { SharePart } from '../share/approved.ts';
import { DocumentEntrySchema, isTrash, TASK, type DocumentEntry, type DocumentPlan } from './document-plan.ts';

/** `about` of such a plan: where its records are from, what the manifest had of its documents, what of it is for others. */
const AboutSchema = v.object({
  told: ToldSchema,
  before: v.array(EntrySchema),
  share: v.optional(v.picklist(['nothing', 'records', 'pdfs']), 'records'),
});
export type AboutDocuments = { told: Told; before: ManifestEntry[]; share: SharePart };

/** A plan that came whole from a program says neither. */
export function aboutOf(about: unknown): AboutDocuments {
  const parsed = v.safeParse(AboutSchema, about);
  return parsed.success ? parsed.output : { told: {}, before: [], share: 'records' };
}

/** @param execution null: where such plans are only shown */
export const documentKind = (
  execution: PlanExecution<DocumentPlan> | null,
): PlanKind<typeof TASK, DocumentEntry, never> => ({
  task: TASK,
  entry: DocumentEntrySchema,
  paths: { path: 'source', to: 'target' },
  check: checkEntry,
  execution,
  // A model chooses among identifiers and is never the author of a record.
  tools: null,
});

function checkEntry(others: readonly DocumentEntry[], { path, action, to, id, record }: DocumentEntry): void {
  if (record.id !== id) throw refusal(`The record of "${lastPart(path)}" is another document's.`, path);
  // Below the folder or not: what counts is that the name leads into a trash.
  if ((action === 'remove') !== isTrash(to.slice(1)))
    throw refusal(
      action === 'remove' ? `"${to}" is no place in the trash.` : `"${lastPart(path)}" is not to be removed.`,
      to,
    );
  for (const other of others) {
    if (other.path === path) throw refusal(`"${lastPart(path)}" is in the plan already.`, path);
    if (other.to === to) throw refusal(`"${lastPart(to)}" is to be the name of "${lastPart(other.path)}".`, to);
    if (other.id === id) throw refusal(`"${lastPart(path)}" has the same content as "${lastPart(other.path)}".`, path);
  }
}

/** A path of the plan below its folder. */
export function belowFolder({ mediaFolderPath }: Pick<DocumentPlan, 'mediaFolderPath'>, path: string): string {
  const place = locate(mediaFolderPath, path);
  return place.ok ? place.below : path;
}
