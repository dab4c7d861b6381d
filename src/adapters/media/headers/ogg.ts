/** Ogg with Vorbis, Opus or FLAC inside: the granule position of the last page is the length. */
import type { SaidHeader } from './audio-header.ts';
import { ascii, lastIndexOfText, readBytes, viewOf } from './bytes.ts';
import { streamInfo } from './flac.ts';

/** Two of the longest pages. */
const TAIL = 2 * 65_307;

interface OggStream {
  codec: string;
  serial: number;
  sampleRate: number;
  channels: number;
  /** What granule positions count, per second. */
  clock: number;
  /** Samples at the start that a decoder drops. */
  skip: number;
}

export async function readOgg(blob: Blob): Promise<SaidHeader | null> {
  const stream = firstStream(await readBytes(blob, 0, 65_536));
  if (!stream) return null;
  const tail = await readBytes(blob, blob.size - TAIL, blob.size);
  const last = lastPage(tail, stream.serial);
  const samples = last ? Math.max(0, last.granule - stream.skip) : null;
  const codec = stream.codec;
  return {
    container: 'ogg',
    codec,
    sample_rate: stream.sampleRate,
    channels: stream.channels,
    lossless: codec === 'flac',
    duration_ms: samples === null ? null : (samples * 1000) / stream.clock,
    torn: last?.cut && !last.ended ? 'it ends in the middle of a page' : null,
    audio_bytes: blob.size,
    skip: stream.skip,
  };
}

/** The first audio stream among the pages that begin one (a picture or a skeleton may be before it). */
function firstStream(bytes: Uint8Array): OggStream | null {
  const view = viewOf(bytes);
  let at = 0;
  while (at + 28 < bytes.length && ascii(bytes, at, 4) === 'OggS' && (bytes[at + 5] ?? 0) & 2) {
    const segments = bytes[at + 26] ?? 0;
    const body = at + 27 + segments;
    const serial = view.getUint32(at + 14, true);
    const stream = body + 64 < bytes.length ? streamHead(bytes, body, serial) : null;
    if (stream) return stream;
    at = body + bytes.subarray(at + 27, body).reduce((sum, length) => sum + length, 0);
  }
  return null;
}

function streamHead(bytes: Uint8Array, at: number, serial: number): OggStream | null {
  const view = viewOf(bytes);
  if (ascii(bytes, at, 7) === '\x01vorbis') {
    const sampleRate = view.getUint32(at + 12, true);
    return { codec: 'vorbis', serial, sampleRate, channels: bytes[at + 11] ?? 0, clock: sampleRate, skip: 0 };
  }
  if (ascii(bytes, at, 8) === 'OpusHead') {
    const skip = view.getUint16(at + 10, true);
    return { codec: 'opus', serial, sampleRate: 48_000, channels: bytes[at + 9] ?? 0, clock: 48_000, skip };
  }
  if (ascii(bytes, at, 5) === '\x7fFLAC') {
    const { sampleRate, channels } = streamInfo(bytes, at + 17);
    return { codec: 'flac', serial, sampleRate, channels, clock: sampleRate, skip: 0 };
  }
  return null;
}

interface LastPage {
  granule: number;
  /** The stream says that it ends here. */
  ended: boolean;
  /** A later page was begun and is not whole. */
  cut: boolean;
}

/** The last whole page of the stream; null when another stream follows, which only a decode can measure. */
function lastPage(tail: Uint8Array, serial: number): LastPage | null {
  const view = viewOf(tail);
  let cut = false;
  for (let at = lastIndexOfText(tail, 'OggS'); at >= 0; at = lastIndexOfText(tail, 'OggS', at - 1)) {
    const segments = at + 27 <= tail.length ? (tail[at + 26] ?? 0) : Infinity;
    const length = 27 + segments + tail.subarray(at + 27, at + 27 + segments).reduce((sum, each) => sum + each, 0);
    if (!(at + length <= tail.length)) {
      cut = true;
      continue;
    }
    if (view.getUint32(at + 14, true) !== serial) return null;
    const granule = view.getBigInt64(at + 6, true);
    // -1: no packet ends on this page.
    const ended = ((tail[at + 5] ?? 0) & 4) !== 0;
    if (granule >= 0n) return { granule: Number(granule), ended, cut: cut || at + length < tail.length };
  }
  return null;
}
