/** Sony Wave64: a WAV whose chunks are named by GUIDs and have sizes of 64 bits. */
import type { AudioHeader } from './audio-header.types.ts';
import { ascii, readBytes, viewOf } from './bytes.ts';
import { readWavData, wavFormat, type WavFormat } from './wav.ts';

/** A chunk's GUID and size; the size counts them in. */
const CHUNK_HEAD = 24;

export async function readW64(blob: Blob): Promise<AudioHeader | null> {
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
