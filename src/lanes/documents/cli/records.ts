/** `documents import --file|--xml` and `documents export`, over the manifest. */
import { resolve } from 'node:path';
import { writeFileAtomic } from '#lanes/documents/node/text-file.ts';
import { readText } from '#cli/json-lines.ts';
import { exportRecords, type ExportFormat } from '#lanes/documents/core/export/export-records.ts';
import { importListings, listedEntry, type ListingForm } from '#lanes/documents/core/listings/import-listings.ts';
import { manifestOf, rewriteManifest } from '#lanes/documents/core/manifest/manifest-store.ts';
import { withListings } from '#lanes/documents/core/manifest/manifest.ts';
import { manifestFiles } from '#lanes/documents/node/scan/manifest-files.ts';

/** @returns exit code: 1 where nothing is listed. Throws AccessionError where a file cannot be read, or is no manifest. */
export async function importFile(
  { path, form }: { path: string; form: ListingForm | null },
  { manifest, dryRun }: { manifest: string; dryRun: boolean },
  say: (line: string) => void,
): Promise<number> {
  const { listings, why } = importListings(await readText(path), form);
  if (why !== null) {
    say(`${path}: ${why}`);
    return 1;
  }
  for (const { kind, title, authors, publication, date, doi, isbn } of listings) {
    const said = [title, authors.join(', '), `${publication} ${date}`.trim(), doi || isbn];
    say(`${kind}: ${said.filter((text) => text !== '').join(' · ')}`);
  }
  const store = manifestFiles(resolve(manifest));
  const known = new Set((await manifestOf(store)).entries.map(({ id }) => id));
  const now = new Date().toISOString();
  const entries = await Promise.all(listings.map((listing) => listedEntry(listing, now)));
  const fresh = new Set(entries.flatMap(({ id }) => (known.has(id) ? [] : [id]))).size;
  if (!dryRun) await rewriteManifest(store, (kept) => withListings(kept, entries));
  say(`${listings.length} listed, ${fresh} new; ${dryRun ? 'nothing was written' : `they are in ${manifest}`}`);
  return 0;
}

/** @param out null: to the terminal. Throws as importFile. */
export async function exportFile(
  { format, manifest, out }: { format: ExportFormat; manifest: string; out: string | null },
  say: (line: string) => void,
): Promise<void> {
  const { entries } = await manifestOf(manifestFiles(resolve(manifest)));
  const text = exportRecords(entries, format);
  if (out === null) return say(text.trimEnd());
  await writeFileAtomic(out, text);
  say(`${entries.length} records are in ${out}`);
}
