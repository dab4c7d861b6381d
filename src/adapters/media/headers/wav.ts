/** WAV, RF64 and BW64: the data chunk's size over the bytes of a sample. */
import type { AudioHeader } from './audio-header.types.ts';
import { ascii, readBytes, viewOf } from './bytes.ts';

/** Sizes from here on were written by a program that could not seek back: the rest of the file is meant. */
const UNKNOWN_SIZE = 0x7fff0000;

interface WavFormat {
  tag: number;
  channels: number;
  sampleRate: number;
  blockAlign: number;
  bits: number;
}

export async function readWav(blob: Blob): Promise<AudioHeader | null> {
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
    if (type === 'fmt ' && bytes.length >= 24) format = formatOf(view, size);
    if (type === 'data') return format && headerOf(format, longSize ?? size, longSize !== null, blob.size - at - 8);
    at += 8 + size + (size & 1);
  }
  return null;
}

function formatOf(view: DataView, size: number): WavFormat {
  const tag = view.getUint16(8, true);
  return {
    // WAVE_FORMAT_EXTENSIBLE: the real tag begins its sub-format.
    tag: tag === 0xfffe && size >= 40 && view.byteLength >= 34 ? view.getUint16(32, true) : tag,
    channels: view.getUint16(10, true),
    sampleRate: view.getUint32(12, true),
    blockAlign: view.getUint16(20, true),
    bits: view.getUint16(22, true),
  };
}

function headerOf(format: WavFormat, stated: number, exact: boolean, rest: number): AudioHeader | null {
  const codec = pcmCodec(format);
  // ADPCM, MP3 and the like in a WAV: only a decode tells.
  if (!codec || format.blockAlign === 0 || format.sampleRate === 0) return null;
  const unknown = !exact && (stated === 0 || (stated >= UNKNOWN_SIZE && stated > rest));
  const toMs = (bytes: number): number => (Math.floor(bytes / format.blockAlign) * 1000) / format.sampleRate;
  const present = unknown ? rest : Math.min(stated, rest);
  return {
    container: 'wav',
    codec,
    sample_rate: format.sampleRate,
    channels: format.channels,
    lossless: true,
    duration_ms: toMs(present),
    declared_ms: unknown ? null : toMs(stated),
    torn: null,
    audio_bytes: present,
    skip: 0,
  };
}

function pcmCodec({ tag, bits }: WavFormat): string | null {
  if (tag === 1) return bits === 8 ? 'pcm_u8' : `pcm_s${bits}le`;
  if (tag === 3) return `pcm_f${bits}le`;
  if (tag === 6) return 'pcm_alaw';
  return tag === 7 ? 'pcm_mulaw' : null;
}
