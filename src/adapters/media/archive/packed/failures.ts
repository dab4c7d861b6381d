/** What libarchive says, in our words. */
import { AccessionError, failure, toFailure, type Failure, type FailureCode } from '#core/errors.ts';
import { describeFile } from '#core/ingest/file-kinds.ts';
import { isReadError } from '../zip-failures.ts';
import { PackedStopped } from './instance.ts';

const ELSEWHERE =
  'Unpack it with a program for such archives (7-Zip, The Unarchiver, unar), then drop the files or a ZIP of them.';
const AGAIN = 'Get the archive again from its source.';

interface Told {
  code: FailureCode;
  why: string;
  remedy: string;
}

const unsupported = (why: string): Told => ({ code: 'archive_unsupported', why, remedy: ELSEWHERE });
const damaged = (why: string): Told => ({ code: 'archive_entry_crc', why, remedy: AGAIN });

/** 7z and RAR have their own encryption, which libarchive does not read. */
export const LOCKED = unsupported('is protected by a password, which in a 7z or RAR cannot be opened here');
export const SPLIT = unsupported('is one part of an archive in several files, which cannot be put together here');

export const CUT: Told = { code: 'archive_truncated', why: 'is cut off: its end is missing', remedy: AGAIN };

/** By its words, the first that fits: libarchive has no numbers for them. */
const TOLD: readonly (readonly [RegExp, Told])[] = [
  [/solid archive support/i, unsupported('is a solid RAR of version 4 or older, whose files cannot be read here')],
  [/encrypt|crypto/i, LOCKED],
  [/memory|dictionary size/i, unsupported('wants more memory to be unpacked than is given here (512 MB)')],
  [/unsupported|not supported|unavailable/i, unsupported('is packed with a method that cannot be read here')],
  [/packed together/i, damaged('cannot be reached: a file before it, packed together with it, is damaged')],
  [/crc|checksum/i, damaged('is damaged: its checksum is wrong')],
  [/truncated/i, CUT],
];
const NO_LIST: Told = { code: 'archive_corrupt', why: 'is damaged: its list of files cannot be read', remedy: AGAIN };

/** Of an archive that cannot be listed, or whose list breaks off. */
export function listFailure(error: unknown, name: string, encrypted: boolean): Failure {
  const told = encrypted ? LOCKED : wordsOf(error, NO_LIST);
  // A list whose checksum is wrong is no file's.
  return asFailure(error, told.code === 'archive_entry_crc' ? NO_LIST : told, `"${name}"`, name);
}

/** Of one entry; the others are not touched by it, as far as they are not packed together with it. */
export function packedEntryFailure(error: unknown, entry: string, archive: string): Failure {
  const told = wordsOf(error, damaged('is damaged: its packed data is broken'));
  return asFailure(error, told, describeFile(entry, archive), entry);
}

/** Of what is refused without an error. */
export function refusal({ code, why, remedy }: Told, what: string, subject: string): Failure {
  return failure(code, `${what} ${why}.`, { subject, remedy });
}

function wordsOf(error: unknown, otherwise: Told): Told {
  const words = error instanceof PackedStopped ? error.message : '';
  return TOLD.find(([pattern]) => pattern.test(words))?.[1] ?? otherwise;
}

function asFailure(error: unknown, told: Told, what: string, subject: string): Failure {
  if (error instanceof AccessionError) return error.failure;
  if (error instanceof PackedStopped) return refusal(told, what, subject);
  // A file that was moved, changed or unplugged, as a browser and as Node say it.
  const isGone = isReadError(error) || (error instanceof Error && 'syscall' in error);
  return isGone
    ? failure('file_unreadable', `${what} could not be read any more.`, { subject })
    : toFailure(error, subject);
}
