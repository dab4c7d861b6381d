/** The comment header of Vorbis, and the picture block in it. https://xiph.org/vorbis/doc/v-comment.html */
import { joinBytes } from '#core/ingest/bytes.ts';
import { ascii, viewOf } from './headers/bytes.ts';
import type { Cover } from './tags.ts';

export const PICTURE_KEY = 'METADATA_BLOCK_PICTURE';
const FRONT_COVER = 3;

/** The vendor string of a comment packet; '' when it is none. */
export function vendorOf(packet: Uint8Array): string {
  if (ascii(packet, 0, 7) !== '\x03vorbis' || packet.length < 11) return '';
  const length = viewOf(packet).getUint32(7, true);
  return new TextDecoder().decode(packet.subarray(11, 11 + length));
}

/** A comment packet. Names are written in upper case; a character that a name may not have is left out. */
export function commentPacket(vendor: string, tags: Record<string, string>, cover: Cover | null): Uint8Array {
  const entries = Object.entries(cleanTags(tags));
  if (cover) entries.push([PICTURE_KEY, base64(pictureBlock(cover))]);
  const encoder = new TextEncoder();
  const strings = entries.map(([key, value]) => withLength(encoder.encode(`${key}=${value}`)));
  return joinBytes([
    encoder.encode('\x03vorbis'),
    withLength(encoder.encode(vendor)),
    uint32le(entries.length),
    ...strings,
    // The framing bit, without which strict readers refuse the stream.
    Uint8Array.of(1),
  ]);
}

/** The tags as they are written: names of printable ASCII without `=`, no NULs, no empty values. */
export function cleanTags(tags: Record<string, string>): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [key, value] of Object.entries(tags)) {
    const name = key.toUpperCase().replace(/[^\x20-\x3c\x3e-\x7d]/g, '');
    // A lone surrogate has no UTF-8 form.
    const text = value.replaceAll('\0', '').toWellFormed();
    if (name !== '' && text !== '') out[name] = text;
  }
  return out;
}

/** A FLAC picture block: type, MIME, description, four dimensions (0: unknown), data. Big-endian. */
function pictureBlock({ bytes, mime }: Cover): Uint8Array {
  const type = new TextEncoder().encode(mime);
  const block = new Uint8Array(32 + type.length + bytes.length);
  const view = viewOf(block);
  view.setUint32(0, FRONT_COVER);
  view.setUint32(4, type.length);
  block.set(type, 8);
  view.setUint32(28 + type.length, bytes.length);
  block.set(bytes, 32 + type.length);
  return block;
}

/** The data of a FLAC picture block; null where it is not whole. */
export function pictureData(block: Uint8Array): Uint8Array | null {
  const view = viewOf(block);
  let at = 4;
  // Type and description, each behind its length.
  for (let text = 0; text < 2; text += 1) {
    if (at + 4 > block.length) return null;
    at += 4 + view.getUint32(at);
  }
  at += 16;
  if (at + 4 > block.length) return null;
  const size = view.getUint32(at);
  return at + 4 + size > block.length ? null : block.subarray(at + 4, at + 4 + size);
}

function base64(bytes: Uint8Array): string {
  const step = 3 * 8192;
  let out = '';
  for (let at = 0; at < bytes.length; at += step) out += btoa(String.fromCharCode(...bytes.subarray(at, at + step)));
  return out;
}

function withLength(bytes: Uint8Array): Uint8Array {
  return joinBytes([uint32le(bytes.length), bytes]);
}

function uint32le(value: number): Uint8Array {
  const out = new Uint8Array(4);
  viewOf(out).setUint32(0, value, true);
  return out;
}
