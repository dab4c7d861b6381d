/** What of a plan goes to the catalog server: records that were written, with their PDFs where the person ticked that. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { contentOf, sha256Of } from '#core/plan/replace-content.ts';
import type { FileTree } from '#core/plan/file-tree.ts';
import type { ManifestEntry } from '#core/documents/manifest-form.ts';
import { approvedOf, takenBackOf, type SharePart } from '#lanes/documents/core/share/approved.ts';
import { LARGEST_CONTENT, sharedOf } from '#lanes/documents/core/share/shared-document.ts';
import { isPdfPath } from '#lanes/documents/core/written/written-file.ts';
import type { Told } from '#lanes/documents/core/manifest/told.ts';
import type { DocumentPlan } from '#lanes/documents/core/plan/document-plan.ts';

interface Done {
  plan: DocumentPlan;
  told: Told;
  part: SharePart;
  /** Milliseconds. */
  now: number;
  /** Where a document is now, below the folder. */
  placeOf: (file: DocumentPlan['files'][number]) => string;
}

type Db = Pick<AccessionDb, 'document_outbox'>;

/** Queues the records of a plan that was carried out. The same again changes nothing. */
export async function queueDone(db: Db, tree: FileTree, { plan, told, part, now, placeOf }: Done): Promise<void> {
  if (part === 'nothing') return;
  for (const file of approvedOf(plan)) {
    const { id, record } = file;
    const bytes =
      part === 'pdfs' && isPdfPath(file.path) ? await contentOf(tree, placeOf(file)).catch(() => null) : null;
    const goes = bytes !== null && bytes.length <= LARGEST_CONTENT ? bytes : null;
    const content = goes === null ? null : { sha256: await sha256Of(goes), size: goes.length };
    const shared = sharedOf(record, { source: told[id]?.source ?? null, content, approved_at: now });
    await db.document_outbox.put({
      ...{ id, approved_at: now, record: shared, refused: null, next_at: 0 },
      content: goes === null ? null : new Blob([new Uint8Array(goes)], { type: 'application/pdf' }),
    });
  }
}

/** What was taken back: what the manifest said before counts again there, else nothing. */
export async function queueUndone(
  db: Db,
  { plan, before, part, now }: { plan: DocumentPlan; before: readonly ManifestEntry[]; part: SharePart; now: number },
): Promise<void> {
  if (part === 'nothing') return;
  for (const { id, record } of takenBackOf(plan, before, now))
    await db.document_outbox.put({ id, approved_at: now, record, content: null, refused: null, next_at: 0 });
}
