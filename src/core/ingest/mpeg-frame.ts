/** MPEG audio, layers I to III: the header that each frame begins with. */

const KBITS_V1: Record<number, number[]> = {
  1: [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  2: [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  3: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
};
const KBITS_V2: Record<number, number[]> = {
  1: [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  3: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

export interface MpegFrame {
  version: 1 | 2 | 2.5;
  layer: number;
  sampleRate: number;
  channels: number;
  samples: number;
  /** Bytes, header included. */
  length: number;
}

/** The frame whose header is at `at`; null when there is none (free format counts as none). */
export function mpegFrame(bytes: Uint8Array, at: number): MpegFrame | null {
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(at, at + 4);
  if (at + 4 > bytes.length || a !== 0xff || (b & 0xe0) !== 0xe0) return null;
  const version = ([2.5, null, 2, 1] as const)[(b >> 3) & 3];
  const layer = 4 - ((b >> 1) & 3);
  const rate = [44100, 48000, 32000][(c >> 2) & 3];
  if (!version || layer === 4 || rate === undefined) return null;
  const kbits = (version === 1 ? KBITS_V1 : KBITS_V2)[layer]?.[(c >> 4) - 1];
  if (kbits === undefined) return null;
  const sampleRate = version === 1 ? rate : version === 2 ? rate / 2 : rate / 4;
  const padding = (c >> 1) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && version !== 1 ? 576 : 1152;
  const slot = layer === 1 ? 4 : 1;
  const length = (Math.floor((samples / 8 / slot) * ((kbits * 1000) / sampleRate)) + padding) * slot;
  return { version, layer, sampleRate, channels: d >> 6 === 3 ? 1 : 2, samples, length };
}
