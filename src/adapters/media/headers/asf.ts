/** ASF (WMA): the header object's file and stream properties. */
import type { AudioHeader, SaidHeader } from './audio-header.ts';
import { readBytes, viewOf } from './bytes.ts';

/** The header object of music holds tags and a cover; a longer one is left to the decoder. Bytes. */
const HEADER_LIMIT = 32 * 1024 ** 2;

const HEADER = '3026b2758e66cf11a6d900aa0062ce6c';
const FILE_PROPERTIES = 'a1dcab8c47a9cf118ee400c00c205365';
const STREAM_PROPERTIES = '9107dcb7b7a9cf118ee600c00c205365';
const AUDIO_MEDIA = '409e69f84d5bcf11a8fd00805f5c442b';

const CODECS: Record<number, string> = { 0x160: 'wmav1', 0x161: 'wmav2', 0x162: 'wmapro', 0x163: 'wmalossless' };

export async function readAsf(blob: Blob): Promise<SaidHeader | null> {
  const top = await readBytes(blob, 0, 30);
  if (top.length < 30 || guid(top, 0) !== HEADER) return null;
  const length = Number(viewOf(top).getBigUint64(16, true));
  if (length > HEADER_LIMIT || length > blob.size) return null;
  const bytes = await readBytes(blob, 0, length);
  const view = viewOf(bytes);
  let declared: number | null = null;
  let stated = blob.size;
  let sound: Pick<AudioHeader, 'codec' | 'sample_rate' | 'channels'> | null = null;
  for (let at = 30; at + 24 <= bytes.length;) {
    const size = Number(view.getBigUint64(at + 16, true));
    if (size < 24 || at + size > bytes.length) break;
    const type = guid(bytes, at);
    // A broadcast's file properties (flag 1) are not meant.
    if (type === FILE_PROPERTIES && size >= 104 && (view.getUint32(at + 88, true) & 1) === 0) {
      stated = Number(view.getBigUint64(at + 40, true));
      declared = Number(view.getBigUint64(at + 64, true)) / 10_000 - Number(view.getBigUint64(at + 80, true));
    }
    if (type === STREAM_PROPERTIES && size >= 94 && guid(bytes, at + 24) === AUDIO_MEDIA)
      sound ??= soundOf(view, at + 78);
    at += size;
  }
  if (!sound || declared === null) return null;
  const share = stated > blob.size ? (blob.size - length) / (stated - length) : 1;
  return {
    container: 'asf',
    ...sound,
    lossless: sound.codec === 'wmalossless',
    duration_ms: declared * share,
    declared_ms: declared,
    audio_bytes: blob.size - length,
  };
}

/** A WAVEFORMATEX. */
function soundOf(view: DataView, at: number): Pick<AudioHeader, 'codec' | 'sample_rate' | 'channels'> {
  const tag = view.getUint16(at, true);
  return {
    codec: CODECS[tag] ?? `wave_${tag.toString(16)}`,
    sample_rate: view.getUint32(at + 4, true),
    channels: view.getUint16(at + 2, true),
  };
}

function guid(bytes: Uint8Array, at: number): string {
  return [...bytes.subarray(at, at + 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
