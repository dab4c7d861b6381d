import { BlobReader, BlobWriter, ZipWriter } from '@zip.js/zip.js';

/** Files in one ZIP, as they are: audio hardly packs. Their names are paths inside it, each its own. */
export async function zipOf(files: readonly { name: string; blob: Blob }[]): Promise<Blob> {
  const zip = new ZipWriter(new BlobWriter('application/zip'), { level: 0, useWebWorkers: false });
  for (const { name, blob } of files) await zip.add(name, new BlobReader(blob));
  return zip.close();
}
