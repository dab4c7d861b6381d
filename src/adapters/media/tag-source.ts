/**
 * What music-metadata is given to read: the file itself, or, for containers that it does not know or walks from end to
 * end, a small file of a kind that it knows with the same tags. Parts of the file are slices, nothing is copied.
 */
import type { FileKind } from '#core/ingest/file-kinds.ts';
import { ascii, id3v2Length, readBytes, trailingTagsLength, viewOf } from './headers/bytes.ts';
import { pagesFrom } from './ogg/ogg-pages.ts';

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
  let open: Uint8Array<ArrayBuffer>[] = [];
  let serial: number | null = null;
  for (const page of pagesFrom(bytes, 0)) {
    if (serial === null && ascii(bytes, page.body, 5) !== '\x7fFLAC') continue;
    serial ??= page.serial;
    if (page.serial !== serial) continue;
    let at = page.body;
    for (const segment of page.lacing) {
      open.push(bytes.slice(at, at + segment));
      at += segment;
      if (segment === 255) continue;
      const packet = new Uint8Array(open.reduce((sum, part) => sum + part.length, 0));
      open.reduce((offset, part) => (packet.set(part, offset), offset + part.length), 0);
      open = [];
      // The first packet has nine bytes of its own before `fLaC`.
      packets.push(packets.length === 0 ? packet.slice(9) : packet);
      const kind = packets.length === 1 ? (packet[13] ?? 0) : (packet[0] ?? 0);
      if (kind & 0x80) return packets;
    }
  }
  return null;
}
