/**
 * Core Audio: the description chunk, the length of the data, and a packet table where packets differ.
 * https://developer.apple.com/library/archive/documentation/MusicAudio/Reference/CAFSpec/
 */
import type { SaidHeader } from './audio-header.ts';
import { ascii, readBytes, viewOf } from './bytes.ts';

const LOSSY: Record<string, string> = {
  'aac ': 'aac',
  opus: 'opus',
  ima4: 'adpcm_ima_qt',
  '.mp3': 'mp3',
  ulaw: 'pcm_mulaw',
  alaw: 'pcm_alaw',
};
const LOSSLESS: Record<string, string> = { alac: 'alac', flac: 'flac' };

interface Description {
  rate: number;
  format: string;
  flags: number;
  bytesPerPacket: number;
  framesPerPacket: number;
  channels: number;
  bits: number;
}

interface Parts {
  description: Description | null;
  /** Bytes of sound that are promised (null: up to the end) and that are there. */
  data: { stated: number | null; present: number } | null;
  /** Frames that count, of the packet table. */
  valid: number | null;
  /** The table says that the last packet is as long as the others, which a writer that does not look says of all. */
  even: boolean;
  /** Offsets of the end of the sound and of the table. */
  soundEnd: number;
  tableEnd: number;
}

export async function readCaf(blob: Blob): Promise<SaidHeader | null> {
  const parts = await partsOf(blob);
  const { description, data } = parts;
  const codec = description && codecOf(description);
  if (!description || !codec || !data || !(description.rate > 0)) return null;
  const { rate, bytesPerPacket, framesPerPacket } = description;
  const perByte = bytesPerPacket > 0 ? framesPerPacket / bytesPerPacket : null;
  const stated = data.stated ?? data.present;
  const cut = stated > data.present;
  const valid = parts.valid === null || cut || codec !== 'alac' ? parts.valid : await exactAlac(blob, parts);
  const promised = valid ?? (perByte === null ? null : Math.floor(stated * perByte));
  const lost = cut && promised === null ? 'it ends before the table of its packets' : null;
  if (promised === null && lost === null) return null;
  const share = stated > 0 ? data.present / stated : 0;
  const toMs = (frames: number): number => (frames * 1000) / rate;
  return {
    container: 'caf',
    codec,
    sample_rate: codec === 'opus' ? 48_000 : rate,
    channels: description.channels,
    lossless: !Object.hasOwn(LOSSY, description.format),
    duration_ms: promised === null ? null : toMs(promised * share),
    declared_ms: promised === null || data.stated === null ? null : toMs(promised),
    torn: lost,
    audio_bytes: data.present,
  };
}

async function partsOf(blob: Blob): Promise<Parts> {
  const parts: Parts = { description: null, data: null, valid: null, even: false, soundEnd: 0, tableEnd: 0 };
  for (let at = 8; at + 12 <= blob.size;) {
    const bytes = await readBytes(blob, at, at + 12 + 32);
    const view = viewOf(bytes);
    const type = ascii(bytes, 0, 4);
    // What a program put behind the last chunk is none.
    if (!/^[\x20-\x7e]{4}$/.test(type)) break;
    const size = Number(view.getBigInt64(4));
    const body = at + 12;
    if (type === 'desc' && bytes.length >= 44) parts.description = descriptionOf(bytes);
    // Number of packets, frames that count, frames before them and behind them.
    if (type === 'pakt' && bytes.length >= 36) {
      parts.valid = Number(view.getBigInt64(20));
      parts.even = view.getUint32(28) === 0 && view.getUint32(32) === 0;
      parts.tableEnd = body + size;
    }
    // A count of edits comes first.
    if (type === 'data')
      parts.data = {
        stated: size < 0 ? null : size - 4,
        present: Math.min(size < 0 ? Infinity : size, blob.size - body) - 4,
      };
    if (type === 'data' && size >= 0) parts.soundEnd = body + size;
    if (size < 0) break;
    at = body + size;
  }
  return parts;
}

/** The last packet of ALAC says itself how long it is, when it is shorter than the others. */
async function exactAlac(blob: Blob, { valid, even, soundEnd, tableEnd, description }: Parts): Promise<number | null> {
  if (!even || valid === null || !description) return valid;
  const table = await readBytes(blob, tableEnd - 8, tableEnd);
  // Sizes are seven bits a byte; all bytes of one but the last have the eighth bit set.
  let size = (table.at(-1) ?? 0) & 0x7f;
  for (let at = table.length - 2, unit = 128; at >= 0 && (table[at] ?? 0) & 0x80; at--, unit *= 128)
    size += ((table[at] ?? 0) & 0x7f) * unit;
  const packet = await readBytes(blob, soundEnd - size, soundEnd - size + 8);
  // Kind and number (7 bits), nothing (12), then whether a length of 32 bits follows the other three.
  if (size < 8 || packet.length < 8 || ((packet[2] ?? 0) & 0x10) === 0) return valid;
  const view = viewOf(packet);
  const frames = ((view.getUint32(2) << 7) | ((packet[6] ?? 0) >> 1)) >>> 0;
  return frames > 0 && frames < description.framesPerPacket ? valid - description.framesPerPacket + frames : valid;
}

function descriptionOf(bytes: Uint8Array): Description {
  const view = viewOf(bytes);
  return {
    rate: view.getFloat64(12),
    format: ascii(bytes, 20, 4),
    flags: view.getUint32(24),
    bytesPerPacket: view.getUint32(28),
    framesPerPacket: view.getUint32(32),
    channels: view.getUint32(36),
    bits: view.getUint32(40),
  };
}

function codecOf({ format, flags, bits }: Description): string | null {
  if (format !== 'lpcm') return LOSSLESS[format] ?? LOSSY[format] ?? null;
  const order = flags & 2 ? 'le' : 'be';
  if (flags & 1) return `pcm_f${bits}${order}`;
  return bits === 8 ? 'pcm_s8' : `pcm_s${bits}${order}`;
}
