/** AC-3 and Enhanced AC-3: frames with their length in front. ETSI TS 102 366. */
import type { SaidHeader } from './audio-header.ts';
import { readBytes, trailingTagsLength, countFrames, CUT_NOTE, type Frame } from './bytes.ts';

const RATES = [48_000, 44_100, 32_000];
const KBITS = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640];
/** Full channels by audio coding mode; the first is two independent ones. */
const CHANNELS = [2, 1, 2, 3, 3, 4, 4, 5];

interface Ac3Frame extends Frame {
  enhanced: boolean;
  sampleRate: number;
  channels: number;
}

export async function readAc3(blob: Blob): Promise<SaidHeader | null> {
  const end = blob.size - (await trailingTagsLength(blob));
  const first = ac3Frame(await readBytes(blob, 0, 16), 0);
  if (!first) return null;
  const counted = await countFrames(blob, 0, end, (bytes, at) => {
    const frame = ac3Frame(bytes, at);
    return frame?.sampleRate === first.sampleRate && frame.enhanced === first.enhanced ? frame : null;
  });
  // Two bytes are its whole mark: one frame alone may as well be chance.
  if (counted.frames < 2) return null;
  return {
    container: first.enhanced ? 'eac3' : 'ac3',
    codec: first.enhanced ? 'eac3' : 'ac3',
    sample_rate: first.sampleRate,
    channels: first.channels,
    duration_ms: (counted.samples * 1000) / first.sampleRate,
    audio_bytes: counted.end,
    ...(counted.cut ? { note: CUT_NOTE } : {}),
  };
}

function ac3Frame(bytes: Uint8Array, at: number): Ac3Frame | null {
  if (at + 8 > bytes.length || bytes[at] !== 0x0b || bytes[at + 1] !== 0x77) return null;
  const id = (bytes[at + 5] ?? 0) >> 3;
  return id <= 10 ? plainFrame(bytes, at, id) : id <= 16 ? enhancedFrame(bytes, at) : null;
}

function plainFrame(bytes: Uint8Array, at: number, id: number): Ac3Frame | null {
  const code = bytes[at + 4] ?? 0;
  const rate = RATES[code >> 6];
  const kbits = KBITS[(code & 63) >> 1];
  if (rate === undefined || kbits === undefined) return null;
  // Only 44.1 kHz does not divide: every other frame is a word longer.
  const words = Math.floor((kbits * 96_000) / rate) + (rate === 44_100 ? code & 1 : 0);
  const mode = (bytes[at + 6] ?? 0) >> 5;
  // The mix levels that a mode has are before the mark of the low frequencies.
  const skipped = (mode & 1 && mode !== 1 ? 2 : 0) + (mode & 4 ? 2 : 0) + (mode === 2 ? 2 : 0);
  const low = ((((bytes[at + 6] ?? 0) << 8) | (bytes[at + 7] ?? 0)) >> (12 - skipped)) & 1;
  const sampleRate = id > 8 ? rate >> (id - 8) : rate;
  return { enhanced: false, sampleRate, channels: (CHANNELS[mode] ?? 2) + low, length: words * 2, samples: 1536 };
}

function enhancedFrame(bytes: Uint8Array, at: number): Ac3Frame | null {
  const [a = 0, b = 0, c = 0] = bytes.subarray(at + 2, at + 5);
  const rate = RATES[c >> 6];
  const half = RATES[(c >> 4) & 3];
  const sampleRate = rate ?? (half === undefined ? undefined : half / 2);
  if (sampleRate === undefined) return null;
  const blocks = rate === undefined ? 6 : ([1, 2, 3, 6][(c >> 4) & 3] ?? 6);
  return {
    enhanced: true,
    sampleRate,
    channels: (CHANNELS[(c >> 1) & 7] ?? 2) + (c & 1),
    length: 2 * ((((a & 7) << 8) | b) + 1),
    // A dependent stream adds channels to the one before it, not time.
    samples: a >> 6 === 1 ? 0 : 256 * blocks,
  };
}
