import { asciiText, byteAt, hasBytes, hasText, isUtf8 } from './bytes.ts';
import type { FileKind } from './file-kinds.ts';
import { mpegFrame } from './mpeg-frame.ts';

/**
 * MPEG audio, ADTS AAC and AC-3 have no signature, only a sync word that random data shows too. They
 * are believed when frame follows frame at the distance that each header promises.
 */

/** Bytes of the MPEG layer II or III frame at `at`, or 0 where none begins. Layer I is refused: FF FE is UTF-16. */
export function mpegFrameLength(bytes: Uint8Array, at: number): number {
  const frame = mpegFrame(bytes, at);
  return frame === null || frame.layer === 1 ? 0 : frame.length;
}

function adtsFrameLength(bytes: Uint8Array, at: number): number {
  if (byteAt(bytes, at) !== 0xff || (byteAt(bytes, at + 1) & 0xf6) !== 0xf0 || at + 6 > bytes.length) return 0;
  const length = ((byteAt(bytes, at + 3) & 3) << 11) | (byteAt(bytes, at + 4) << 3) | (byteAt(bytes, at + 5) >> 5);
  return length >= 7 ? length : 0;
}

/** True where `wanted` frames follow one another from `at`; a head that ends earlier is enough after one. */
function follows(
  bytes: Uint8Array,
  at: number,
  wanted: number,
  lengthAt: (b: Uint8Array, at: number) => number,
): boolean {
  let position = at;
  for (let seen = 0; seen < wanted; seen++) {
    if (seen > 0 && position + 4 > bytes.length) return true;
    const length = lengthAt(bytes, position);
    if (length === 0) return false;
    position += length;
  }
  return true;
}

/** MPEG audio at the start, or a little further in: cut files and padded ones begin between frames. */
function looksLikeMpegAudio(bytes: Uint8Array): boolean {
  if (follows(bytes, 0, 2, mpegFrameLength)) return true;
  for (let at = 1; at + 4 <= bytes.length; at++) {
    if (bytes[at] === 0xff && mpegFrameLength(bytes, at) > 0 && chainFits(bytes, at)) return true;
  }
  return false;
}

/** Away from the start, four whole frames must follow, so that a picture or noise is not taken for sound. */
function chainFits(bytes: Uint8Array, at: number): boolean {
  let position = at;
  for (let seen = 0; seen < 4; seen++) {
    const length = mpegFrameLength(bytes, position);
    if (length === 0) return false;
    position += length;
  }
  return position <= bytes.length;
}

function looksLikeAdts(bytes: Uint8Array): boolean {
  return follows(bytes, 0, 2, adtsFrameLength);
}

/** Where the content behind an ID3v2 tag begins, or null without such a tag. */
export function id3End(bytes: Uint8Array): number | null {
  if (bytes.length < 10 || byteAt(bytes, 0) !== 0x49 || byteAt(bytes, 1) !== 0x44 || byteAt(bytes, 2) !== 0x33)
    return null;
  let size = 0;
  for (let i = 6; i < 10; i++) {
    // Synchsafe: 7 bits a byte.
    if (byteAt(bytes, i) > 0x7f) return null;
    size = size * 128 + byteAt(bytes, i);
  }
  const footer = (byteAt(bytes, 5) & 0x10) !== 0 ? 10 : 0;
  return 10 + size + footer;
}

/** What the first pages of an Ogg stream announce: https://www.rfc-editor.org/rfc/rfc3533 (each stream begins with one page). */
function oggKind(bytes: Uint8Array): FileKind {
  let at = 0;
  while (hasText(bytes, at, 'OggS') && (byteAt(bytes, at + 5) & 2) !== 0) {
    const segments = byteAt(bytes, at + 26);
    const payload = at + 27 + segments;
    if (hasBytes(bytes, payload, [1]) && hasText(bytes, payload + 1, 'vorbis')) return 'vorbis';
    if (hasText(bytes, payload, 'OpusHead')) return 'opus';
    if (hasBytes(bytes, payload, [0x7f]) && hasText(bytes, payload + 1, 'FLAC')) return 'ogg-flac';
    let length = 0;
    for (let i = 0; i < segments; i++) length += Math.max(0, byteAt(bytes, at + 27 + i));
    at = payload + length;
  }
  return 'ogg-other';
}

/** Bytes of a file's start that `sniff` wants to see; fewer are fine for a shorter file. */
export const HEAD_BYTES = 65_536;

/** Signatures at a fixed place, in the order they are tried. */
const SIGNATURES: readonly (readonly [at: number, magic: string | readonly number[], kind: FileKind])[] = [
  [0, 'fLaC', 'flac'],
  [0, [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07], 'rar'],
  [0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], '7z'],
  [0, [0x1f, 0x8b, 0x08], 'gzip'],
  [4, [0x31, 0x41, 0x59, 0x26, 0x53, 0x59], 'bzip2'],
  [0, [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], 'xz'],
  [257, 'ustar', 'tar'],
  [0, [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11, 0xa6, 0xd9], 'asf'],
  [0, 'wvpk', 'wavpack'],
  [0, 'TTA1', 'tta'],
  [0, 'TTA2', 'tta'],
  [0, 'caff', 'caf'],
  [0, [0x72, 0x69, 0x66, 0x66, 0x2e, 0x91, 0xcf, 0x11], 'w64'],
  [0, [0x0b, 0x77], 'ac3'],
  [0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'png'],
  [0, [0xff, 0xd8, 0xff], 'jpeg'],
  [0, 'GIF8', 'gif'],
  [0, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], 'ole'],
  [0, [0x1a, 0x45, 0xdf, 0xa3], 'matroska'],
  [0, [0x00, 0x05, 0x16, 0x07], 'appledouble'],
  [0, 'MAC ', 'ape'],
  [0, 'DSD ', 'dsd'],
  [0, 'FRM8', 'dsd'],
  [0, 'MPCK', 'musepack'],
  [0, 'MP+', 'musepack'],
  [0, '.RMF', 'realaudio'],
  [0, [0x2e, 0x72, 0x61, 0xfd], 'realaudio'],
  [0, 'MThd', 'midi'],
  [0, [0x7f, 0x45, 0x4c, 0x46], 'program'],
];

const HEIF_BRANDS = ['heic', 'heix', 'hevc', 'mif1', 'msf1', 'avif', 'avis'];
const VIDEO_BRANDS = ['qt  ', 'M4V ', 'M4VH', 'M4VP'];

/**
 * What a file is by its first bytes, whatever its name says. `head` is the start of the file (up to
 * HEAD_BYTES); a shorter head of a longer file only makes the answer less sure, never wrong.
 */
export function sniff(head: Uint8Array): FileKind {
  if (hasText(head, 0, '%PDF-')) return 'pdf';
  // Before the signatures: a text that begins with "caffeine" or "MAC " is no sound.
  const text = textKind(head);
  if (text !== null) return text;
  for (const [at, magic, kind] of SIGNATURES) {
    if (typeof magic === 'string' ? hasText(head, at, magic) : hasBytes(head, at, magic)) return kind;
  }
  if (hasText(head, 0, 'OggS')) return oggKind(head);
  if (hasText(head, 0, 'PK')) return zipKind(head);
  if (hasText(head, 0, 'RIFF') || hasText(head, 0, 'RF64')) return riffKind(head);
  if (hasText(head, 0, 'FORM') && hasText(head, 8, 'AIFF')) return 'aiff';
  if (hasText(head, 0, 'FORM') && hasText(head, 8, 'AIFC')) return 'aifc';
  if (hasText(head, 4, 'ftyp')) return mp4Kind(asciiText(head, 8, 12));
  const behindTag = id3End(head);
  if (behindTag !== null) return behindTag + 4 <= head.length ? behindId3(head.subarray(behindTag)) : 'id3';
  if (looksLikeAdts(head)) return 'aac';
  if (looksLikeMpegAudio(head)) return 'mp3';
  if (hasText(head, 0, 'MZ')) return 'program';
  return 'unknown';
}

/** Padding and damage behind a tag are common; a tag alone still means that somebody meant audio. */
function behindId3(rest: Uint8Array): FileKind {
  const kind = sniff(rest);
  return kind === 'unknown' || kind === 'text' ? 'id3' : kind;
}

function zipKind(head: Uint8Array): FileKind {
  const third = byteAt(head, 2);
  const fourth = byteAt(head, 3);
  // Local header, empty archive, or the mark of a split one.
  const known = (third === 3 && fourth === 4) || (third === 5 && fourth === 6) || (third === 7 && fourth === 8);
  if (!known) return 'unknown';
  const firstName = asciiText(head, 30, 30 + 80);
  const office =
    firstName.startsWith('[Content_Types].xml') ||
    firstName.startsWith('mimetypeapplication/') ||
    firstName.startsWith('_rels/.rels');
  return office ? 'office' : 'zip';
}

function riffKind(head: Uint8Array): FileKind {
  if (hasText(head, 8, 'WAVE')) return hasText(head, 0, 'RF64') ? 'rf64' : 'wav';
  if (hasText(head, 8, 'AVI ')) return 'avi';
  if (hasText(head, 8, 'WEBP')) return 'webp';
  return 'unknown';
}

function mp4Kind(brand: string): FileKind {
  if (HEIF_BRANDS.includes(brand)) return 'heif';
  return VIDEO_BRANDS.includes(brand) ? 'quicktime' : 'mp4';
}

function textKind(head: Uint8Array): 'html' | 'xml' | 'text' | null {
  const utf16 = hasBytes(head, 0, [0xff, 0xfe]) || hasBytes(head, 0, [0xfe, 0xff]);
  if (!utf16 && (head.length === 0 || !isUtf8(head) || hasControls(head))) return null;
  const start = asciiText(head, 0, 1024)
    .replaceAll('\0', '')
    .replace(/^[^<\w]+/, '')
    .toLowerCase();
  if (start.startsWith('<!doctype html') || start.startsWith('<html') || /<(head|body|script)[\s>]/.test(start))
    return 'html';
  return start.startsWith('<?xml') ? 'xml' : 'text';
}

/** Control characters that no text has: all below 32 but tab, line feed, form feed, return and escape. */
function hasControls(head: Uint8Array): boolean {
  return head.some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27);
}

/**
 * What a file is by its first bytes, and by those behind an ID3 tag: a large one (with a cover in it) hides what it
 * is before. `read` answers up to `HEAD_BYTES` bytes from a place on; `size` in bytes.
 */
export async function kindOfFile(read: (start: number) => Promise<Uint8Array>, size: number): Promise<FileKind> {
  const head = await read(0);
  const kind = sniff(head);
  const behindTag = kind === 'id3' ? id3End(head) : null;
  if (behindTag === null || behindTag >= size) return kind;
  const inner = sniff(await read(behindTag));
  return inner === 'unknown' || inner === 'text' ? 'id3' : inner;
}
