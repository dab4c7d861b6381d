/** AAC in ADTS frames: their headers are counted, there is nothing else. ISO/IEC 13818-7. */
import type { SaidHeader } from './audio-header.ts';
import { id3v2Length, readBytes, trailingTagsLength, countFrames, CUT_NOTE, type Frame } from './bytes.ts';

/** Sampling frequencies of AAC by their index, Hz. */
export const AAC_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];

/** At such a rate the frames may hold half of a sound whose other half only a decoder finds (HE-AAC). Hz. */
const MAY_BE_DOUBLED = 24_000;

interface AdtsFrame extends Frame {
  sampleRate: number;
  channels: number;
}

export async function readAac(blob: Blob): Promise<SaidHeader | null> {
  const start = await id3v2Length(blob);
  const end = blob.size - (await trailingTagsLength(blob));
  const first = adtsFrame(await readBytes(blob, start, start + 8), 0);
  if (!first || first.channels === 0 || first.sampleRate <= MAY_BE_DOUBLED) return null;
  const {
    frames,
    samples,
    end: last,
    cut,
  } = await countFrames(blob, start, end, (bytes, at) => {
    const frame = adtsFrame(bytes, at);
    return frame?.sampleRate === first.sampleRate ? frame : null;
  });
  if (frames === 0) return null;
  return {
    container: 'aac',
    codec: 'aac',
    sample_rate: first.sampleRate,
    channels: first.channels,
    duration_ms: (samples * 1000) / first.sampleRate,
    audio_bytes: last - start,
    ...(cut ? { note: CUT_NOTE } : {}),
  };
}

function adtsFrame(bytes: Uint8Array, at: number): AdtsFrame | null {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = bytes.subarray(at, at + 7);
  if (at + 7 > bytes.length || a !== 0xff || (b & 0xf6) !== 0xf0) return null;
  const sampleRate = AAC_RATES[(c >> 2) & 15];
  const length = ((d & 3) << 11) | (e << 3) | (f >> 5);
  if (sampleRate === undefined || length < 8) return null;
  const layout = ((c & 1) << 2) | (d >> 6);
  return { length, samples: 1024 * ((g & 3) + 1), sampleRate, channels: layout === 7 ? 8 : layout };
}
