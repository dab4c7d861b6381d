/**
 * Ogg pages in a byte array: walking, writing and numbering them. Reading and checking a whole file is
 * `#core/ingest/ogg-vorbis.ts`. https://www.rfc-editor.org/rfc/rfc3533
 *
 *   0 "OggS"  4 version  5 flags  6 granule (8)  14 serial (4)  18 sequence (4)  22 CRC (4)  26 segments  27 lacing
 */
import { joinBytes } from '#core/ingest/bytes.ts';
import { ascii, viewOf } from '../headers/bytes.ts';

const CONTINUED = 1;
export const BEGIN = 2;
const HEAD = 27;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  return value >>> 0;
});

/** CRC of a page as its header says it: polynomial 0x04c11db7, not reflected, the CRC field itself read as zero. */
export function oggCrc(page: Uint8Array): number {
  let crc = 0;
  for (let at = 0; at < page.length; at += 1) {
    const byte = at >= 22 && at < 26 ? 0 : (page[at] ?? 0);
    crc = ((crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  }
  return crc;
}

export interface OggPage {
  /** Offset in the bytes, and length of the whole page. */
  at: number;
  length: number;
  serial: number;
  /** Lengths of the segments; a packet ends after one below 255. */
  lacing: Uint8Array;
  /** Offset of the first segment. */
  body: number;
}

/** The page at `at`; null when none begins there or it is not whole. */
export function pageAt(bytes: Uint8Array, at: number): OggPage | null {
  if (at + HEAD > bytes.length || ascii(bytes, at, 4) !== 'OggS' || bytes[at + 4] !== 0) return null;
  const body = at + HEAD + (bytes[at + 26] ?? 0);
  const lacing = bytes.subarray(at + HEAD, body);
  const length = body - at + lacing.reduce((sum, each) => sum + each, 0);
  if (at + length > bytes.length) return null;
  return {
    at,
    length,
    serial: viewOf(bytes).getUint32(at + 14, true),
    lacing,
    body,
  };
}

/** Whole pages from `at` on, up to the end or to what is none. */
export function* pagesFrom(bytes: Uint8Array, at: number): Generator<OggPage> {
  for (let page = pageAt(bytes, at); page; page = pageAt(bytes, at)) {
    yield page;
    at += page.length;
  }
}

/** The page's pieces of packets; `ends` where a packet is complete. */
export function* piecesOf(
  bytes: Uint8Array,
  page: Pick<OggPage, 'body' | 'lacing'>,
): Generator<{ bytes: Uint8Array; ends: boolean }> {
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

/** Gives the page a new number and its checksum. */
export function renumber(bytes: Uint8Array, page: OggPage, sequence: number): void {
  const view = viewOf(bytes);
  view.setUint32(page.at + 18, sequence, true);
  view.setUint32(page.at + 22, oggCrc(bytes.subarray(page.at, page.at + page.length)), true);
}

/**
 * Packets as header pages of a stream: as many pages as they need, the last one closed after the last
 * packet, numbered from `sequence` on. `flags` are those of the first page.
 */
export function packPages(packets: Uint8Array[], serial: number, sequence: number, flags: number): Uint8Array[] {
  const lacing = packets.flatMap((packet) => [
    ...new Array<number>(Math.floor(packet.length / 255)).fill(255),
    packet.length % 255,
  ]);
  const body = joinBytes(packets);
  const pages: Uint8Array[] = [];
  let bodyAt = 0;
  for (let first = 0; first < lacing.length; first += 255) {
    const segments = lacing.slice(first, first + 255);
    const size = segments.reduce((sum, each) => sum + each, 0);
    const page = new Uint8Array(HEAD + segments.length + size);
    const view = viewOf(page);
    const continued = first > 0 && lacing[first - 1] === 255;
    page.set([0x4f, 0x67, 0x67, 0x53, 0, (first === 0 ? flags : 0) | (continued ? CONTINUED : 0)]);
    view.setBigInt64(6, segments.some((each) => each < 255) ? 0n : -1n, true);
    view.setUint32(14, serial, true);
    page[26] = segments.length;
    page.set(segments, HEAD);
    page.set(body.subarray(bodyAt, bodyAt + size), HEAD + segments.length);
    const whole = pageAt(page, 0);
    if (whole) renumber(page, whole, sequence + pages.length);
    pages.push(page);
    bodyAt += size;
  }
  return pages;
}
