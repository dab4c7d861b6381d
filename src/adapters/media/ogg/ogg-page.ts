/**
 * Ogg pages, cut out of a stream as it comes (RFC 3533): nothing is kept but the page that is not whole yet.
 *
 *   0 "OggS"  4 version  5 flags  6 granule position (8)  14 serial (4)  18 sequence (4)  22 CRC (4)
 *   26 segments n  27 lacing values (n)  27+n body
 */

import { joinBytes } from '#core/ingest/bytes.ts';

export interface OggPage {
  /** The first packet of this page began on the page before. */
  continued: boolean;
  /** First page of its stream. */
  first: boolean;
  /** Last page of its stream. */
  last: boolean;
  /** Samples that can be decoded up to the end of this page; null when no packet ends on it. */
  granule: number | null;
  serial: number;
  sequence: number;
  /** The packets, and parts of packets, on the page; `ends` is false for one that goes on on the next. */
  packets: { bytes: Uint8Array; ends: boolean }[];
}

const HEADER = 27;
const CAPTURE = [0x4f, 0x67, 0x67, 0x53];

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

/** Where a stream stops being Ogg. */
export class OggError extends Error {
  override readonly name = 'OggError';
}

export class OggPageReader {
  #rest: Uint8Array = new Uint8Array(0);
  /** Bytes of the pages handed out. */
  #offset = 0;

  /** Every page that is whole with these bytes. Throws OggError where there is no page, or one with a wrong CRC. */
  *push(chunk: Uint8Array): Generator<OggPage> {
    let data = this.#rest.length === 0 ? chunk : joinBytes([this.#rest, chunk]);
    for (;;) {
      const length = pageLength(data, this.#offset);
      if (length === null) break;
      const page = data.subarray(0, length);
      data = data.subarray(length);
      const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
      if (oggCrc(page) !== view.getUint32(22, true))
        throw new OggError(`the page at byte ${this.#offset} is damaged (CRC)`);
      this.#offset += length;
      yield readPage(page, view);
    }
    // A copy: the caller may use its buffer again.
    this.#rest = data.slice();
  }

  /** Bytes that did not become a page: not 0 at the end means that the file was cut. */
  get pending(): number {
    return this.#rest.length;
  }
}

/** Length of the page that begins the data, or null while its header or body is not whole. */
function pageLength(data: Uint8Array, offset: number): number | null {
  for (let at = 0; at < Math.min(CAPTURE.length, data.length); at += 1) {
    if (data[at] !== CAPTURE[at]) throw new OggError(`there is no Ogg page at byte ${offset}`);
  }
  if (data.length < HEADER) return null;
  if (data[4] !== 0) throw new OggError(`the page at byte ${offset} has an unknown version`);
  const segments = data[26] ?? 0;
  if (data.length < HEADER + segments) return null;
  let length = HEADER + segments;
  for (let at = 0; at < segments; at += 1) length += data[HEADER + at] ?? 0;
  return data.length < length ? null : length;
}

function readPage(page: Uint8Array, view: DataView): OggPage {
  const flags = view.getUint8(5);
  const granule = view.getBigInt64(6, true);
  const segments = view.getUint8(26);
  const packets: OggPage['packets'] = [];
  let start = HEADER + segments;
  let length = 0;
  for (let at = 0; at < segments; at += 1) {
    const lacing = view.getUint8(HEADER + at);
    length += lacing;
    const last = at === segments - 1;
    if (lacing === 255 && !last) continue;
    packets.push({ bytes: page.subarray(start, start + length), ends: lacing < 255 });
    start += length;
    length = 0;
  }
  return {
    continued: (flags & 1) !== 0,
    first: (flags & 2) !== 0,
    last: (flags & 4) !== 0,
    granule: granule === -1n ? null : Number(granule),
    serial: view.getUint32(14, true),
    sequence: view.getUint32(18, true),
    packets,
  };
}
