import { failed } from '#core/errors.ts';
import { refuseDepth } from '#core/ingest/limits.ts';
import { HEAD_BYTES, sniff } from '#core/ingest/sniff.ts';
import type { ArchiveOptions, OpenArchive, Opening } from '#core/ingest/archive.types.ts';
import { stopOn } from './checked.ts';
import { isReadError } from './zip-failures.ts';

/**
 * Lists an archive by what its bytes are: ZIP, TAR, gzip, 7z or RAR. Nothing is expanded before an entry is read, and then
 * in bounded memory. Throws AccessionError `archive_*` when nothing of the archive can be used.
 */
export async function openArchive(blob: Blob, options: ArchiveOptions): Promise<OpenArchive> {
  const opening: Opening = { ...options, used: options.used ?? { entries: 0, bytes: 0, packed: blob.size } };
  stopOn(refuseDepth(options.name, options.depth ?? 1, options.limits));
  const kind = sniff(await head(blob, options.name));
  if (kind === 'tar') return (await import('./tar.ts')).openTar(blob, opening);
  if (kind === 'gzip') return (await import('./gzip.ts')).openGzip(blob, opening);
  if (kind === '7z' || kind === 'rar') return (await import('./packed/open-packed.ts')).openPacked(blob, kind, opening);
  // All else too: a ZIP may have a program in front of it, and what is none says so better than its first bytes.
  return (await import('./zip.ts')).openZip(blob, opening);
}

async function head(blob: Blob, name: string): Promise<Uint8Array> {
  try {
    return new Uint8Array(await blob.slice(0, HEAD_BYTES).arrayBuffer());
  } catch (error) {
    if (!isReadError(error)) throw error;
    const message = `"${name}" could not be read any more.`;
    throw failed('file_unreadable', message, { subject: name, cause: error });
  }
}
