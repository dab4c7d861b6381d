import {
  BlobReader,
  configure,
  ERR_EOCDR_NOT_FOUND,
  WARNING_PREPENDED_DATA,
  ZipReader,
  type FileEntry,
} from '@zip.js/zip.js';
import { AccessionError, failure, type Failure } from '#core/errors.ts';
import { describeFile } from '#core/ingest/describe.ts';
import { decodeEntryNames } from '#core/ingest/entry-names.ts';
import {
  refuseCount,
  refuseDepth,
  refuseEntry,
  refuseGrowth,
  refuseTotal,
  type ArchiveLimits,
  type DeclaredEntry,
  type Expansion,
} from '#core/ingest/limits.ts';
import { baseName, labelOfUnsafe, safePath, uniquePaths } from '#core/ingest/paths.ts';
import type { Cancel } from '#core/ports.ts';
import { decodeLegacy } from './legacy-text.ts';
import { pullFrom } from './pull.ts';
import { archiveFailure, beginsLikeZip, entryFailure } from './zip-failures.ts';

// The reader runs in our own worker already, so it starts none of its own. Every read of a Blob is a message
// to the browser's file process: few and large ones.
configure({ useWebWorkers: false, chunkSize: 256 * 1024 });

/** One entry that can be read. */
export interface ArchiveEntry {
  ok: true;
  /** Path inside the archive, made safe and unique. */
  path: string;
  /** Bytes, as declared. */
  size: number;
  /** What was repaired in its name. */
  repairs: string[];
  /** Its content, checked while it is read: CRC, real size, limits, overlap. Throws AccessionError; can be called once. */
  chunks(cancel?: Cancel): AsyncIterable<Uint8Array>;
}

/** One entry that cannot. */
export interface ArchiveRefusal {
  ok: false;
  path: string;
  size: number;
  /** As it is called in the archive. */
  name: string;
  failure: Failure;
}

export interface OpenArchive {
  /** Every file of the archive in its order, folders left out. */
  items: (ArchiveEntry | ArchiveRefusal)[];
  close(): Promise<void>;
}

export interface ArchiveOptions {
  /** The archive's name, for messages. */
  name: string;
  limits: ArchiveLimits;
  /** 1 for a dropped archive, 2 for a ZIP inside it. */
  depth?: number;
  /** What the dropped archive has used up; shared with the ZIPs inside it. */
  used?: Expansion;
}

/**
 * Lists a ZIP; nothing is expanded before an entry is read, and then in bounded memory. Throws
 * AccessionError `archive_*` when nothing of the archive can be used.
 */
export async function openArchive(blob: Blob, options: ArchiveOptions): Promise<OpenArchive> {
  const { name, limits } = options;
  const used = options.used ?? { entries: 0, bytes: 0 };
  stopOn(refuseDepth(name, options.depth ?? 1, limits));
  const reader = new ZipReader(new BlobReader(blob), {
    // Names are judged by our own rules, which repair one entry instead of refusing the archive.
    filenameValidation: 'tolerant',
    // Content is judged by the CRC of the directory; a local header that differs changes nothing then.
    checkLocalDirectory: false,
    checkCrc32: true,
    checkOverlappingEntry: true,
    maxAppendedDataSize: 1024 * 1024,
  });
  const files = await listFiles(reader, blob, options, used);
  if (files.length === 0)
    throw new AccessionError(failure('archive_empty', `"${name}" has no files in it.`, { subject: name }));
  const bytes = files.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  stopOn(refuseTotal(name, bytes, used, limits));
  used.entries += files.length;

  const names = decodeEntryNames(files.map(rawName), decodeLegacy);
  const unique = uniquePaths();
  const items = files.map((entry, i) => toItem(entry, names[i] ?? entry.filename, unique, options, used));
  return { items, close: () => reader.close() };
}

/** The files of the directory, read record by record, so that a list without end is given up before it is held. */
async function listFiles(
  reader: ZipReader<Blob>,
  blob: Blob,
  options: ArchiveOptions,
  used: Expansion,
): Promise<FileEntry[]> {
  const files: FileEntry[] = [];
  let folders = 0;
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      if (entry.directory) folders += 1;
      else files.push(entry);
      // Folders do not count as files, but a list of nothing else must end too.
      stopOn(refuseCount(options.name, Math.max(files.length, folders / 4), used, options.limits));
    }
    if (await isTailOfCut(reader, files, blob)) throw new Error(ERR_EOCDR_NOT_FOUND);
  } catch (error) {
    throw new AccessionError(await archiveFailure(error, options.name, blob), { cause: error });
  }
  return files;
}

/**
 * A ZIP that is cut off behind a ZIP stored inside it ends like a whole one: the list found is that of the
 * inner archive, and nothing of the outer one would be missed. It begins like a ZIP, but not with its list's first entry.
 */
async function isTailOfCut(reader: ZipReader<Blob>, entries: FileEntry[], blob: Blob): Promise<boolean> {
  const prepended = reader.warnings?.some((warning) => warning.reason === WARNING_PREPENDED_DATA) ?? false;
  return prepended && entries.every((entry) => entry.offset > 0) && (await beginsLikeZip(blob));
}

function toItem(
  entry: FileEntry,
  name: string,
  unique: (path: string) => string,
  options: ArchiveOptions,
  used: Expansion,
): ArchiveEntry | ArchiveRefusal {
  const safe = safePath(name);
  const path = unique(safe.ok ? safe.path : labelOfUnsafe(name));
  const declared: DeclaredEntry = {
    name: safe.ok ? baseName(path) : name,
    size: entry.uncompressedSize,
    packed: entry.compressedSize,
  };
  const refuse = (why: Failure): ArchiveRefusal => ({
    ok: false,
    path,
    size: entry.uncompressedSize,
    name: declared.name,
    failure: why,
  });
  const what = describeFile(declared.name, options.name);
  const subject = declared.name;

  if (!safe.ok) return refuse(failure('archive_unsafe_name', `${what} was refused: ${safe.reason}.`, { subject }));
  if (entry.symlink)
    return refuse(failure('archive_unsafe_name', `${what} was refused: it is a link to another file.`, { subject }));
  if (entry.encrypted) return refuse(failure('archive_encrypted', `${what} is protected by a password.`, { subject }));
  const tooMuch = refuseEntry(options.name, declared, options.limits);
  if (tooMuch !== null) return refuse(tooMuch);
  return {
    ok: true,
    path,
    size: entry.uncompressedSize,
    repairs: safe.repairs,
    chunks: (cancel) => readEntry(entry, declared, options, used, cancel),
  };
}

async function* readEntry(
  entry: FileEntry,
  declared: DeclaredEntry,
  options: ArchiveOptions,
  used: Expansion,
  cancel?: Cancel,
): AsyncGenerator<Uint8Array> {
  let expanded = 0;
  const abort = new AbortController();
  try {
    for await (const chunk of pullFrom((writable) => entry.getData(writable, { signal: abort.signal }))) {
      if (cancel?.aborted) throw new AccessionError(failure('cancelled', 'cancelled', { subject: declared.name }));
      expanded += chunk.length;
      used.bytes += chunk.length;
      stopOn(refuseGrowth(options.name, declared, expanded, used, options.limits));
      yield chunk;
    }
  } catch (error) {
    throw error instanceof AccessionError
      ? error
      : new AccessionError(entryFailure(error, declared.name, options.name), { cause: error });
  } finally {
    // Also when the consumer stopped early: what zip.js still has in hand is let go.
    abort.abort();
  }
}

function rawName(entry: FileEntry): { raw: Uint8Array; unicode: boolean; fallback: string } {
  const unicode = entry.filenameUTF8 || entry.extraFieldUnicodePath?.valid === true;
  return { raw: entry.rawFilename, unicode, fallback: entry.filename };
}

function stopOn(why: Failure | null): void {
  if (why !== null) throw new AccessionError(why);
}
