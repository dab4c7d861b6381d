import { AccessionError, failed, failure, toFailure, type Failure } from '#core/errors.ts';
import { isUtf8 } from '#core/ingest/bytes.ts';
import { describeFile } from '#core/ingest/file-kinds.ts';
import {
  decodeEntryNames,
  type RawEntryName,
  baseName,
  labelOfUnsafe,
  safePath,
  uniquePaths,
} from '#core/ingest/paths.ts';
import { refuseCount, refuseEntry, refuseTotal } from '#core/ingest/limits.ts';
import { isZeroBlock, padded, paxRecords, TAR_BLOCK, tarHeader, untilZero } from '#core/ingest/tar-header.ts';
import { blobPieces } from '../blob-pieces.ts';
import { decodeLegacy } from '../legacy-text.ts';
import type { ArchiveItem, OpenArchive, Opening } from '#core/ingest/archive.types.ts';
import { stopOn, underLimits } from './checked.ts';
import { isReadError } from './zip-failures.ts';

/** A long name or a set of pax records; more is nobody's name. */
const MAX_RECORD_BYTES = 1024 * 1024;
/** Headers of small files lie close together: they are read many at once. */
const WINDOW_BYTES = 256 * 1024;

interface TarFile {
  type: string;
  name: Uint8Array;
  start: number;
  size: number;
  sparse: boolean;
}

interface TarList {
  files: TarFile[];
  /** Why the list ends before the archive's own end mark; null when it is whole. */
  broken: string | null;
}

/** Lists a TAR (ustar, pax, GNU); its files are slices of it. Throws AccessionError `archive_*`. */
export async function openTar(blob: Blob, opening: Opening): Promise<OpenArchive> {
  const { name, limits, used } = opening;
  const { files, broken } = await listTar(blob, opening);
  stopOn(refuseCount(name, files.length, used, limits));
  if (files.length === 0) {
    const [code, why] =
      broken === null ? (['archive_empty', 'has no files in it'] as const) : (['archive_corrupt', broken] as const);
    throw failed(code, `"${name}" ${why}.`, { subject: name });
  }
  stopOn(
    refuseTotal(
      name,
      files.reduce((sum, file) => sum + file.size, 0),
      used,
      limits,
    ),
  );
  used.entries += files.length;
  const names = decodeEntryNames(files.map(rawName), decodeLegacy);
  const unique = uniquePaths();
  const items = files.map((file, i) => toItem(blob, file, names[i] ?? '', unique, opening));
  if (broken !== null) {
    const message = `"${name}" ${broken}: what came behind its ${files.length} files that were found is missing.`;
    items.push({
      ok: false,
      path: unique(name),
      size: 0,
      name,
      failure: failure('archive_truncated', message, { subject: name }),
    });
  }
  return { kind: 'tar', items, close: () => Promise.resolve() };
}

/** Jumps from header to header. */
async function listTar(blob: Blob, { name, used, limits }: Opening): Promise<TarList> {
  const files: TarFile[] = [];
  const block = blockReader(blob, name);
  let next: { name?: Uint8Array; size?: number; sparse?: boolean } = {};
  let headers = 0;
  for (let at = 0; ;) {
    const bytes = at + TAR_BLOCK <= blob.size ? await block(at) : null;
    if (bytes === null) return { files, broken: 'is cut off: its end mark is missing' };
    if (isZeroBlock(bytes)) return { files, broken: null };
    const header = tarHeader(bytes);
    if (header === null) return { files, broken: 'is damaged: a header has a wrong checksum' };
    const start = at + TAR_BLOCK;
    // Headers that name nothing count too, more mildly: a list of nothing else must end as well.
    stopOn(refuseCount(name, Math.max(files.length, ++headers / 4), used, limits));
    if ('xgLK'.includes(header.type)) {
      if (header.size > MAX_RECORD_BYTES) return { files, broken: 'is damaged: a name in it has no end' };
      const record = new Uint8Array(await blob.slice(start, start + header.size).arrayBuffer());
      if (header.type === 'L') next = { ...next, name: untilZero(record) };
      if (header.type === 'x') next = { ...next, ...fromPax(paxRecords(record)) };
      at = start + padded(header.size);
      continue;
    }
    // Links and folders have no content, whatever their header says.
    const size = '12345'.includes(header.type) ? 0 : (next.size ?? header.size);
    if (header.type !== '5')
      files.push({
        type: header.type,
        name: next.name ?? header.name,
        start,
        size,
        sparse: header.type === 'S' || next.sparse === true,
      });
    next = {};
    at = start + padded(size);
  }
}

function fromPax(records: Map<string, Uint8Array>): { name?: Uint8Array; size?: number; sparse?: boolean } {
  const path = records.get('path');
  const size = Number(new TextDecoder().decode(records.get('size') ?? new Uint8Array(0)));
  return {
    ...(path === undefined ? {} : { name: path }),
    ...(records.has('size') && Number.isSafeInteger(size) && size >= 0 ? { size } : {}),
    ...([...records.keys()].some((key) => key.startsWith('GNU.sparse')) ? { sparse: true } : {}),
  };
}

/** Blocks by their place, read in windows. Throws AccessionError `file_unreadable`. */
function blockReader(blob: Blob, name: string): (at: number) => Promise<Uint8Array> {
  let from = 0;
  let window = new Uint8Array(0);
  return async (at) => {
    if (at < from || at + TAR_BLOCK > from + window.length) {
      try {
        window = new Uint8Array(await blob.slice(at, at + WINDOW_BYTES).arrayBuffer());
      } catch (error) {
        throw new AccessionError(readFailure(error, name, null), { cause: error });
      }
      from = at;
    }
    return window.subarray(at - from, at - from + TAR_BLOCK);
  };
}

function toItem(
  blob: Blob,
  file: TarFile,
  name: string,
  unique: (path: string) => string,
  opening: Opening,
): ArchiveItem {
  const safe = safePath(name);
  const path = unique(safe.ok ? safe.path : labelOfUnsafe(name));
  const entry = { name: safe.ok ? baseName(path) : name, size: file.size, packed: file.size };
  const why = refusal(file, safe.ok ? null : safe.reason, blob, entry.name, opening.name);
  const failed = why ?? refuseEntry(opening.name, entry, opening.limits);
  if (failed !== null || !safe.ok)
    return { ok: false, path, size: file.size, name: entry.name, failure: failed ?? toFailure(name) };
  const content = (): AsyncIterable<Uint8Array> => blobPieces(blob.slice(file.start, file.start + file.size));
  return {
    ok: true,
    path,
    size: file.size,
    repairs: safe.repairs,
    chunks: (cancel) =>
      underLimits(content(), entry, opening, (error) => readFailure(error, entry.name, opening.name), cancel),
  };
}

function refusal(file: TarFile, unsafe: string | null, blob: Blob, name: string, archive: string): Failure | null {
  const what = describeFile(name, archive);
  const refused = (code: Parameters<typeof failure>[0], why: string): Failure =>
    failure(code, `${what} ${why}.`, { subject: name });
  if (unsafe !== null) return refused('archive_unsafe_name', `was refused: ${unsafe}`);
  if ('12'.includes(file.type)) return refused('archive_unsafe_name', 'was refused: it is a link to another file');
  if ('346'.includes(file.type)) return refused('archive_unsafe_name', 'was refused: it is a device, not a file');
  if (file.sparse) return refused('archive_unsupported', 'is stored with holes, which cannot be read here');
  if (file.start + file.size > blob.size) return refused('archive_truncated', 'is cut off by the end of the archive');
  return null;
}

function readFailure(error: unknown, name: string, archive: string | null): Failure {
  if (!isReadError(error)) return toFailure(error, name);
  return failure('file_unreadable', `${describeFile(name, archive)} could not be read any more.`, { subject: name });
}

function rawName(file: TarFile): RawEntryName {
  const unicode = isUtf8(file.name);
  const fallback = new TextDecoder(unicode ? 'utf-8' : 'windows-1252').decode(file.name);
  return { raw: file.name, unicode, fallback };
}
