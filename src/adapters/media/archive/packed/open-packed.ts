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
import { stopOn, underLimits } from '../checked.ts';
import { listFailure, lockedFailure, packedEntryFailure, splitFailure } from './failures.ts';
import { PackedInstance, type PackedEntry, type PackedFormat } from './instance.ts';
import type { BytesAtOnce } from './packed-parts.types.ts';
import { PackedPass } from './pass.ts';

/** Behind `Rar!` and two more: 0 up to version 4, 1 from 5 on. */
const RAR5 = [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07, 0x01, 0x00];

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
  const bytes = await bytesAtOnce(blob);
  try {
    const format = kind === '7z' ? kind : hasBytes(bytes.read(0, RAR5.length), 0, RAR5) ? 'rar5' : 'rar';
    const { entries, broken } = await listPacked(bytes, format, opening);
    const pass = new PackedPass(bytes, format, entries);
    return {
      kind,
      items: itemsOf(entries, broken, blob, pass, opening),
      close: () => Promise.resolve(bytes.close()),
    };
  } catch (error) {
    bytes.close();
    throw error instanceof AccessionError
      ? error
      : new AccessionError(listFailure(error, opening.name, { encrypted: false, cut: false }), { cause: error });
  }
}

async function listPacked(
  bytes: BytesAtOnce,
  format: PackedFormat,
  { name, limits, used }: Opening,
): Promise<PackedList> {
  const entries: PackedEntry[] = [];
  let instance: PackedInstance | null = null;
  let files = 0;
  try {
    instance = await PackedInstance.open(bytes, format, true);
    for (let entry = instance.next(); entry !== null; entry = instance.next()) {
      if (instance.isPartOfMany) throw new AccessionError(splitFailure(name));
      entries.push(entry);
      if (entry.type !== 'folder') files += 1;
      // Folders do not count as files, but a list of nothing else must end too.
      stopOn(refuseCount(name, Math.max(files, entries.length / 4), used, limits));
    }
    return { entries, broken: null };
  } catch (error) {
    if (instance?.isPartOfMany === true) throw new AccessionError(splitFailure(name), { cause: error });
    const facts = { encrypted: entries.length === 0 && instance?.isEncrypted === true, cut: false };
    const why = listFailure(error, name, facts);
    if (error instanceof AccessionError || files === 0) throw new AccessionError(why, { cause: error });
    return {
      entries,
      broken: {
        ...why,
        message: `${why.message.slice(0, -1)}: what comes behind its ${files} files that were found is missing.`,
      },
    };
  }
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
  if (entry.encrypted) return refused(lockedFailure(declared.name, opening.name));
  return {
    ok: true,
    path,
    size: declared.size,
    repairs: safe.repairs,
    chunks: (cancel) =>
      underLimits(
        asLongAs(content(cancel), entry.size, declared, opening.name),
        declared,
        opening,
        (error) => packedEntryFailure(error, declared.name, opening.name),
        cancel,
      ),
  };
}

/** Throws AccessionError `archive_corrupt` where more or less comes than the list says. */
async function* asLongAs(
  source: AsyncIterable<Uint8Array>,
  size: number | null,
  { name }: DeclaredEntry,
  archive: string,
): AsyncGenerator<Uint8Array> {
  const wrong = (): AccessionError =>
    failed('archive_corrupt', `${describeFile(name, archive)} has another size than the archive says.`, {
      subject: name,
    });
  let have = 0;
  for await (const piece of source) {
    have += piece.length;
    if (size !== null && have > size) throw wrong();
    yield piece;
  }
  if (size !== null && have !== size) throw wrong();
}

function rawName({ name }: PackedEntry): RawEntryName {
  const unicode = isUtf8(name);
  return { raw: name, unicode, fallback: new TextDecoder(unicode ? 'utf-8' : 'windows-1252').decode(name) };
}
