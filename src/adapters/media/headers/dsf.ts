/** DSD in a DSF: bits without compression, so its size says its length. A DFF is decoded for it. */
import type { SaidHeader } from './audio-header.ts';
import { ascii, readBytes, viewOf } from './bytes.ts';

/** Three heads, the last of which is that of the sound. */
const HEADS = 28 + 52 + 12;

export async function readDsf(blob: Blob): Promise<SaidHeader | null> {
  const head = await readBytes(blob, 0, HEADS);
  if (
    head.length < HEADS ||
    ascii(head, 0, 4) !== 'DSD ' ||
    ascii(head, 28, 4) !== 'fmt ' ||
    ascii(head, 80, 4) !== 'data'
  )
    return null;
  const view = viewOf(head);
  const [channels, rate] = [view.getUint32(52, true), view.getUint32(56, true)];
  const samples = Number(view.getBigUint64(64, true));
  if (channels === 0 || rate === 0) return null;
  const bytes = Math.max(0, Math.min(Number(view.getBigUint64(84, true)) - 12, blob.size - HEADS));
  return {
    container: 'dsf',
    codec: 'dsd_lsbf_planar',
    // As its decoders put it out: eight bits make a sample.
    sample_rate: rate / 8,
    channels,
    lossless: true,
    duration_ms: (Math.min(samples, (bytes / channels) * 8) * 1000) / rate,
    declared_ms: (samples * 1000) / rate,
    audio_bytes: bytes,
    skip: 0,
  };
}
