/** What a plan over a folder of the server approved, as workstations hear of it. */
import * as v from 'valibot';
import { toFailure } from '#core/errors.ts';
import type { FileTree } from '#core/plan/file-tree.ts';
import type { KeptPlan } from '#core/plan/plan.ts';
import type { Journal } from '#core/plan/rename-journal.ts';
import { aboutOf, belowFolder } from '#lanes/documents/core/plan/document-kind.ts';
import type { DocumentPlan } from '#lanes/documents/core/plan/document-plan.ts';
import { approvedOf, takenBackOf } from '#lanes/documents/core/share/approved.ts';
import {
  LARGEST_CONTENT,
  sharedOf,
  SharedDocumentSchema,
  type Share,
  type SharedDocument,
} from '#lanes/documents/core/share/shared-document.ts';
import { isPdfPath } from '#lanes/documents/core/written/written-file.ts';
import type { Log } from '#server/log.ts';
import type { DocumentContents } from '../contents.ts';

export interface SharePlan {
  kept: KeptPlan<DocumentPlan>;
  way: 'done' | 'undone';
  /** The plan's newest: when it was done, and what is in the files since. */
  journal: Journal;
  tree: FileTree | null;
  /** Where PDFs are kept that records name; null: records go alone. */
  contents: Pick<DocumentContents, 'put'> | null;
  log: Pick<Log, 'warn'>;
}

/** The same again gives the same, however late: what was approved last counts. */
export async function shareOfPlan(using: SharePlan): Promise<Share> {
  const { kept, way, journal } = using;
  const { plan } = kept;
  const { told, before, share } = aboutOf(kept.state.about);
  if (share === 'nothing') return { put: [], gone: [] };
  const now = journal.records.findLast((one) => one.kind === 'end')?.at ?? journal.head.started_at;
  if (way === 'undone') {
    const all = takenBackOf(plan, before, now);
    return {
      put: fitting(all.flatMap(({ record }) => record ?? [])),
      gone: all.flatMap(({ id, record }) => (record === null ? [{ id, approved_at: now }] : [])),
    };
  }
  const put: SharedDocument[] = [];
  for (const { id, record, to } of approvedOf(plan)) {
    const content = share === 'pdfs' && isPdfPath(to) ? await contentOf(id, belowFolder(plan, to), using) : null;
    put.push(sharedOf(record, { source: told[id]?.source ?? null, content, approved_at: now }));
  }
  return { put: fitting(put), gone: [] };
}

/** What is longer than a record may be stays in its folder. */
const fitting = (all: readonly SharedDocument[]): SharedDocument[] =>
  all.filter((one) => v.is(SharedDocumentSchema, one));

/** Kept beside the folder, so that it can be had while somebody changes the folder. Null: it cannot, and the record goes alone. */
async function contentOf(
  id: string,
  place: string,
  { kept, journal, tree, contents, log }: SharePlan,
): Promise<SharedDocument['content']> {
  const entry = (await tree?.stat(place)) ?? null;
  if (tree === null || contents === null || entry?.kind !== 'file' || entry.size > LARGEST_CONTENT) return null;
  const row = kept.plan.files.findIndex((file) => file.id === id);
  const written = journal.head.steps.find((step) => step.do === 'replace' && step.row === row);
  const sha256 = written?.do === 'replace' ? written.after.sha256 : id;
  try {
    return { sha256, size: await contents.put(sha256, tree.read(place)) };
  } catch (error) {
    log.warn('the PDF of an approved record was not kept', { document: id, error: toFailure(error).message });
    return null;
  }
}
