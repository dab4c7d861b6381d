import { AccessionError, failed, failure, type Failure } from '#core/errors.ts';
import type { ArchiveItem, OpenArchive, Opening } from '#core/ingest/archive.types.ts';
import { hasBytes, isUtf8 } from '#core/ingest/bytes.ts';
import { describeFile } from '#core/ingest/file-kinds.ts';
import { refuseCount, refuseEntry, refuseTotal, type DeclaredEntry } from '#core/ingest/limits.ts';
import {
  baseName,
  decodeEntryNames,
  labelOfUnsafe,
  safePath,
  uniquePaths,
  type RawEntryName,
} from '#core/ingest/paths.ts';
import type { Cancel } from '#core/ports.ts';
import { bytesAtOnce } from '#packed-parts';
import { decodeLegacy } from '../../legacy-text.ts';
import { stopOn, underLimits, withCrc } from '../checked.ts';
import { CUT, listFailure, LOCKED, packedEntryFailure, refusal, SPLIT } from './failures.ts';
import { PackedInstance, type PackedEntry, type PackedFormat } from './instance.ts';
import type { BytesAtOnce } from './packed-parts.types.ts';
import { PackedPass } from './pass.ts';

/** Behind `Rar!` and two more: 0 up to version 4, 1 from 5 on. */
const RAR5 = [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07, 0x01, 0x00];

/** `album.7z.001`, `album.r00`: of these only the first begins like an archive. */
const PART = /\.(\d{3}|r\d\d)$/i;

/** Bytes before the content of a 7z: signature, version, and the place of its list with two checksums. */
const SEVEN_HEAD = 32;

interface PackedList {
  entries: PackedEntry[];
  /** Why the list ends early; null when it is whole. */
  broken: Failure | null;
}

/**
 * Lists a 7z or RAR; nothing but its list is expanded. Its entries are expanded piece by piece, in memory that grows
 * with the dictionary that it was packed with and not with the archive. Throws AccessionError `archive_*`.
 */
export async function openPacked(blob: Blob, kind: '7z' | 'rar', opening: Opening): Promise<OpenArchive> {
  const { name } = opening;
  if (PART.test(name)) throw new AccessionError(refusal(SPLIT, `"${name}"`, name));
  let bytes: BytesAtOnce | null = null;
  try {
    bytes = await bytesAtOnce(blob);
    const format = kind === '7z' ? kind : hasBytes(bytes.read(0, RAR5.length), 0, RAR5) ? 'rar5' : 'rar';
    stopOn(kind === '7z' ? cutOff(bytes, name) : null);
    const { entries, broken } = await listPacked(bytes, format, opening);
    const items = itemsOf(entries, broken, blob, new PackedPass(bytes, format, entries), opening);
    const opened = bytes;
    return { kind, items, close: () => Promise.resolve(opened.close()) };
  } catch (error) {
    bytes?.close();
    throw error instanceof AccessionError
      ? error
      : new AccessionError(listFailure(error, name, false), { cause: error });
  }
}

/** A 7z says at its beginning where its list lies, which is its end. */
function cutOff(bytes: BytesAtOnce, name: string): Failure | null {
  const head = bytes.read(0, SEVEN_HEAD);
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const end = head.length < SEVEN_HEAD ? Infinity : Number(view.getBigUint64(12, true) + view.getBigUint64(20, true));
  return end + SEVEN_HEAD > bytes.size ? refusal(CUT, `"${name}"`, name) : null;
}

async function listPacked(bytes: BytesAtOnce, format: PackedFormat, opening: Opening): Promise<PackedList> {
  const { name, limits, used } = opening;
  const instance = await PackedInstance.open(bytes, format, true);
  const entries: PackedEntry[] = [];
  let files = 0;
  try {
    for (let entry = instance.next(); entry !== null; entry = instance.next()) {
      entries.push(entry);
      if (entry.type !== 'folder') files += 1;
      // Folders do not count as files, but a list of nothing else must end too.
      stopOn(refuseCount(name, Math.max(files, entries.length / 4), used, limits));
    }
  } catch (error) {
    stopOn(instance.isPartOfMany ? refusal(SPLIT, `"${name}"`, name) : null);
    const why = listFailure(error, name, entries.length === 0 && instance.isEncrypted);
    if (error instanceof AccessionError || files === 0) throw new AccessionError(why, { cause: error });
    const rest = `what comes behind its ${files} files that were found is missing.`;
    return { entries, broken: { ...why, message: `${why.message.slice(0, -1)}: ${rest}` } };
  }
  stopOn(instance.isPartOfMany ? refusal(SPLIT, `"${name}"`, name) : null);
  return { entries, broken: null };
}

function itemsOf(
  entries: readonly PackedEntry[],
  broken: Failure | null,
  blob: Blob,
  pass: PackedPass,
  opening: Opening,
): ArchiveItem[] {
  const { name, limits, used } = opening;
  const files = entries.map((entry, index) => ({ entry, index })).filter(({ entry }) => entry.type !== 'folder');
  if (files.length === 0) throw failed('archive_empty', `"${name}" has no files in it.`, { subject: name });
  const total = files.reduce((sum, { entry }) => sum + (entry.size ?? 0), 0);
  stopOn(refuseTotal(name, total, used, limits));
  used.entries += files.length;
  const names = decodeEntryNames(
    files.map(({ entry }) => rawName(entry)),
    decodeLegacy,
  );
  const unique = uniquePaths();
  const items = files.map(({ entry, index }, i) =>
    toItem(entry, names[i] ?? '', unique, blob, opening, (cancel) => pass.read(index, cancel)),
  );
  if (broken !== null) items.push({ ok: false, path: unique(name), size: 0, name, failure: broken });
  return items;
}

function toItem(
  entry: PackedEntry,
  name: string,
  unique: (path: string) => string,
  blob: Blob,
  opening: Opening,
  content: (cancel?: Cancel) => AsyncIterable<Uint8Array>,
): ArchiveItem {
  const safe = safePath(name);
  const path = unique(safe.ok ? safe.path : labelOfUnsafe(name));
  // Entries have no packed size of their own where many are packed together.
  const declared: DeclaredEntry = { name: safe.ok ? baseName(path) : name, size: entry.size ?? 0, packed: blob.size };
  const refused = (why: Failure): ArchiveItem => ({
    ok: false,
    path,
    size: declared.size,
    name: declared.name,
    failure: why,
  });
  const unsafe = (why: string): ArchiveItem =>
    refused(
      failure('archive_unsafe_name', `${describeFile(declared.name, opening.name)} was refused: ${why}.`, {
        subject: declared.name,
      }),
    );
  if (!safe.ok) return unsafe(safe.reason);
  if (entry.type === 'link') return unsafe('it is a link to another file');
  if (entry.type === 'other') return unsafe('it is a device, not a file');
  const tooMuch = refuseEntry(opening.name, declared, opening.limits);
  if (tooMuch !== null) return refused(tooMuch);
  if (entry.encrypted) return refused(refusal(LOCKED, describeFile(declared.name, opening.name), declared.name));
  return {
    ok: true,
    path,
    size: declared.size,
    repairs: safe.repairs,
    chunks: (cancel) =>
      underLimits(
        withCrc(content(cancel), { ...declared, crc32: entry.crc32 }, opening.name),
        declared,
        opening,
        (error) => packedEntryFailure(error, declared.name, opening.name),
        cancel,
      ),
  };
}

function rawName({ name }: PackedEntry): RawEntryName {
  const unicode = isUtf8(name);
  return { raw: name, unicode, fallback: new TextDecoder(unicode ? 'utf-8' : 'windows-1252').decode(name) };
}
