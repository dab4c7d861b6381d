/** The files of a server's data directory, or of its bucket, as the server itself opens them. */
import { openDiskMedia } from '#adapters/node/disk-media-store.ts';
import { openDiskOriginals } from '#adapters/node/disk-originals.ts';
import { readConfigFile, secretOf } from '#server/config-file.ts';
import type { FilesDeps } from '#server/storage/verify-files.ts';

/** @param shared several processes serve them */
export async function openKeptFiles(
  data: string,
  shared: boolean,
  env: NodeJS.ProcessEnv,
): Promise<Pick<FilesDeps, 'blobs' | 'originals'>> {
  const { ingestion, blobs } = await readConfigFile(env, data);
  const originals = await openDiskOriginals(ingestion.temp_dir);
  if (blobs === null) return { originals, blobs: await openDiskMedia(data, { shared }) };
  const { createS3Client } = await import('#adapters/node/s3-client.ts');
  const { openS3Media } = await import('#adapters/node/s3-media-store.ts');
  return { originals, blobs: await openS3Media(data, createS3Client({ ...blobs, secret: secretOf(blobs) })) };
}
