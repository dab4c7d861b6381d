/** Blocks of a TAR: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html and GNU tar's long names. */
import { asciiText, byteAt } from './bytes.ts';

export const TAR_BLOCK = 512;

export interface TarHeader {
  /** `0` file, `5` folder, `1` and `2` links, `x` and `g` pax records, `L` and `K` GNU's long names, ... */
  type: string;
  /** Name with its prefix, as bytes: what they mean is nobody's word. */
  name: Uint8Array;
  /** Bytes of content behind the header. */
  size: number;
}

/** The header in a block; null when its checksum is wrong. */
export function tarHeader(block: Uint8Array): TarHeader | null {
  const size = numberAt(block, 124, 12);
  if (size === null || numberAt(block, 148, 8) !== checksum(block)) return null;
  const type = byteAt(block, 156) === 0 ? '0' : asciiText(block, 156, 157);
  const name = fieldAt(block, 0, 100);
  // GNU's old form has times where ustar has the prefix.
  const prefix = asciiText(block, 257, 263) === 'ustar\0' ? fieldAt(block, 345, 155) : new Uint8Array(0);
  return { type, size, name: prefix.length === 0 ? name : Uint8Array.of(...prefix, 0x2f, ...name) };
}

export function isZeroBlock(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

/** Whole blocks that `size` bytes take, in bytes. */
export function padded(size: number): number {
  return Math.ceil(size / TAR_BLOCK) * TAR_BLOCK;
}

/** The records of a pax header (`25 path=a/b.flac\n`, its length first), as bytes by key; what is malformed ends the list. */
export function paxRecords(bytes: Uint8Array): Map<string, Uint8Array> {
  const records = new Map<string, Uint8Array>();
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(0x20, at);
    const length = blank < 0 ? Number.NaN : Number(asciiText(bytes, at, blank));
    const equals = bytes.indexOf(0x3d, blank);
    if (!Number.isSafeInteger(length) || length <= blank - at || at + length > bytes.length || equals < 0) break;
    records.set(asciiText(bytes, blank + 1, equals), bytes.slice(equals + 1, at + length - 1));
    at += length;
  }
  return records;
}

/** Bytes up to the first zero. */
export function untilZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.slice(0, end);
}

function fieldAt(block: Uint8Array, at: number, length: number): Uint8Array {
  return untilZero(block.slice(at, at + length));
}

/** Octal digits, or GNU's big-endian form where the first bit is set; null for what is neither, or no safe number. */
function numberAt(block: Uint8Array, at: number, length: number): number | null {
  if ((byteAt(block, at) & 0x80) !== 0) {
    let value = byteAt(block, at) & 0x7f;
    for (let i = 1; i < length; i++) value = value * 256 + byteAt(block, at + i);
    return Number.isSafeInteger(value) ? value : null;
  }
  const digits = asciiText(block, at, at + length)
    .replaceAll('\0', ' ')
    .trim();
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits === '' ? '0' : digits, 8) : null;
}

/** Of the block with blanks where the checksum is. */
function checksum(block: Uint8Array): number {
  let sum = 8 * 0x20;
  for (let i = 0; i < TAR_BLOCK; i++) if (i < 148 || i >= 156) sum += byteAt(block, i);
  return sum;
}
