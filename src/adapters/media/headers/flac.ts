/**
 * FLAC: STREAMINFO promises the length; the number in the last frame's header says what is there.
 * https://www.rfc-editor.org/rfc/rfc9639
 */
import type { SaidHeader } from './audio-header.ts';
import { ascii, id3v2Length, readBytes, trailingTagsLength, viewOf } from './bytes.ts';

export interface StreamInfo {
  minBlock: number;
  maxBlock: number;
  maxFrame: number;
  sampleRate: number;
  channels: number;
  /** 0 when the encoder did not know it. */
  samples: number;
}

/** The 34 bytes of STREAMINFO at `at`. */
export function streamInfo(bytes: Uint8Array, at: number): StreamInfo {
  const view = viewOf(bytes);
  const packed = view.getUint32(at + 10);
  return {
    minBlock: view.getUint16(at),
    maxBlock: view.getUint16(at + 2),
    maxFrame: view.getUint32(at + 6) & 0xffffff,
    sampleRate: packed >>> 12,
    channels: ((packed >> 9) & 7) + 1,
    samples: (view.getUint8(at + 13) & 15) * 2 ** 32 + view.getUint32(at + 14),
  };
}

export async function readFlac(blob: Blob): Promise<SaidHeader | null> {
  const start = await id3v2Length(blob);
  const head = await readBytes(blob, start, start + 42);
  if (head.length < 42 || ascii(head, 0, 4) !== 'fLaC') return null;
  const info = streamInfo(head, 8);
  const audioAt = await skipMetadata(blob, start + 4);
  const end = blob.size - (await trailingTagsLength(blob));
  const span = Math.max(128 * 1024, 2 * info.maxFrame);
  const tail = await readBytes(blob, Math.max(audioAt, end - span), end);
  const present = lastSample(tail, info);
  const toMs = (samples: number): number => (samples * 1000) / info.sampleRate;
  // The last frame may be cut itself: one block of doubt is no reason to call the header a liar.
  const whole = present !== null && Math.abs(present - info.samples) < info.maxBlock;
  return {
    container: 'flac',
    codec: 'flac',
    sample_rate: info.sampleRate,
    channels: info.channels,
    lossless: true,
    duration_ms: whole ? toMs(info.samples) : present === null ? null : toMs(present),
    declared_ms: info.samples > 0 ? toMs(info.samples) : null,
    torn: audioAt >= blob.size ? 'it ends before the music begins' : null,
    audio_bytes: Math.max(0, end - audioAt),
    skip: 0,
  };
}

/** Offset of the first audio frame; the block headers are walked, pictures are not read. */
export async function skipMetadata(blob: Blob, from: number): Promise<number> {
  let at = from;
  for (;;) {
    const head = await readBytes(blob, at, at + 4);
    if (head.length < 4) return blob.size;
    const [kind = 0, a = 0, b = 0, c = 0] = head;
    at += 4 + a * 65536 + b * 256 + c;
    if (kind & 0x80) return at;
  }
}

/** Samples up to the end of the last frame in `tail`; null when no frame header is there. */
function lastSample(tail: Uint8Array, info: StreamInfo): number | null {
  for (let at = tail.length - 6; at >= 0; at--) {
    const frame = frameAt(tail, at, info);
    if (frame !== null) return frame.first + frame.samples;
  }
  return null;
}

/** The frame whose header is at `at`: its first sample and how many it has; null where none is. */
export function frameAt(bytes: Uint8Array, at: number, info: StreamInfo): { first: number; samples: number } | null {
  if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xfe) !== 0xf8) return null;
  const sizeCode = (bytes[at + 2] ?? 0) >> 4;
  const rateCode = (bytes[at + 2] ?? 0) & 15;
  if (sizeCode === 0 || rateCode === 15) return null;
  const number = codedNumber(bytes, at + 4);
  if (!number) return null;
  let next = number.next;
  let samples = sizeCode === 1 ? 192 : sizeCode < 6 ? 576 << (sizeCode - 2) : 256 << (sizeCode - 8);
  if (sizeCode === 6) samples = (bytes[next++] ?? 0) + 1;
  if (sizeCode === 7) samples = (bytes[next++] ?? 0) * 256 + (bytes[next++] ?? 0) + 1;
  next += rateCode === 12 ? 1 : rateCode >= 13 ? 2 : 0;
  if (next >= bytes.length || crc8(bytes.subarray(at, next)) !== bytes[next]) return null;
  const variable = ((bytes[at + 1] ?? 0) & 1) === 1;
  return { first: variable ? number.value : number.value * info.maxBlock, samples };
}

/** The frame or sample number, coded like UTF-8 of up to seven bytes. */
function codedNumber(bytes: Uint8Array, at: number): { value: number; next: number } | null {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return { value: lead, next: at + 1 };
  const extra = Math.clz32(~(lead << 24)) - 1;
  if (extra < 1 || extra > 6) return null;
  let value = lead & (0x3f >> extra);
  for (let i = 1; i <= extra; i++) {
    const byte = bytes[at + i] ?? 0;
    if ((byte & 0xc0) !== 0x80) return null;
    value = value * 64 + (byte & 0x3f);
  }
  return { value, next: at + 1 + extra };
}

/** CRC-8 with polynomial x^8 + x^2 + x + 1. */
function crc8(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1;
  }
  return crc;
}
