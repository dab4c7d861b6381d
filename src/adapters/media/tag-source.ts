/**
 * What music-metadata is given to read: the file itself, or, for containers that it does not know or walks from end to
 * end, a small file of a kind that it knows with the same tags. Parts of the file are slices, nothing is copied.
 */
import type { FileKind } from '#core/ingest/file-kinds.ts';
import { ascii, id3v2Length, readBytes, trailingTagsLength, viewOf } from './headers/bytes.ts';
import { pagesFrom, piecesOf } from './ogg/ogg-pages.ts';
import { joinBytes } from '#core/ingest/bytes.ts';
import type { IAudioMetadata } from 'music-metadata';

/** Beyond this no header of FLAC in Ogg is looked for; covers in it may be megabytes. Bytes. */
const OGG_HEAD = 20 * 1024 ** 2;
/** Chunks of a WAV that are searched for tags; there are hardly ever ten. */
const MOST_CHUNKS = 64;

/** The file itself for most kinds. */
export async function tagSource(blob: Blob, kind: FileKind | null): Promise<Blob> {
  switch (kind) {
    case 'tta':
    case 'wavpack':
    case 'ac3':
    case 'w64':
      return aroundSilence(blob);
    case 'rf64':
      return withoutSound(blob);
    case 'ogg-flac':
      return asFlac(blob);
    default:
      return blob;
  }
}

/** The tags before and behind the sound (ID3, APE), with a moment of MPEG audio between them. */
async function aroundSilence(blob: Blob): Promise<Blob> {
  const start = await id3v2Length(blob);
  const end = blob.size - (await trailingTagsLength(blob));
  const frame = new Uint8Array(417);
  frame.set([0xff, 0xfb, 0x90, 0x64]);
  return new Blob([blob.slice(0, start), frame, frame, frame, blob.slice(end)]);
}

/** A WAV of the same chunks but the sound. */
async function withoutSound(blob: Blob): Promise<Blob> {
  const parts: Blob[] = [];
  let soundSize: number | null = null;
  for (let at = 12, chunks = 0; at + 8 <= blob.size && chunks < MOST_CHUNKS; chunks++) {
    const head = await readBytes(blob, at, at + 24);
    const type = ascii(head, 0, 4);
    let size = viewOf(head).getUint32(4, true);
    if (type === 'ds64' && head.length >= 24) soundSize = Number(viewOf(head).getBigUint64(16, true));
    else if (type === 'data') size = soundSize ?? size;
    else parts.push(blob.slice(at, at + 8 + size + (size & 1)));
    at += 8 + size + (size & 1);
  }
  const top = new Uint8Array(12);
  const length = parts.reduce((sum, part) => sum + part.size, 0);
  new TextEncoder().encodeInto('RIFF', top);
  viewOf(top).setUint32(4, 4 + length, true);
  top.set(new TextEncoder().encode('WAVE'), 8);
  return new Blob([top, ...parts]);
}

/** The metadata blocks of FLAC in Ogg as the beginning of a FLAC file. */
async function asFlac(blob: Blob): Promise<Blob> {
  // Most heads are small; the rest is read only where a cover wants it.
  for (const length of [64 * 1024, OGG_HEAD]) {
    const packets = headPackets(await readBytes(blob, 0, length));
    if (packets) return new Blob(packets);
    if (length >= blob.size) break;
  }
  return blob;
}

/** `fLaC` and its blocks; null when the bytes end before the last of them. */
function headPackets(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] | null {
  const packets: Uint8Array<ArrayBuffer>[] = [];
  let open: Uint8Array[] = [];
  let serial: number | null = null;
  for (const page of pagesFrom(bytes, 0)) {
    if (serial === null && ascii(bytes, page.body, 5) !== '\x7fFLAC') continue;
    serial ??= page.serial;
    if (page.serial !== serial) continue;
    for (const { bytes: piece, ends } of piecesOf(bytes, page)) {
      open.push(piece);
      if (!ends) continue;
      const packet = joinBytes(open);
      open = [];
      // The first packet has nine bytes of its own before `fLaC`.
      packets.push(packets.length === 0 ? packet.slice(9) : packet);
      const kind = packets.length === 1 ? (packet[13] ?? 0) : (packet[0] ?? 0);
      if (kind & 0x80) return packets;
    }
  }
  return null;
}

/** Texts of a file's tags that do not say their encoding: ID3v1, ID3v2 frames of "Latin-1", RIFF's INFO. */

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

/** The strings of a Core Audio file: pairs of a name and a value. */

/** A longer one is not read. Bytes. */
const INFO_LIMIT = 1024 ** 2;

/** By lower-case name; empty when there are none. */
export async function cafInfo(blob: Blob): Promise<Map<string, string>> {
  for (let at = 8; at + 12 <= blob.size;) {
    const head = await readBytes(blob, at, at + 12);
    if (!/^[\x20-\x7e]{4}$/.test(ascii(head, 0, 4))) break;
    const size = Number(viewOf(head).getBigInt64(4));
    if (ascii(head, 0, 4) === 'info' && size <= INFO_LIMIT)
      return pairs(await readBytes(blob, at + 16, at + 12 + size));
    if (size < 0) break;
    at += 12 + size;
  }
  return new Map();
}

function pairs(bytes: Uint8Array): Map<string, string> {
  const strings = new TextDecoder().decode(bytes).split('\0');
  const found = new Map<string, string>();
  for (let i = 0; i + 1 < strings.length; i += 2) {
    const name = (strings[i] ?? '').toLowerCase();
    if (name !== '' && !found.has(name)) found.set(name, strings[i + 1] ?? '');
  }
  return found;
}
