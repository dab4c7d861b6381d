import * as zip from '@zip.js/zip.js';
import { AccessionError, failure, toFailure, messageOf, type Failure } from '#core/errors.ts';
import { describeFile } from '#core/ingest/file-kinds.ts';

/** What zip.js says of an archive that cannot be listed, in our words. */
export async function archiveFailure(error: unknown, name: string, blob: Blob): Promise<Failure> {
  const told = (code: Parameters<typeof failure>[0], why: string): Failure =>
    failure(code, `"${name}" ${why}.`, { subject: name });
  if (error instanceof AccessionError) return error.failure;
  if (isReadError(error)) return told('file_unreadable', 'could not be read any more');
  switch (messageOf(error)) {
    case zip.ERR_EOCDR_NOT_FOUND:
    case zip.ERR_BAD_FORMAT:
    case zip.ERR_EOCDR_LOCATOR_ZIP64_NOT_FOUND:
      return (await beginsLikeZip(blob))
        ? told('archive_truncated', 'is cut off: its end, where a ZIP lists its files, is missing')
        : told('archive_corrupt', 'is damaged: it has no list of files');
    case zip.ERR_SPLIT_ZIP_FILE:
      return told('archive_unsupported', 'is one part of a split ZIP');
    case zip.ERR_ENCRYPTED_CENTRAL_DIRECTORY:
      return told(
        'archive_unsupported',
        'is protected by a password, its list of files included, which cannot be opened here yet',
      );
    case zip.ERR_AMBIGUOUS_ARCHIVE:
      return told('archive_corrupt', 'can be read in more than one way');
    default:
      return told('archive_corrupt', 'is damaged: its list of files cannot be read');
  }
}

/**
 * What zip.js and the browser's decompression say of one entry, in our words. The other entries are not touched by it.
 * Of an encrypted one nobody can tell a wrong password from damage: its check lets one in 256 wrong ones through.
 */
export function entryFailure(error: unknown, entry: string, archive: string, encrypted = false): Failure {
  const told = (code: Parameters<typeof failure>[0], why: string): Failure =>
    failure(code, `${describeFile(entry, archive)} ${why}.`, { subject: entry });
  if (isReadError(error)) return told('file_unreadable', 'could not be read any more');
  if (encrypted && isDamage(error))
    return told('archive_encrypted', 'does not open with this password, or it is damaged');
  switch (messageOf(error)) {
    case zip.ERR_INVALID_PASSWORD:
      return told('archive_encrypted', 'does not open with this password');
    case zip.ERR_INVALID_CRC32:
      return told('archive_entry_crc', 'is damaged: its checksum is wrong');
    case zip.ERR_INVALID_COMPRESSED_DATA:
      return told('archive_entry_crc', 'is damaged: its packed data is broken');
    case zip.ERR_INVALID_UNCOMPRESSED_SIZE:
      return told('archive_corrupt', 'has another size than the archive says');
    case zip.ERR_OVERLAPPING_ENTRY:
      return told('archive_corrupt', 'shares its data with another entry, which no honest archive does');
    case zip.ERR_LOCAL_FILE_HEADER_NOT_FOUND:
    case zip.ERR_ENTRY_DATA_OUT_OF_BOUNDS:
    case zip.ERR_EXTRAFIELD_ZIP64_NOT_FOUND:
      return told('archive_corrupt', 'is not where the archive says');
    case zip.ERR_UNSUPPORTED_COMPRESSION:
      return told('archive_unsupported', 'is packed with a method that cannot be read here');
    case zip.ERR_ENCRYPTED:
      return told('archive_encrypted', 'needs a password');
    case zip.ERR_UNSUPPORTED_ENCRYPTION:
      return told('archive_unsupported', 'is protected in a way that cannot be opened here');
    default:
      // DecompressionStream answers a TypeError, and each browser has its own words for it.
      if (error instanceof TypeError) return told('archive_entry_crc', 'is damaged: its packed data is broken');
      return {
        ...toFailure(error, entry),
        message: `${describeFile(entry, archive)} could not be read: ${messageOf(error)}`,
      };
  }
}

function isDamage(error: unknown): boolean {
  const told = [zip.ERR_INVALID_CRC32, zip.ERR_INVALID_COMPRESSED_DATA, zip.ERR_INVALID_UNCOMPRESSED_SIZE];
  return error instanceof TypeError || told.includes(messageOf(error));
}

/** The platform's words for a file that was moved, changed or unplugged under our hands. */
export function isReadError(error: unknown): boolean {
  const name = error instanceof Error ? error.name : '';
  return name === 'NotReadableError' || name === 'NotFoundError';
}

/** By the mark of a local file header. */
export async function beginsLikeZip(blob: Blob): Promise<boolean> {
  const head = new Uint8Array(await blob.slice(0, 4).arrayBuffer());
  return head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4;
}
