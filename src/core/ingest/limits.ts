import type { Settings } from '../config.ts';
import { failure, type Failure } from '../errors.ts';
import { describeBytes, describeFile } from './file-kinds.ts';

export interface ArchiveLimits {
  maxEntries: number;
  /** Bytes that one dropped archive may expand to, ZIPs inside it included. */
  maxArchiveBytes: number;
  /** Bytes that one entry may expand to. */
  maxEntryBytes: number;
  /** Expanded bytes to packed bytes. */
  maxRatio: number;
  /** The ratio is checked from this many expanded bytes on: small files may pack as well as they like. */
  ratioFromBytes: number;
  /** 1: an archive; 2: a ZIP in a ZIP. */
  maxDepth: number;
}

type LimitSettings = Pick<
  Settings,
  'max_entries' | 'max_archive_bytes' | 'max_entry_bytes' | 'max_ratio' | 'max_archive_depth'
>;

export function archiveLimits(settings: LimitSettings): ArchiveLimits {
  return {
    maxEntries: settings.max_entries,
    maxArchiveBytes: settings.max_archive_bytes,
    maxEntryBytes: settings.max_entry_bytes,
    maxRatio: settings.max_ratio,
    ratioFromBytes: 64 * 1024 ** 2,
    maxDepth: settings.max_archive_depth,
  };
}

/** What one dropped archive has used up so far, with the ZIPs inside it. */
export interface Expansion {
  entries: number;
  bytes: number;
  /** Bytes of the dropped archive itself. */
  packed: number;
}

/** What an archive claims of an entry; the claim may be a lie, so the bytes are counted as well. */
export interface DeclaredEntry {
  name: string;
  /** Bytes, expanded. */
  size: number;
  /** Bytes, packed. */
  packed: number;
}

/** The number of files, counted while the archive is listed, so that a list without end is given up. */
export function refuseCount(archive: string, files: number, used: Expansion, limits: ArchiveLimits): Failure | null {
  if (used.entries + files <= limits.maxEntries) return null;
  return limit(archive, `"${archive}" has too many files: more than ${limits.maxEntries} (Settings, Archives).`);
}

/** The bytes of all entries as declared, before anything is expanded. */
export function refuseTotal(archive: string, bytes: number, used: Expansion, limits: ArchiveLimits): Failure | null {
  if (used.bytes + bytes <= limits.maxArchiveBytes) return null;
  const would = `"${archive}" would expand to ${describeBytes(bytes)}`;
  return limit(archive, `${would}; the limit is ${describeBytes(limits.maxArchiveBytes)} (Settings, Archives).`);
}

/** One entry by what is declared of it. */
export function refuseEntry(archive: string, entry: DeclaredEntry, limits: ArchiveLimits): Failure | null {
  const what = describeFile(entry.name, archive);
  if (entry.size > limits.maxEntryBytes) {
    const would = `${what} would expand to ${describeBytes(entry.size)}`;
    return limit(
      entry.name,
      `${would}; the limit for one file is ${describeBytes(limits.maxEntryBytes)} (Settings, Archives).`,
    );
  }
  return ratioFailure(what, entry.name, entry.size, entry.packed, limits);
}

/** One entry while it expands: `expanded` bytes of it so far, `used` by all before and it. Null while all is well. */
export function refuseGrowth(
  archive: string,
  entry: DeclaredEntry,
  expanded: number,
  used: Expansion,
  limits: ArchiveLimits,
): Failure | null {
  const what = describeFile(entry.name, archive);
  if (expanded > limits.maxEntryBytes)
    return limit(
      entry.name,
      `${what} expands beyond ${describeBytes(limits.maxEntryBytes)}, the limit for one file (Settings, Archives).`,
    );
  if (used.bytes > limits.maxArchiveBytes)
    return limit(
      entry.name,
      `"${archive}" expands beyond ${describeBytes(limits.maxArchiveBytes)}, the limit for an archive (Settings, Archives).`,
    );
  return (
    ratioFailure(what, entry.name, expanded, entry.packed, limits) ?? bombFailure(entry.name, archive, used, limits)
  );
}

/** An archive that lies too deep. */
export function refuseDepth(name: string, depth: number, limits: ArchiveLimits): Failure | null {
  if (depth <= limits.maxDepth) return null;
  const deep = `"${name}" makes ${depth} archives in one another`;
  return limit(name, `${deep}; the limit is ${limits.maxDepth} (Settings, Archives).`);
}

function ratioFailure(
  what: string,
  subject: string,
  expanded: number,
  packed: number,
  limits: ArchiveLimits,
): Failure | null {
  if (expanded < limits.ratioFromBytes || expanded <= packed * limits.maxRatio) return null;
  const ratio = Math.round(expanded / Math.max(1, packed));
  return limit(
    subject,
    `${what} expands ${ratio} times, more than ${limits.maxRatio} (Settings, Archives): this is how archive bombs look.`,
  );
}

/** All of a dropped archive against its own size: many files, or a ZIP in a ZIP, may be a bomb where each alone is none. */
function bombFailure(subject: string, archive: string, used: Expansion, limits: ArchiveLimits): Failure | null {
  if (used.bytes < limits.ratioFromBytes || used.bytes <= used.packed * limits.maxRatio) return null;
  const ratio = Math.round(used.bytes / Math.max(1, used.packed));
  return limit(
    subject,
    `"${archive}" expands ${ratio} times its own size, more than ${limits.maxRatio} (Settings, Archives): this is how archive bombs look.`,
  );
}

function limit(subject: string, message: string): Failure {
  return failure('archive_limit', message, { subject });
}
