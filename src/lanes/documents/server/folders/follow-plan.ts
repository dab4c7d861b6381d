/** What is known of a folder's documents follows a plan that was carried out in it, or taken back; so do the approved records. */
import * as v from 'valibot';
import type { TreeEntry } from '#core/plan/file-tree.ts';
import type { KeptPlan } from '#core/plan/plan.ts';
import type { CarriedOutWorld } from '#server/plans/server-plans.ts';
import { upsert } from '#server/store/rows.ts';
import { belowFolder } from '#lanes/documents/core/plan/document-kind.ts';
import type { DocumentPlan } from '#lanes/documents/core/plan/document-plan.ts';
import type { DocumentContents } from '../contents.ts';
import { writeShared } from '../record-rows.ts';
import { shareOfPlan } from './share-plan.ts';
import { folderId, wantScan } from './scan-folders.ts';
import { StoredDocumentSchema } from './plan-folder.ts';

/**
 * Done twice it is done once. Answers whether the folder waits for a scan: of what came back out of the trash nothing is
 * known any more.
 */
export async function followPlan(
  { store, plans, events, log }: CarriedOutWorld,
  kept: KeptPlan<DocumentPlan>,
  way: 'done' | 'undone',
  contents: DocumentContents | null,
): Promise<boolean> {
  const { plan } = kept;
  const id = folderId(plan.mediaFolderPath);
  const tree = (await plans.folders.see(plan.mediaFolderPath))?.tree;
  const places = plan.files.map(({ path, to }) => belowFolder(plan, way === 'done' ? to : path));
  const journal = (await plans.journal.list({ planId: plan.id })).at(-1);
  const share =
    journal === undefined
      ? { put: [], gone: [] }
      : await shareOfPlan({ kept, way, journal, tree: tree ?? null, contents, log });
  let former: string[] = [];
  const there = new Map<string, TreeEntry | null>();
  for (const place of places) there.set(place, (await tree?.stat(place)) ?? null);
  const isScanned = way === 'undone' && plan.files.some(({ action }) => action === 'remove');
  await store.write(async (tx) => {
    const of = tx.selectFrom('document_folder_files').selectAll().where('folder_id', '=', id);
    const rows = new Map((await of.execute()).map((row) => [row.path, row]));
    const now = [];
    for (const { path, to, action, record } of plan.files) {
      const [before, after] = way === 'done' ? [path, to] : [to, path];
      const row = rows.get(belowFolder(plan, before));
      if (row === undefined) continue;
      await tx.deleteFrom('document_folder_files').where('folder_id', '=', id).where('path', '=', row.path).execute();
      if (action === 'remove') continue;
      const place = belowFolder(plan, after);
      const known = v.parse(StoredDocumentSchema, row.record);
      const { title, authors, publication, date, year, doi, isbn, pdf_url, source_url } = record;
      const written = { title, authors, publication, date, year, doi, isbn, pdf_url, source_url };
      const is = record.processed && way === 'done' ? { record: written, done: true } : { done: false };
      const { size = known.size, modified = 0 } = there.get(place) ?? {};
      const document = { ...known, ...is, path: place, size, modified };
      now.push({ folder_id: id, path: place, record: JSON.stringify(document) });
    }
    await upsert(tx, 'document_folder_files', now, { key: ['folder_id', 'path'] });
    if (isScanned) await wantScan(tx, id);
    former = (await writeShared(tx, share)).let;
    await contents?.noteUnnamed(tx, former);
  });
  await contents?.letGo(former);
  if (share.put.length + share.gone.length > 0) events.emit({ type: 'CatalogChanged' });
  return isScanned;
}
