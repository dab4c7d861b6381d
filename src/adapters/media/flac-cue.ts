/** The CUESHEET block of a FLAC file as the text of a CUE sheet. RFC 9639, section 8.7. */
import { ascii, id3v2Length, readBytes, viewOf } from './headers/bytes.ts';
import { streamInfo } from './headers/flac.ts';

const CUESHEET = 5;
/** A sheet of 100 tracks with an index or two is a tenth of it. Bytes. */
const BLOCK_LIMIT = 256 * 1024;
const LEAD_OUT = [170, 255];

/** Null when the file has none. Titles are not part of such a block. */
export async function flacCueSheet(blob: Blob): Promise<string | null> {
  const start = await id3v2Length(blob);
  const head = await readBytes(blob, start, start + 42);
  if (head.length < 42 || ascii(head, 0, 4) !== 'fLaC') return null;
  const { sampleRate } = streamInfo(head, 8);
  for (let at = start + 4; at + 4 <= blob.size;) {
    const [kind = 0, a = 0, b = 0, c = 0] = await readBytes(blob, at, at + 4);
    const length = a * 65_536 + b * 256 + c;
    if ((kind & 0x7f) === CUESHEET && length <= BLOCK_LIMIT && sampleRate > 0)
      return sheetText(await readBytes(blob, at + 4, at + 4 + length), sampleRate);
    if (kind & 0x80) return null;
    at += 4 + length;
  }
  return null;
}

function sheetText(bytes: Uint8Array, rate: number): string | null {
  const view = viewOf(bytes);
  const catalog = ascii(bytes, 0, 128).replaceAll('\0', '');
  const lines = [...(/^\d+$/.test(catalog) ? [`CATALOG ${catalog}`] : []), 'FILE "" WAVE'];
  let at = 396;
  for (let left = bytes[395] ?? 0; left > 0 && at + 36 <= bytes.length; left--) {
    const number = bytes[at + 8] ?? 0;
    const isrc = ascii(bytes, at + 9, 12).replaceAll('\0', '');
    const offset = view.getBigUint64(at);
    const indices = bytes[at + 35] ?? 0;
    if (!LEAD_OUT.includes(number)) {
      lines.push(`TRACK ${String(number).padStart(2, '0')} ${(bytes[at + 21] ?? 0) & 0x80 ? 'MODE1/2352' : 'AUDIO'}`);
      if (/^[A-Z0-9]{12}$/.test(isrc)) lines.push(`ISRC ${isrc}`);
      for (let i = 0, point = at + 36; i < indices && point + 12 <= bytes.length; i++, point += 12) {
        const samples = Number(offset + view.getBigUint64(point));
        lines.push(`INDEX ${String(bytes[point + 8] ?? 0).padStart(2, '0')} ${timeOf((samples * 75) / rate)}`);
      }
    }
    at += 36 + indices * 12;
  }
  return lines.length > 2 ? lines.join('\n') : null;
}

function timeOf(frames: number): string {
  const whole = Math.round(frames);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(Math.floor(whole / 4500))}:${two(Math.floor(whole / 75) % 60)}:${two(whole % 75)}`;
}
