/**
 * Replaces the comment header of an Ogg Vorbis file; the sound's own bytes stay as they are. Written
 * here and not left to ffmpeg: copying through its muxer moves the trimmed end, and its metadata file
 * has escapes of its own.
 */
import { ascii, viewOf } from './headers/bytes.ts';
import { BEGIN, joined, packPages, pagesFrom, renumber } from './ogg-pages.ts';
import type { OggPage } from './ogg-pages.ts';
import type { Cover } from './tags.ts';
import { commentPacket, vendorOf } from './vorbis-comment.ts';

export interface VorbisHeaders {
  serial: number;
  identification: Uint8Array;
  comment: Uint8Array;
  setup: Uint8Array;
  /** Offset of the first page with sound. */
  audioAt: number;
  channels: number;
  /** Bits per second that the encoder aimed at; 0 when it does not say. */
  nominalBitrate: number;
}

/** The three header packets; null when the file does not begin with them on pages of their own. */
export function vorbisHeaders(bytes: Uint8Array): VorbisHeaders | null {
  const packets: Uint8Array[] = [];
  let parts: Uint8Array[] = [];
  let serial: number | null = null;
  for (const page of pagesFrom(bytes, 0)) {
    serial ??= page.serial;
    if (page.serial !== serial) return null;
    for (const { bytes: part, ends } of piecesOf(bytes, page)) {
      parts.push(part);
      if (!ends) continue;
      packets.push(joined(parts));
      parts = [];
    }
    if (packets.length > 3 || (packets.length === 3 && parts.length > 0)) return null;
    if (packets.length === 3) return headersFrom(packets, serial, page.at + page.length);
  }
  return null;
}

function headersFrom(packets: Uint8Array[], serial: number, audioAt: number): VorbisHeaders | null {
  const [identification, comment, setup] = packets;
  if (!identification || !comment || !setup || identification.length < 30) return null;
  const kinds = [identification, comment, setup].map((packet) => ascii(packet, 0, 7));
  if (kinds.join() !== '\x01vorbis,\x03vorbis,\x05vorbis') return null;
  const nominalBitrate = Math.max(0, viewOf(identification).getInt32(20, true));
  return { serial, identification, comment, setup, audioAt, channels: identification[11] ?? 0, nominalBitrate };
}

/** The same stream under other comments. `headers` is what `vorbisHeaders` read from `bytes`. */
export function retag(
  bytes: Uint8Array,
  headers: VorbisHeaders,
  tags: Record<string, string>,
  cover: Cover | null,
): Uint8Array<ArrayBuffer> {
  const { serial, identification, setup, audioAt } = headers;
  const comment = commentPacket(vendorOf(headers.comment), tags, cover);
  const pages = [...packPages([identification], serial, 0, BEGIN), ...packPages([comment, setup], serial, 1, 0)];
  const out = joined([...pages, bytes.subarray(audioAt)]);
  let sequence = pages.length;
  for (const page of pagesFrom(out, out.length - (bytes.length - audioAt))) renumber(out, page, sequence++);
  return out;
}

/** The page's pieces of packets; `ends` where a packet is complete. */
function* piecesOf(bytes: Uint8Array, page: OggPage): Generator<{ bytes: Uint8Array; ends: boolean }> {
  let from = page.body;
  let to = page.body;
  for (const length of page.lacing) {
    to += length;
    if (length === 255) continue;
    yield { bytes: bytes.subarray(from, to), ends: true };
    from = to;
  }
  if (to > from) yield { bytes: bytes.subarray(from, to), ends: false };
}
