/** Texts of a file's tags that do not say their encoding: ID3v1, ID3v2 frames of "Latin-1", RIFF's INFO. */
import type { IAudioMetadata } from 'music-metadata';
import { ascii, readBytes } from './headers/bytes.ts';

/** A larger tag is read to here; its texts are before its pictures. Bytes. */
const MOST_OF_TAG = 256 * 1024;
const MOST_FRAMES = 1000;

/** What other containers hold (FLAC, MP4, Ogg, APE, ...) is Unicode, and never guessed at. */
export async function unsaidTexts(file: Blob, native: IAudioMetadata['native']): Promise<string[]> {
  const kinds = Object.entries(native).map(([kind, tags]) => ({ kind, texts: tags.map(({ value }) => value) }));
  const textsOf = (of: (kind: string) => boolean): string[] =>
    kinds.flatMap(({ kind, texts }) => (of(kind) ? texts.filter((text) => typeof text === 'string') : []));
  if (!textsOf(() => true).some((text) => /[^\0-\x7f]/.test(text))) return [];
  const frames = await latinFrames(file);
  const isPlain = (kind: string): boolean => kind === 'ID3v1' || kind === 'exif';
  const said = new Set(textsOf((kind) => !isPlain(kind)).filter((text) => !frames.some((one) => one.includes(text))));
  return [...frames, ...textsOf(isPlain)].filter((text) => !said.has(text));
}

/** The texts of the ID3v2 tag at the beginning that are declared Latin-1, by their bytes. */
async function latinFrames(file: Blob): Promise<string[]> {
  const head = await readBytes(file, 0, 10);
  if (head.length < 10 || ascii(head, 0, 3) !== 'ID3') return [];
  const [major = 0, flags = 0] = [head[3], head[5]];
  const end = 10 + Math.min(synchsafe(head, 6), MOST_OF_TAG);
  let bytes = await readBytes(file, 10, end);
  if ((flags & 0x80) !== 0 && major < 4) bytes = synchronised(bytes);
  const texts: string[] = [];
  // 2.2 has names and sizes of three bytes and no flags; 2.4 sizes of 7 bits a byte.
  const [name, header] = major === 2 ? [3, 6] : [4, 10];
  let at = (flags & 0x40) !== 0 && major > 2 ? extendedLength(bytes, major) : 0;
  for (let count = 0; at + header < bytes.length && bytes[at] !== 0 && count < MOST_FRAMES; count++) {
    const size = major === 4 ? synchsafe(bytes, at + 4) : bigEndian(bytes, at + name, name);
    const body = bytes.subarray(at + header, at + header + size);
    const odd = major === 4 && ((bytes[at + 9] ?? 0) & 0x0f) !== 0;
    if (bytes[at] === 0x54 && body[0] === 0 && !odd) texts.push(new TextDecoder('latin1').decode(body.subarray(1)));
    at += header + size;
  }
  return texts;
}

const bigEndian = (bytes: Uint8Array, at: number, length: number): number =>
  bytes.subarray(at, at + length).reduce((sum, byte) => sum * 256 + byte, 0);
const synchsafe = (bytes: Uint8Array, at: number): number =>
  bytes.subarray(at, at + 4).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
const extendedLength = (bytes: Uint8Array, major: number): number =>
  major === 4 ? synchsafe(bytes, 0) : 4 + bigEndian(bytes, 0, 4);
/** Without the zeros that are behind 0xff. */
const synchronised = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  bytes.filter((byte, at) => byte !== 0 || bytes[at - 1] !== 0xff);
