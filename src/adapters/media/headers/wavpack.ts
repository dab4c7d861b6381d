/**
 * WavPack: the first block promises the length; the header of the last one says what is there.
 * https://www.wavpack.com/WavPack5FileFormat.pdf
 */
import type { SaidHeader } from './audio-header.ts';
import { ascii, id3v2Length, lastIndexOfText, readBytes, trailingTagsLength, viewOf } from './bytes.ts';

const RATES = [
  6_000, 8_000, 9_600, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000, 192_000,
];
const HEADER = 32;
/** A block is at most this long; one of music is a tenth of it. Bytes. */
const BLOCK_LIMIT = 1024 ** 2 + 8;

const MONO = 1 << 2;
const HYBRID = 1 << 3;
const LAST_OF_CHANNELS = 1 << 12;
const DSD = 1 << 31;

interface Block {
  /** Bytes, header included. */
  length: number;
  /** Samples of the whole stream; null when the encoder did not know. */
  total: number | null;
  index: number;
  samples: number;
  flags: number;
}

export async function readWavpack(blob: Blob): Promise<SaidHeader | null> {
  const start = await id3v2Length(blob);
  const end = blob.size - (await trailingTagsLength(blob));
  const first = await firstSound(blob, start, end);
  if (!first || (first.block.flags & DSD) !== 0) return null;
  const { block, rate, channels } = first;
  const present = await lastSample(blob, start, end, block);
  if (present === null || rate === null) return null;
  const toMs = (samples: number): number => (samples * 1000) / rate;
  return {
    container: 'wv',
    codec: 'wavpack',
    sample_rate: rate,
    channels,
    lossless: (block.flags & HYBRID) === 0,
    duration_ms: toMs(block.total === null ? present : Math.min(present, block.total)),
    declared_ms: block.total === null ? null : toMs(block.total),
    audio_bytes: end - start,
    skip: 0,
  };
}

/** The first block with sound in it: blocks before may hold only what a program wanted to keep. */
async function firstSound(
  blob: Blob,
  from: number,
  end: number,
): Promise<{ block: Block; rate: number | null; channels: number } | null> {
  for (let at = from, tries = 0; at < end && tries < 8; tries++) {
    const head = await readBytes(blob, at, at + HEADER);
    const block = blockAt(head, 0);
    if (!block) return null;
    if (block.samples > 0) {
      const body = await readBytes(blob, at + HEADER, Math.min(at + block.length, at + HEADER + 4096));
      const own = extrasOf(body);
      const mono = (block.flags & MONO) !== 0 ? 1 : 2;
      const only = (block.flags & LAST_OF_CHANNELS) !== 0;
      if (!only && own.channels === null) return null;
      return { block, rate: RATES[(block.flags >>> 23) & 15] ?? own.rate, channels: own.channels ?? mono };
    }
    at += block.length;
  }
  return null;
}

function blockAt(bytes: Uint8Array, at: number): Block | null {
  if (at + HEADER > bytes.length || ascii(bytes, at, 4) !== 'wvpk') return null;
  const view = viewOf(bytes);
  const length = view.getUint32(at + 4, true) + 8;
  const version = view.getUint16(at + 8, true);
  if (length < HEADER || length > BLOCK_LIMIT || version < 0x402 || version > 0x410) return null;
  const low = view.getUint32(at + 12, true);
  const high = view.getUint8(at + 11);
  return {
    length,
    // The 40 bits are written so that "unknown" needs no value of the longer form.
    total: low === 0xffffffff ? null : low + high * 2 ** 32 - high,
    index: view.getUint32(at + 16, true) + view.getUint8(at + 10) * 2 ** 32,
    samples: view.getUint32(at + 20, true),
    flags: view.getUint32(at + 24, true),
  };
}

/** Rate and channels where they do not fit the header: parts of the block with a name of their own. */
function extrasOf(body: Uint8Array): { rate: number | null; channels: number | null } {
  const found: { rate: number | null; channels: number | null } = { rate: null, channels: null };
  for (let at = 0; at + 2 <= body.length;) {
    const id = body[at] ?? 0;
    const long = (id & 0x80) !== 0;
    const words = (body[at + 1] ?? 0) + (long ? (body[at + 2] ?? 0) * 256 + (body[at + 3] ?? 0) * 65_536 : 0);
    const start = at + (long ? 4 : 2);
    if ((id & 0x3f) === 0x27)
      found.rate = (body[start] ?? 0) + (body[start + 1] ?? 0) * 256 + (body[start + 2] ?? 0) * 65_536;
    if ((id & 0x3f) === 0x0d) found.channels = body[start] ?? null;
    at = start + words * 2;
  }
  return found;
}

/** Samples up to the end of the last whole block; null when no block is near the end. */
async function lastSample(blob: Blob, start: number, end: number, like: Block): Promise<number | null> {
  // Two lengths of the first block nearly always hold the last one; two of the longest that there can be always do.
  for (const span of [2 * like.length, 2 * BLOCK_LIMIT]) {
    const from = Math.max(start, end - span);
    const tail = await readBytes(blob, from, end);
    for (let at = lastIndexOfText(tail, 'wvpk'); at >= 0; at = lastIndexOfText(tail, 'wvpk', at - 1)) {
      const block = blockAt(tail, at);
      if (!block || block.samples === 0) continue;
      return block.index + (at + block.length <= tail.length ? block.samples : 0);
    }
    if (from === start) return null;
  }
  return null;
}
