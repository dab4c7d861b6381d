/** Dropped documents as they would be in a folder, in a ZIP: written, named anew, without the removed ones, with the manifest. */
import JSZip from 'jszip';
import type { TreeEntry } from '#core/plan/file-tree.ts';
import { contentOf, decoded } from '#core/plan/replace-content.ts';
import { joinBytes } from '#core/ingest/bytes.ts';
import { added, contentsOf, type ApplyPorts } from '#lanes/documents/core/apply/apply-documents.ts';
import { manifestText } from '#lanes/documents/core/manifest/manifest.ts';
import { renamesOf, type DocumentPlan } from '#lanes/documents/core/plan/document-plan.ts';

type ZipPorts = Pick<ApplyPorts, 'tree' | 'cancel' | 'prepared' | 'writer' | 'reader'>;

/** Throws AccessionError `cancelled`. */
export async function zipOfDocuments(plan: DocumentPlan, entries: readonly TreeEntry[], ports: ZipPorts) {
  const { replaced, unwritten, warnings } = await contentsOf(plan, ports);
  const below = (path: string): string => path.slice(plan.mediaFolderPath.length + 1);
  const names = new Map(renamesOf(plan, entries).map(({ from, to }) => [below(from), below(to)]));
  const gone = new Set(plan.files.flatMap(({ action, path }) => (action === 'remove' ? [below(path)] : [])));
  const more = new Map(replaced.map((step) => [step.path, decoded(step.added)]));
  const zip = new JSZip();
  let files = 0;
  for (const { path } of entries) {
    if (gone.has(path)) continue;
    const content = await contentOf(ports.tree, path);
    zip.file(
      names.get(path) ?? path,
      joinBytes([content, ...[more.get(path) ?? []].map((part) => new Uint8Array(part))]),
    );
    files++;
  }
  zip.file('manifest.json', manifestText(added({ version: 1, entries: [] }, plan)));
  const blob = await zip.generateAsync({ type: 'blob', compression: 'STORE' });
  return { zip: blob, name: 'documents.zip', files, written: replaced.length, unwritten, warnings };
}
