/** True Audio: the length is in the header, and a table of the frames' sizes says how much must be there. */
import type { SaidHeader } from './audio-header.ts';
import { ascii, id3v2Length, readBytes, trailingTagsLength, viewOf } from './bytes.ts';

const HEADER = 22;

export async function readTta(blob: Blob): Promise<SaidHeader | null> {
  const start = await id3v2Length(blob);
  const head = await readBytes(blob, start, start + HEADER);
  if (head.length < HEADER || ascii(head, 0, 4) !== 'TTA1') return null;
  const view = viewOf(head);
  const [channels, rate, samples] = [view.getUint16(6, true), view.getUint32(10, true), view.getUint32(14, true)];
  if (rate === 0 || channels === 0 || samples === 0) return null;
  // The frames of the format last 256/245 seconds.
  const frame = Math.floor((256 * rate) / 245);
  const frames = Math.ceil(samples / frame);
  const tableAt = start + HEADER;
  const soundAt = tableAt + frames * 4 + 4;
  const end = blob.size - (await trailingTagsLength(blob));
  const whole = soundAt <= end ? await wholeFrames(blob, tableAt, frames, end - soundAt) : 0;
  return {
    container: 'tta',
    codec: 'tta',
    sample_rate: rate,
    channels,
    lossless: true,
    duration_ms: (Math.min(samples, whole * frame) * 1000) / rate,
    declared_ms: (samples * 1000) / rate,
    torn: soundAt > end ? 'it ends before the music begins' : null,
    audio_bytes: Math.max(0, end - soundAt),
    skip: 0,
  };
}

/** How many of the frames fit into `room` bytes. */
async function wholeFrames(blob: Blob, tableAt: number, frames: number, room: number): Promise<number> {
  const view = viewOf(await readBytes(blob, tableAt, tableAt + frames * 4));
  let rest = room;
  for (let i = 0; i < frames; i++) {
    rest -= view.getUint32(i * 4, true);
    if (rest < 0) return i;
  }
  return frames;
}
