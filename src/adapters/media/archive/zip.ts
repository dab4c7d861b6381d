import {
  BlobReader,
  configure,
  ERR_EOCDR_NOT_FOUND,
  WARNING_PREPENDED_DATA,
  ZipReader,
  type FileEntry,
} from '@zip.js/zip.js';
import { AccessionError, failed, failure, type Failure } from '#core/errors.ts';
import { describeFile } from '#core/ingest/file-kinds.ts';
import { decodeEntryNames, baseName, labelOfUnsafe, safePath, uniquePaths } from '#core/ingest/paths.ts';
import { refuseCount, refuseEntry, refuseTotal, type DeclaredEntry } from '#core/ingest/limits.ts';
import { decodeLegacy } from '../legacy-text.ts';
import { paged } from '../paged-blob.ts';
import type { ArchiveItem, ArchiveRefusal, OpenArchive, Opening } from '#core/ingest/archive.types.ts';
import { stopOn, underLimits } from './checked.ts';
import { readEntry, unlocks } from './zip-entry.ts';
import { archiveFailure, beginsLikeZip, entryFailure } from './zip-failures.ts';

// The reader runs in our own worker already, so it starts none of its own. Every read of a Blob is a message
// to the browser's file process: few and large ones.
configure({ useWebWorkers: false, chunkSize: 256 * 1024 });

/** Lists a ZIP. Throws AccessionError `archive_*` when nothing of it can be used. */
export async function openZip(blob: Blob, opening: Opening): Promise<OpenArchive> {
  const { name, limits, used } = opening;
  // Headers and small files lie side by side: many come with one read.
  const source = paged(blob);
  const reader = new ZipReader(new BlobReader(source), {
    // Names are judged by our own rules, which repair one entry instead of refusing the archive.
    filenameValidation: 'tolerant',
    // Content is judged by the CRC of the directory; a local header that differs changes nothing then.
    checkLocalDirectory: false,
    checkCrc32: true,
    checkOverlappingEntry: true,
    maxAppendedDataSize: 1024 * 1024,
  });
  const files = await listFiles(reader, blob, opening);
  if (files.length === 0) throw failed('archive_empty', `"${name}" has no files in it.`, { subject: name });
  const bytes = files.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  stopOn(refuseTotal(name, bytes, used, limits));
  used.entries += files.length;

  const names = decodeEntryNames(files.map(rawName), decodeLegacy);
  const unique = uniquePaths();
  const items = files.map((entry, i) => toItem(source, entry, names[i] ?? entry.filename, unique, opening));
  return { kind: 'zip', items, close: () => reader.close() };
}

/** The files of the directory, read record by record, so that a list without end is given up before it is held. */
async function listFiles(reader: ZipReader<Blob>, blob: Blob, { name, used, limits }: Opening): Promise<FileEntry[]> {
  const files: FileEntry[] = [];
  let folders = 0;
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      if (entry.directory) folders += 1;
      else files.push(entry);
      // Folders do not count as files, but a list of nothing else must end too.
      stopOn(refuseCount(name, Math.max(files.length, folders / 4), used, limits));
    }
    if (await isTailOfCut(reader, files, blob)) throw new Error(ERR_EOCDR_NOT_FOUND);
  } catch (error) {
    throw new AccessionError(await archiveFailure(error, name, blob), { cause: error });
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
  blob: Blob,
  entry: FileEntry,
  name: string,
  unique: (path: string) => string,
  opening: Opening,
): ArchiveItem {
  const { password, limits } = opening;
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
  const what = describeFile(declared.name, opening.name);
  const subject = declared.name;

  if (!safe.ok) return refuse(failure('archive_unsafe_name', `${what} was refused: ${safe.reason}.`, { subject }));
  if (entry.symlink)
    return refuse(failure('archive_unsafe_name', `${what} was refused: it is a link to another file.`, { subject }));
  const tooMuch = refuseEntry(opening.name, declared, limits);
  if (tooMuch !== null) return refuse(tooMuch);
  if (entry.encrypted && password === undefined)
    return refuse(failure('archive_encrypted', `${what} needs a password.`, { subject }));
  return {
    ok: true,
    path,
    size: entry.uncompressedSize,
    repairs: safe.repairs,
    chunks: (cancel) =>
      underLimits(
        readEntry(blob, entry, declared, opening),
        declared,
        opening,
        (error) => entryFailure(error, declared.name, opening.name, entry.encrypted),
        cancel,
      ),
    ...(entry.encrypted ? { unlocks: () => unlocks(entry, password) } : {}),
  };
}

function rawName(entry: FileEntry): { raw: Uint8Array; unicode: boolean; fallback: string } {
  const unicode = entry.filenameUTF8 || entry.extraFieldUnicodePath?.valid === true;
  return { raw: entry.rawFilename, unicode, fallback: entry.filename };
}
