/** What of a plan over documents goes to the catalog server: records that were approved, and what counts after an undo. */
import type { ManifestEntry } from '#core/documents/manifest-form.ts';
import type { DocumentEntry, DocumentPlan } from '../plan/document-plan.ts';
import { sharedOf, type SharedDocument } from './shared-document.ts';

/** What a person lets go to the server. */
export type SharePart = 'nothing' | 'records' | 'pdfs';

/** Documents whose record was approved; an entry of another program may have an id of its own, which is nobody's content. */
export const approvedOf = ({ files }: Pick<DocumentPlan, 'files'>): DocumentEntry[] =>
  files.filter(({ id, action, record }) => action === 'write' && record.processed && /^[0-9a-f]{64}$/.test(id));

/** What was taken back: what the manifest said before counts again there, else nothing (null). */
export function takenBackOf(
  plan: Pick<DocumentPlan, 'files'>,
  before: readonly ManifestEntry[],
  now: number,
): { id: string; record: SharedDocument | null }[] {
  const known = new Map(before.map((entry) => [entry.id, entry]));
  return approvedOf(plan).map(({ id }) => {
    const entry = known.get(id);
    const isApproved = entry?.processed === true;
    return { id, record: isApproved ? sharedOf(entry, { source: null, content: null, approved_at: now }) : null };
  });
}
