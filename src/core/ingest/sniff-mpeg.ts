import { byteAt } from './bytes.ts';

/**
 * MPEG audio, ADTS AAC and AC-3 have no signature, only a sync word that random data shows too. They
 * are believed when frame follows frame at the distance that each header promises.
 */

const MPEG1_LAYER3 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const MPEG1_LAYER2 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384];
const MPEG2_LAYER23 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const MPEG_RATES = [44_100, 48_000, 32_000];

/** Bytes of the MPEG layer II or III frame at `at`, or 0 where none begins. Layer I is refused: FF FE is UTF-16. */
export function mpegFrameLength(bytes: Uint8Array, at: number): number {
  const b1 = byteAt(bytes, at + 1);
  const b2 = byteAt(bytes, at + 2);
  if (byteAt(bytes, at) !== 0xff || b2 < 0 || (b1 & 0xe0) !== 0xe0) return 0;
  const version = (b1 >> 3) & 3; // 0: MPEG 2.5, 2: MPEG 2, 3: MPEG 1
  const layer = (b1 >> 1) & 3; // 1: III, 2: II
  if (version === 1 || (layer !== 1 && layer !== 2)) return 0;
  const table = version === 3 ? (layer === 1 ? MPEG1_LAYER3 : MPEG1_LAYER2) : MPEG2_LAYER23;
  const kbps = table[b2 >> 4] ?? 0;
  const baseRate = MPEG_RATES[(b2 >> 2) & 3] ?? 0;
  if (kbps === 0 || baseRate === 0) return 0;
  const rate = version === 3 ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4;
  const samples = layer === 1 && version !== 3 ? 576 : 1152;
  return Math.floor(((samples / 8) * kbps * 1000) / rate) + ((b2 >> 1) & 1);
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
export function looksLikeMpegAudio(bytes: Uint8Array): boolean {
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

export function looksLikeAdts(bytes: Uint8Array): boolean {
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
