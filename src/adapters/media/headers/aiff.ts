/** AIFF and uncompressed AIFF-C: frames are counted in COMM, the sound is in SSND. Big-endian. */
import type { SaidHeader } from './audio-header.ts';
import { ascii, readBytes, viewOf } from './bytes.ts';

interface Common {
  channels: number;
  frames: number;
  bits: number;
  sampleRate: number;
  /** Of AIFF-C; `NONE` for plain AIFF. */
  compression: string;
}

export async function readAiff(blob: Blob): Promise<SaidHeader | null> {
  const top = await readBytes(blob, 0, 12);
  const form = ascii(top, 8, 4);
  if (ascii(top, 0, 4) !== 'FORM' || (form !== 'AIFF' && form !== 'AIFC')) return null;
  let common: Common | null = null;
  let sound: { stated: number; rest: number } | null = null;
  for (let at = 12; at + 8 <= blob.size && !(common && sound);) {
    const bytes = await readBytes(blob, at, at + 40);
    const view = viewOf(bytes);
    const type = ascii(bytes, 0, 4);
    const size = view.getUint32(4);
    if (type === 'COMM' && bytes.length >= 26) common = commonOf(bytes, form === 'AIFC');
    // Offset and block size come before the samples.
    if (type === 'SSND') sound = { stated: size - 8, rest: blob.size - at - 16 };
    at += 8 + size + (size & 1);
  }
  return common && sound && headerOf(common, sound);
}

function commonOf(bytes: Uint8Array, compressed: boolean): Common {
  const view = viewOf(bytes);
  return {
    channels: view.getUint16(8),
    frames: view.getUint32(10),
    bits: view.getUint16(14),
    sampleRate: extended(view, 16),
    compression: compressed ? ascii(bytes, 26, 4) : 'NONE',
  };
}

/** An 80-bit extended float, positive. */
function extended(view: DataView, at: number): number {
  const exponent = (view.getUint16(at) & 0x7fff) - 16383;
  return view.getUint32(at + 2) * 2 ** (exponent - 31) + view.getUint32(at + 6) * 2 ** (exponent - 63);
}

const CODECS: Record<string, (bits: number) => string> = {
  NONE: (bits) => `pcm_s${bits}be`,
  twos: (bits) => `pcm_s${bits}be`,
  sowt: (bits) => `pcm_s${bits}le`,
  fl32: () => 'pcm_f32be',
  FL32: () => 'pcm_f32be',
  fl64: () => 'pcm_f64be',
  FL64: () => 'pcm_f64be',
};

function headerOf(common: Common, sound: { stated: number; rest: number }): SaidHeader | null {
  const codec = CODECS[common.compression]?.(Math.ceil(common.bits / 8) * 8);
  const frame = common.channels * Math.ceil(common.bits / 8);
  if (!codec || frame === 0 || !(common.sampleRate > 0)) return null;
  const declared = (common.frames * 1000) / common.sampleRate;
  const present = Math.max(0, Math.min(sound.stated, sound.rest));
  return {
    container: 'aiff',
    codec,
    sample_rate: common.sampleRate,
    channels: common.channels,
    lossless: true,
    duration_ms: Math.min(declared, (Math.floor(present / frame) * 1000) / common.sampleRate),
    declared_ms: declared,
    audio_bytes: present,
    skip: 0,
  };
}
