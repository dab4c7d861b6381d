/**
 * Payloads that a row only describes, because they are large: a unit again and again, many frames, an entry of an archive
 * that expands, an archive of many entries. What they say is made: of up to five billion bytes, packed as they are made.
 */
import { once } from 'node:events';
import { crc32, createDeflateRaw } from 'node:zlib';
import * as v from 'valibot';
import { openArchive } from '#adapters/media/archive/open.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { toFailure, type Failure } from '#core/errors.ts';
import { archiveLimits } from '#core/ingest/limits.ts';

/** Bytes that a row may ask for. */
const MOST_BYTES = 5e9;
/** Characters of a text that is put somewhere; no reader here takes as many of one value. */
const MOST_TEXT = 16_000_000;
/** Frames that are put somewhere; no reader here takes as many. */
const MOST_FRAMES = 1_000_000;
const MOST_ENTRIES = 200_000;

const Count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST_BYTES));
const Text = v.strictObject({ unit: v.string(), n: Count });
const Frames = v.strictObject({ frames: Count, each: v.string() });
const Entry = v.strictObject({ entry: v.string(), unit: v.pipe(v.string(), v.minLength(1)), n: Count });
const Entries = v.strictObject({ entries: v.pipe(Count, v.maxValue(MOST_ENTRIES)), bytes: Count });

export type Made =
  | { kind: 'texts'; texts: string[] }
  | { kind: 'entry'; name: string; unit: string; n: number }
  | { kind: 'entries'; entries: number; bytes: number };

/** What a row's `payload_gen` says; null for a form that is not known here, or for more than is made here. */
export function readMade(said: unknown): Made | null {
  if (v.is(Text, said)) return { kind: 'texts', texts: [repeated(said.unit, said.n)] };
  if (v.is(Frames, said)) {
    const frames = Math.min(said.frames, MOST_FRAMES);
    return { kind: 'texts', texts: Array.from({ length: frames }, () => said.each) };
  }
  if (v.is(Entry, said))
    return Buffer.byteLength(said.unit) * said.n > MOST_BYTES
      ? null
      : { kind: 'entry', name: said.entry, unit: said.unit, n: said.n };
  if (v.is(Entries, said)) return said.entries * said.bytes > MOST_BYTES ? null : { kind: 'entries', ...said };
  return null;
}

function repeated(unit: string, n: number): string {
  return unit === '' ? '' : unit.repeat(Math.min(n, Math.ceil(MOST_TEXT / unit.length)));
}

/** What the way in says of an archive that a row describes: null where all of it can be read, else why not. */
export async function takeMade(made: Exclude<Made, { kind: 'texts' }>): Promise<Failure | null> {
  const blob = made.kind === 'entry' ? await oneEntry(made) : await manyEntries(made);
  const name = 'hostile.zip';
  try {
    const archive = await openArchive(blob, { name, limits: archiveLimits(DEFAULT_SETTINGS) });
    try {
      for (const item of archive.items) {
        if (!item.ok) return item.failure;
        for await (const chunk of item.chunks()) if (chunk.length === 0) break;
      }
      return null;
    } finally {
      await archive.close();
    }
  } catch (error) {
    return toFailure(error, name);
  }
}

async function oneEntry({ name, unit, n }: { name: string; unit: string; n: number }): Promise<Blob> {
  return zipOf([{ name, ...(await packed(unit, n)) }]);
}

async function manyEntries({ entries, bytes }: { entries: number; bytes: number }): Promise<Blob> {
  const content = await packed('\0', bytes);
  return zipOf(Array.from({ length: entries }, (_, at) => ({ name: `${at}.mp3`, ...content })));
}

interface Packed {
  size: number;
  crc: number;
  deflated: Buffer;
}

/** Bytes that are made at a time. */
const PIECE_BYTES = 1 << 20;

/** The unit so often, deflated as it is made: what is in memory is a thousandth of it. */
async function packed(unit: string, n: number): Promise<Packed> {
  const one = Buffer.from(unit);
  const times = Math.max(1, Math.floor(PIECE_BYTES / Math.max(1, one.length)));
  const piece = Buffer.alloc(times * one.length, one);
  const deflate = createDeflateRaw({ level: 1 });
  const out: Buffer[] = [];
  deflate.on('data', (bytes: Buffer) => void out.push(bytes));
  let [size, crc] = [0, 0];
  for (let left = n; left > 0; left -= times) {
    const bytes = left >= times ? piece : piece.subarray(0, left * one.length);
    size += bytes.length;
    crc = crc32(bytes, crc);
    if (!deflate.write(bytes)) await once(deflate, 'drain');
  }
  const ended = once(deflate, 'end');
  deflate.end();
  await ended;
  return { size, crc, deflated: Buffer.concat(out) };
}

const ZIP64 = 0xffff_ffff;

/** A ZIP of deflated entries, with ZIP64 fields where a size needs them. */
function zipOf(entries: readonly (Packed & { name: string })[]): Blob {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const { name, size, crc, deflated } of entries) {
    const raw = Buffer.from(name);
    const wide = size >= ZIP64 || at >= ZIP64;
    const extra = Buffer.alloc(wide ? 28 : 0);
    if (wide) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(24, 2);
      extra.writeBigUInt64LE(BigInt(size), 4);
      extra.writeBigUInt64LE(BigInt(deflated.length), 12);
      extra.writeBigUInt64LE(BigInt(at), 20);
    }
    // Of the local header, the sizes are in its extra field alike; the place is the list's alone.
    const sizes = wide ? [ZIP64, ZIP64] : [deflated.length, size];
    const common = [
      [20, 2],
      [0x800, 2],
      [8, 2],
      [0, 2],
      [33, 2],
      [crc, 4],
      [sizes[0] ?? 0, 4],
      [sizes[1] ?? 0, 4],
    ];
    const lengths = [
      [raw.length, 2],
      [extra.length, 2],
    ];
    const local = fields([[0x04034b50, 4], ...common, ...lengths]);
    parts.push(local, raw, extra, deflated);
    const place = wide ? ZIP64 : at;
    list.push(
      fields([[0x02014b50, 4], [20, 2], ...common, ...lengths, [0, 2], [0, 2], [0, 2], [0, 4], [place, 4]]),
      raw,
      extra,
    );
    at += local.length + raw.length + extra.length + deflated.length;
  }
  const directory = Buffer.concat(list);
  const many = entries.length >= 0xffff || at >= ZIP64;
  const counts = many ? [0xffff, 0xffff] : [entries.length, entries.length];
  const end64 = Buffer.alloc(many ? 76 : 0);
  if (many) {
    end64.writeUInt32LE(0x06064b50, 0);
    end64.writeBigUInt64LE(44n, 4);
    end64.writeUInt16LE(45, 12);
    end64.writeUInt16LE(45, 14);
    for (const offset of [24, 32]) end64.writeBigUInt64LE(BigInt(entries.length), offset);
    end64.writeBigUInt64LE(BigInt(directory.length), 40);
    end64.writeBigUInt64LE(BigInt(at), 48);
    end64.writeUInt32LE(0x07064b50, 56);
    end64.writeBigUInt64LE(BigInt(at + directory.length), 64);
    end64.writeUInt32LE(1, 72);
  }
  const end = fields([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [counts[0] ?? 0, 2],
    [counts[1] ?? 0, 2],
    [many ? ZIP64 : directory.length, 4],
    [many ? ZIP64 : at, 4],
    [0, 2],
  ]);
  return new Blob([...parts, directory, end64, end].map((part) => new Uint8Array(part)));
}

/** Numbers with their bytes, little end first. */
function fields(numbers: readonly (readonly number[])[]): Buffer {
  const bytes = Buffer.alloc(numbers.reduce((sum, [, width = 0]) => sum + width, 0));
  let at = 0;
  for (const [value = 0, width = 0] of numbers) {
    bytes.writeUIntLE(value, at, width);
    at += width;
  }
  return bytes;
}
