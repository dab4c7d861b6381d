/** What libarchive says, in our words. */
import { AccessionError, failure, messageOf, type Failure, type FailureCode } from '#core/errors.ts';
import { describeFile } from '#core/ingest/file-kinds.ts';
import { isReadError } from '../zip-failures.ts';
import { PackedStopped } from './instance.ts';

const ELSEWHERE =
  'Unpack it with a program for such archives (7-Zip, The Unarchiver, unar), then drop the files or a ZIP of them.';
const AGAIN = 'Get the archive again from its source.';

type Told = [code: FailureCode, why: string, remedy?: string];

const LOCKED: Told = [
  'archive_unsupported',
  'is protected by a password, which cannot be opened here in a 7z or RAR archive',
  ELSEWHERE,
];
export const SPLIT: Told = [
  'archive_unsupported',
  'is one part of an archive in several files, which cannot be put together here',
  ELSEWHERE,
];

/** By its words, the first that fits: libarchive has no numbers for them. */
const TOLD: readonly (readonly [RegExp, Told])[] = [
  [
    /solid archive support/i,
    [
      'archive_unsupported',
      'is a solid RAR of version 4 or older, of which only the first file can be read here',
      ELSEWHERE,
    ],
  ],
  [/encrypt|crypto/i, LOCKED],
  [
    /memory|dictionary size/i,
    ['archive_unsupported', 'wants more memory to be unpacked than there is here (512 MB)', ELSEWHERE],
  ],
  [
    /unsupported|not supported|unavailable|unknown codec/i,
    ['archive_unsupported', 'is packed with a method that cannot be read here', ELSEWHERE],
  ],
  [
    /packed together/i,
    ['archive_entry_crc', 'cannot be reached: it is packed together with a file before it that is damaged', AGAIN],
  ],
  [/crc|checksum/i, ['archive_entry_crc', 'is damaged: its checksum is wrong', AGAIN]],
  [/truncated|no progress is possible/i, ['archive_truncated', 'is cut off: its end is missing']],
];
const DAMAGED: Told = ['archive_entry_crc', 'is damaged: its packed data is broken', AGAIN];
const NO_LIST: Told = ['archive_corrupt', 'is damaged: its list of files cannot be read', AGAIN];

function told(error: PackedStopped, otherwise: Told): Told {
  return TOLD.find(([words]) => words.test(error.message))?.[1] ?? otherwise;
}

const asFailure = ([code, why, remedy]: Told, what: string, subject: string): Failure =>
  failure(code, `${what} ${why}.`, { subject, ...(remedy === undefined ? {} : { remedy }) });

/** Of an archive that cannot be listed, or whose list breaks off. `facts`: what is known of it besides. */
export function listFailure(error: unknown, name: string, facts: { encrypted: boolean; cut: boolean }): Failure {
  if (error instanceof AccessionError) return error.failure;
  const of = (what: Told): Failure => asFailure(what, `"${name}"`, name);
  if (isReadError(error)) return of(['file_unreadable', 'could not be read any more']);
  if (!(error instanceof PackedStopped)) return of([...NO_LIST.slice(0, 2), messageOf(error)] as unknown as Told);
  if (facts.encrypted) return of(LOCKED);
  const why = told(error, NO_LIST);
  // A list whose checksum is wrong is no entry's.
  if (why[0] === 'archive_entry_crc') return of(NO_LIST);
  return of(facts.cut ? ['archive_truncated', 'is cut off: its end is missing'] : why);
}

/** Of one entry; the others are not touched by it, as far as they are not packed together with it. */
export function packedEntryFailure(error: unknown, entry: string, archive: string): Failure {
  if (error instanceof AccessionError) return error.failure;
  const what = describeFile(entry, archive);
  if (error instanceof PackedStopped) return asFailure(told(error, DAMAGED), what, entry);
  if (isReadError(error)) return asFailure(['file_unreadable', 'could not be read any more'], what, entry);
  return asFailure(['internal', `could not be read: ${messageOf(error)}`], what, entry);
}

export function lockedFailure(entry: string, archive: string): Failure {
  return asFailure(LOCKED, describeFile(entry, archive), entry);
}

export function splitFailure(archive: string): Failure {
  return asFailure(SPLIT, `"${archive}"`, archive);
}
