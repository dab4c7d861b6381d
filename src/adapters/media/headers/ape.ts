/** Monkey's Audio: from version 3.98 on its beginning says how long it is and how many bytes belong to it. */
import type { SaidHeader } from './audio-header.ts';
import { ascii, id3v2Length, readBytes, trailingTagsLength, viewOf } from './bytes.ts';

const DESCRIPTOR = 52;
const HEADER = 24;

export async function readApe(blob: Blob): Promise<SaidHeader | null> {
  const start = await id3v2Length(blob);
  const head = await readBytes(blob, start, start + DESCRIPTOR);
  const view = viewOf(head);
  // An older one is decoded for its length.
  if (head.length < DESCRIPTOR || ascii(head, 0, 4) !== 'MAC ' || view.getUint16(4, true) < 3980) return null;
  const [own, header, table, wav, sound, more] = [8, 12, 16, 20, 24, 28].map((at) => view.getUint32(at, true));
  const facts = await readBytes(blob, start + (own ?? 0), start + (own ?? 0) + HEADER);
  if (facts.length < HEADER)
    return { container: 'ape', codec: 'ape', lossless: true, torn: 'it ends before the music begins' };
  const said = viewOf(facts);
  const [perFrame, last, frames] = [said.getUint32(4, true), said.getUint32(8, true), said.getUint32(12, true)];
  const rate = said.getUint32(20, true);
  if (rate === 0 || frames === 0) return null;
  const declared = (((frames - 1) * perFrame + last) * 1000) / rate;
  const soundAt = (own ?? 0) + (header ?? 0) + (table ?? 0) + (wav ?? 0);
  const end = blob.size - (await trailingTagsLength(blob)) - start;
  const whole = soundAt + (sound ?? 0) + (more ?? 0) * 2 ** 32 <= end;
  return {
    container: 'ape',
    codec: 'ape',
    sample_rate: rate,
    channels: said.getUint16(18, true),
    lossless: true,
    // Of a cut one only a decode can tell how much is there.
    duration_ms: whole ? declared : null,
    declared_ms: declared,
    audio_bytes: Math.max(0, end - soundAt),
    skip: 0,
  };
}
