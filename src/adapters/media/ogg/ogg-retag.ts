/**
 * Replaces the comment header of an Ogg Vorbis file; the sound's own bytes stay as they are. Written
 * here and not left to ffmpeg: copying through its muxer moves the trimmed end, and its metadata file
 * has escapes of its own.
 */
import { joinBytes } from '#core/ingest/bytes.ts';
import { failed } from '#core/errors.ts';
import { ascii, readBytes, viewOf } from '../headers/bytes.ts';
import { BEGIN, packPages, pagesFrom, piecesOf, renumber } from './ogg-pages.ts';
import type { Cover } from '../tags.ts';
import { commentPacket, vendorOf } from '../vorbis-comment.ts';

/** Headers beyond this are none (a cover of many megabytes is in them). Bytes. */
export const HEADER_LIMIT = 64 * 1024 ** 2;
/** Without a cover the headers take less. Bytes. */
const FIRST_LOOK = 64 * 1024;
const NO_HEADERS = 'It does not begin with the headers of Vorbis.';

export interface VorbisHeaders {
  serial: number;
  identification: Uint8Array;
  comment: Uint8Array;
  setup: Uint8Array;
  /** Offset of the first page with sound. */
  audioAt: number;
  channels: number;
  /** Hz. */
  sampleRate: number;
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
      packets.push(joinBytes(parts));
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
  const sampleRate = viewOf(identification).getUint32(12, true);
  const channels = identification[11] ?? 0;
  return { serial, identification, comment, setup, audioAt, channels, sampleRate, nominalBitrate };
}

/** The headers of a file, of which no more is read than they take; null as above. */
export async function vorbisHead(file: Blob): Promise<VorbisHeaders | null> {
  for (let size = FIRST_LOOK; ; size *= 8) {
    const bytes = await readBytes(file, 0, size);
    const headers = vorbisHeaders(bytes);
    if (headers || size >= Math.min(file.size, HEADER_LIMIT) || ascii(bytes, 28, 7) !== '\x01vorbis') return headers;
  }
}

/**
 * The same stream under other comments, page by page; at most its headers and one chunk are held. Throws
 * `conversion_failed` when it does not begin with the headers of Vorbis or ends inside a page.
 */
export async function* retagged(
  chunks: AsyncIterable<Uint8Array>,
  tags: Record<string, string>,
  cover: Cover | null,
): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  let sequence: number | null = null;
  for await (const chunk of chunks) {
    // A copy that is ours: the numbers are written into it.
    rest = joinBytes([rest, chunk]);
    if (sequence === null) {
      const headers = vorbisHeaders(rest);
      if (!headers) {
        if (rest.length > HEADER_LIMIT) break;
        continue;
      }
      const pages = headerPages(headers, tags, cover);
      yield joinBytes(pages);
      sequence = pages.length;
      rest = rest.subarray(headers.audioAt);
    }
    let end = 0;
    for (const page of pagesFrom(rest, 0)) {
      renumber(rest, page, sequence++);
      end = page.at + page.length;
    }
    if (end > 0) yield rest.subarray(0, end);
    rest = rest.subarray(end);
  }
  if (sequence === null) throw failed('conversion_failed', NO_HEADERS);
  if (rest.length > 0) throw failed('conversion_failed', 'The stream ends inside a page.');
}

/** The pages that are before the sound when these are the comments, numbered from 0. */
export function headerPages(headers: VorbisHeaders, tags: Record<string, string>, cover: Cover | null): Uint8Array[] {
  const { serial, identification, setup } = headers;
  const comment = commentPacket(vendorOf(headers.comment), tags, cover);
  return [...packPages([identification], serial, 0, BEGIN), ...packPages([comment, setup], serial, 1, 0)];
}
