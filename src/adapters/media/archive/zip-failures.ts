import * as zip from '@zip.js/zip.js';
import { AccessionError, failure, toFailure, messageOf, type Failure, type FailureCode } from '#core/errors.ts';
import { describeFile } from '#core/ingest/file-kinds.ts';

type Told = [code: FailureCode, why: string];

const DAMAGED_DATA: Told = ['archive_entry_crc', 'is damaged: its packed data is broken'];
const MISPLACED: Told = ['archive_corrupt', 'is not where the archive says'];

/** What zip.js says of an archive that cannot be listed, in our words. */
const OF_ARCHIVE: Readonly<Record<string, Told>> = {
  [zip.ERR_SPLIT_ZIP_FILE]: ['archive_unsupported', 'is one part of a split ZIP'],
  [zip.ERR_ENCRYPTED_CENTRAL_DIRECTORY]: [
    'archive_unsupported',
    'is protected by a password, its list of files included, which cannot be opened here yet',
  ],
  [zip.ERR_AMBIGUOUS_ARCHIVE]: ['archive_corrupt', 'can be read in more than one way'],
};
const NO_LIST: readonly string[] = [zip.ERR_EOCDR_NOT_FOUND, zip.ERR_BAD_FORMAT, zip.ERR_EOCDR_LOCATOR_ZIP64_NOT_FOUND];

/** The same of one entry. */
const OF_ENTRY: Readonly<Record<string, Told>> = {
  [zip.ERR_INVALID_PASSWORD]: ['archive_encrypted', 'does not open with this password'],
  [zip.ERR_INVALID_CRC32]: ['archive_entry_crc', 'is damaged: its checksum is wrong'],
  [zip.ERR_INVALID_COMPRESSED_DATA]: DAMAGED_DATA,
  [zip.ERR_INVALID_UNCOMPRESSED_SIZE]: ['archive_corrupt', 'has another size than the archive says'],
  [zip.ERR_OVERLAPPING_ENTRY]: ['archive_corrupt', 'shares its data with another entry, which no honest archive does'],
  [zip.ERR_LOCAL_FILE_HEADER_NOT_FOUND]: MISPLACED,
  [zip.ERR_ENTRY_DATA_OUT_OF_BOUNDS]: MISPLACED,
  [zip.ERR_EXTRAFIELD_ZIP64_NOT_FOUND]: MISPLACED,
  [zip.ERR_UNSUPPORTED_COMPRESSION]: ['archive_unsupported', 'is packed with a method that cannot be read here'],
  [zip.ERR_ENCRYPTED]: ['archive_encrypted', 'needs a password'],
  [zip.ERR_UNSUPPORTED_ENCRYPTION]: ['archive_unsupported', 'is protected in a way that cannot be opened here'],
};
const UNREADABLE: Told = ['file_unreadable', 'could not be read any more'];

export async function archiveFailure(error: unknown, name: string, blob: Blob): Promise<Failure> {
  const refused = ([code, why]: Told): Failure => failure(code, `"${name}" ${why}.`, { subject: name });
  if (error instanceof AccessionError) return error.failure;
  if (isReadError(error)) return refused(UNREADABLE);
  const known = OF_ARCHIVE[messageOf(error)];
  if (known !== undefined) return refused(known);
  if (!NO_LIST.includes(messageOf(error)))
    return refused(['archive_corrupt', 'is damaged: its list of files cannot be read']);
  return (await beginsLikeZip(blob))
    ? refused(['archive_truncated', 'is cut off: its end, where a ZIP lists its files, is missing'])
    : refused(['archive_corrupt', 'is damaged: it has no list of files']);
}

/**
 * What zip.js and the browser's decompression say of one entry, in our words. The other entries are not touched by it.
 * Of an encrypted one nobody can tell a wrong password from damage: its check lets one in 256 wrong ones through.
 */
export function entryFailure(error: unknown, entry: string, archive: string, encrypted = false): Failure {
  const what = describeFile(entry, archive);
  const refused = ([code, why]: Told): Failure => failure(code, `${what} ${why}.`, { subject: entry });
  if (isReadError(error)) return refused(UNREADABLE);
  if (encrypted && isDamage(error))
    return refused(['archive_encrypted', 'does not open with this password, or it is damaged']);
  // DecompressionStream answers a TypeError, and each browser has its own words for it.
  const known = OF_ENTRY[messageOf(error)] ?? (error instanceof TypeError ? DAMAGED_DATA : undefined);
  if (known !== undefined) return refused(known);
  return { ...toFailure(error, entry), message: `${what} could not be read: ${messageOf(error)}` };
}

function isDamage(error: unknown): boolean {
  const refused = [zip.ERR_INVALID_CRC32, zip.ERR_INVALID_COMPRESSED_DATA, zip.ERR_INVALID_UNCOMPRESSED_SIZE];
  return error instanceof TypeError || refused.includes(messageOf(error));
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
