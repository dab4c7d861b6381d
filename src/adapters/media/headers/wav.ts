/** WAV, RF64 and BW64: the data chunk's size over the bytes of a sample. A WAV may as well hold MP3 or AC-3. */
import { readAc3 } from './ac3.ts';
import type { HeaderReader, SaidHeader } from './audio-header.ts';
import { ascii, readBytes, viewOf } from './bytes.ts';
import { readMp3 } from './mp3.ts';

/** Sizes from here on were written by a program that could not seek back: the rest of the file is meant. */
const UNKNOWN_SIZE = 0x7fff0000;

interface WavFormat {
  tag: number;
  channels: number;
  sampleRate: number;
  blockAlign: number;
  bits: number;
  /** Of ADPCM; 0 for others. */
  samplesPerBlock: number;
}

export async function readWav(blob: Blob): Promise<SaidHeader | null> {
  const top = await readBytes(blob, 0, 12);
  if (top.length < 12 || ascii(top, 8, 4) !== 'WAVE') return null;
  let format: WavFormat | null = null;
  let longSize: number | null = null;
  for (let at = 12; at + 8 <= blob.size;) {
    const bytes = await readBytes(blob, at, at + 48);
    const view = viewOf(bytes);
    const type = ascii(bytes, 0, 4);
    const size = view.getUint32(4, true);
    if (type === 'ds64' && bytes.length >= 24) longSize = Number(view.getBigUint64(16, true));
    if (type === 'fmt ' && bytes.length >= 24) format = wavFormat(bytes, 8, size);
    if (type === 'data') return format && readWavData(blob, format, at + 8, longSize ?? size, longSize !== null);
    at += 8 + size + (size & 1);
  }
  return null;
}

/** The `size` bytes of a format chunk at `at`. */
function wavFormat(bytes: Uint8Array, at: number, size: number): WavFormat {
  const view = viewOf(bytes);
  const tag = view.getUint16(at, true);
  return {
    // WAVE_FORMAT_EXTENSIBLE: the real tag begins its sub-format.
    tag: tag === 0xfffe && size >= 40 && at + 26 <= bytes.length ? view.getUint16(at + 24, true) : tag,
    channels: view.getUint16(at + 2, true),
    sampleRate: view.getUint32(at + 4, true),
    blockAlign: view.getUint16(at + 12, true),
    bits: view.getUint16(at + 14, true),
    samplesPerBlock: size >= 20 && at + 20 <= bytes.length ? view.getUint16(at + 18, true) : 0,
  };
}

/** What lies at `at`; `stated` are the bytes that its chunk promises, `exact` when that cannot mean "unknown". */
async function readWavData(
  blob: Blob,
  format: WavFormat,
  at: number,
  stated: number,
  exact: boolean,
): Promise<SaidHeader | null> {
  const rest = Math.max(0, blob.size - at);
  const unknown = !exact && (stated === 0 || (stated >= UNKNOWN_SIZE && stated > rest));
  const present = unknown ? rest : Math.min(stated, rest);
  const inner = INNER[format.tag];
  if (inner) {
    const header = await inner(blob.slice(at, at + present));
    const share = unknown || present === 0 ? 1 : stated / present;
    const declared = header?.duration_ms ? header.duration_ms * share : null;
    return header && { ...header, container: 'wav', declared_ms: header.declared_ms ?? declared, skip: null };
  }
  const codec = wavCodec(format);
  const block = format.samplesPerBlock > 0 && ADPCM[format.tag] ? format.samplesPerBlock : 1;
  if (!codec || format.blockAlign === 0 || format.sampleRate === 0) return null;
  const toMs = (bytes: number): number => (Math.floor(bytes / format.blockAlign) * block * 1000) / format.sampleRate;
  return {
    container: 'wav',
    codec,
    sample_rate: format.sampleRate,
    channels: format.channels,
    lossless: !ADPCM[format.tag],
    duration_ms: toMs(present),
    declared_ms: unknown ? null : toMs(stated),
    audio_bytes: present,
    skip: 0,
  };
}

const INNER: Record<number, HeaderReader> = { 0x50: readMp3, 0x55: readMp3, 0x2000: readAc3 };
const ADPCM: Record<number, string> = { 0x02: 'adpcm_ms', 0x11: 'adpcm_ima_wav' };

function wavCodec({ tag, bits, samplesPerBlock }: WavFormat): string | null {
  if (tag === 1) return bits === 8 ? 'pcm_u8' : `pcm_s${bits}le`;
  if (tag === 3) return `pcm_f${bits}le`;
  if (tag === 6) return 'pcm_alaw';
  if (tag === 7) return 'pcm_mulaw';
  return samplesPerBlock > 0 ? (ADPCM[tag] ?? null) : null;
}

/** Sony Wave64: a WAV whose chunks are named by GUIDs and have sizes of 64 bits. */

/** A chunk's GUID and size; the size counts them in. */
const CHUNK_HEAD = 24;

export async function readW64(blob: Blob): Promise<SaidHeader | null> {
  const top = await readBytes(blob, 0, 40);
  if (top.length < 40 || ascii(top, 0, 4) !== 'riff' || ascii(top, 24, 4) !== 'wave') return null;
  let format: WavFormat | null = null;
  for (let at = 40; at + CHUNK_HEAD <= blob.size;) {
    const bytes = await readBytes(blob, at, at + CHUNK_HEAD + 40);
    const view = viewOf(bytes);
    const type = ascii(bytes, 0, 4);
    const size = Number(view.getBigUint64(16, true));
    if (size < CHUNK_HEAD) return null;
    if (type === 'fmt ' && bytes.length >= CHUNK_HEAD + 16) format = wavFormat(bytes, CHUNK_HEAD, size - CHUNK_HEAD);
    if (type === 'data') {
      const header = format && (await readWavData(blob, format, at + CHUNK_HEAD, size - CHUNK_HEAD, true));
      return header && { ...header, container: 'w64' };
    }
    at += Math.ceil(size / 8) * 8;
  }
  return null;
}
