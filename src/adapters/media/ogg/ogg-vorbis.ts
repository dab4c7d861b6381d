/**
 * Reads an Ogg Vorbis file as it comes, whole, without decoding: is it one, is it undamaged, how long is it, what
 * are its comments. https://xiph.org/vorbis/doc/Vorbis_I_spec.html, sections 4.2 and 5, and appendix A.
 *
 *   pages:  identification (first) -> comments, setup -> audio ... audio (last)
 */
import { joinBytes } from '#core/ingest/bytes.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { decodeUtf8 } from '#core/utf8.ts';
import { ascii, viewOf } from '../headers/bytes.ts';
import { oggCrc, piecesOf } from './ogg-pages.ts';

/**
 * Ogg pages, cut out of a stream as it comes (RFC 3533): nothing is kept but the page that is not whole yet.
 *
 *   0 "OggS"  4 version  5 flags  6 granule position (8)  14 serial (4)  18 sequence (4)  22 CRC (4)
 *   26 segments n  27 lacing values (n)  27+n body
 */

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

/** Where a stream stops being Ogg. */
class OggError extends Error {
  override readonly name = 'OggError';
}

class OggPageReader {
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
      const view = viewOf(page);
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
  const body = HEADER + segments;
  if (data.length < body) return null;
  const length = data.subarray(HEADER, body).reduce((sum, each) => sum + each, body);
  return data.length < length ? null : length;
}

function readPage(page: Uint8Array, view: DataView): OggPage {
  const flags = view.getUint8(5);
  const granule = view.getBigInt64(6, true);
  const body = HEADER + view.getUint8(26);
  return {
    continued: (flags & 1) !== 0,
    first: (flags & 2) !== 0,
    last: (flags & 4) !== 0,
    granule: granule === -1n ? null : Number(granule),
    serial: view.getUint32(14, true),
    sequence: view.getUint32(18, true),
    packets: [...piecesOf(page, { body, lacing: page.subarray(HEADER, body) })],
  };
}

export interface OggVorbisInfo {
  /** Hz. */
  sample_rate: number;
  channels: number;
  /** Samples a channel. */
  samples: number;
  /** Milliseconds, rounded. */
  duration_ms: number;
  /** Comments by upper-case name, each with its values in their order. */
  comments: Record<string, string[]>;
  /** Who wrote it: the encoder's own words. */
  vendor: string;
  /** Bytes of the whole file. */
  size: number;
}

/** Comment and setup headers together; a cover inside the comments may be large. */
const MAX_HEADERS = 64 * 1024 * 1024;
const HEADER_PACKETS = 3;

export class OggVorbisReader {
  readonly #pages = new OggPageReader();
  readonly #name: string;
  readonly #onPage: (page: OggPage) => void;
  #failed: string | null = null;
  #size = 0;
  #serial = -1;
  #nextSequence = 0;
  #ended = false;
  #granule = 0;
  #audioPackets = 0;
  #headers: Uint8Array[] = [];
  #open: Uint8Array[] = [];
  #openLength = 0;

  /**
   * @param name how the file is named in failures
   * @param onPage gets every page that is in order; its bytes are only good during the call
   */
  constructor(name: string, onPage: (page: OggPage) => void = () => undefined) {
    this.#name = name;
    this.#onPage = onPage;
  }

  /** The next bytes of the file, in order, however they are cut. After a failure they are only counted. */
  push(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#failed !== null) return;
    try {
      for (const page of this.#pages.push(chunk)) this.#take(page);
    } catch (error) {
      if (!(error instanceof OggError)) throw error;
      this.#failed = error.message;
    }
  }

  /** After the last bytes: what the file is, or `not_vorbis` with the reason. */
  finish(): Result<OggVorbisInfo> {
    try {
      if (this.#failed !== null) throw new OggError(this.#failed);
      return ok(this.#info());
    } catch (error) {
      if (!(error instanceof OggError)) throw error;
      return fail(
        failure('not_vorbis', `"${this.#name}" is not a whole Ogg Vorbis file: ${error.message}.`, {
          subject: this.#name,
        }),
      );
    }
  }

  #info(): OggVorbisInfo {
    if (this.#size === 0) throw new OggError('it is empty');
    const [identification, comments, setup] = this.#headers;
    if (!identification || !comments || !setup) throw new OggError('it ends within its headers');
    if (!this.#ended || this.#pages.pending > 0) throw new OggError('its end is missing');
    const { sample_rate, channels } = readIdentification(identification);
    const { vendor, entries } = readComments(comments);
    if (!isHeader(setup, 5)) throw new OggError('it has no setup header');
    if (this.#audioPackets === 0) throw new OggError('it has no audio');
    return {
      sample_rate,
      channels,
      samples: this.#granule,
      duration_ms: Math.round((this.#granule / sample_rate) * 1000),
      comments: entries,
      vendor,
      size: this.#size,
    };
  }

  #take(page: OggPage): void {
    if (this.#ended) throw new OggError('something follows after its end');
    if (this.#serial === -1) {
      if (!page.first) throw new OggError('it does not begin with the first page of a stream');
      this.#serial = page.serial;
    } else if (page.first || page.serial !== this.#serial) {
      throw new OggError('there is a second stream in it');
    }
    if (page.sequence !== this.#nextSequence) throw new OggError(`page ${this.#nextSequence} is missing`);
    this.#nextSequence += 1;
    if (page.continued !== this.#openLength > 0)
      throw new OggError(`page ${page.sequence} does not continue the one before`);
    for (const packet of page.packets) this.#packet(packet);
    if (page.granule !== null && this.#headers.length === HEADER_PACKETS) {
      if (page.granule < this.#granule) throw new OggError(`page ${page.sequence} goes back in time`);
      this.#granule = page.granule;
    }
    this.#ended = page.last;
    this.#onPage(page);
  }

  #packet({ bytes, ends }: OggPage['packets'][number]): void {
    if (this.#headers.length === HEADER_PACKETS) {
      this.#openLength = ends ? 0 : this.#openLength + bytes.length;
      if (ends) this.#audioPackets += 1;
      return;
    }
    this.#open.push(bytes.slice());
    this.#openLength += bytes.length;
    if (this.#openLength > MAX_HEADERS) throw new OggError('its headers are too large');
    if (!ends) return;
    const header = joinBytes(this.#open);
    this.#open = [];
    this.#openLength = 0;
    if (this.#headers.length === 0 && !isHeader(header, 1)) throw new OggError('the stream in it is not Vorbis');
    this.#headers.push(header);
  }
}

/** True for a packet that begins with its type and the word "vorbis". */
function isHeader(packet: Uint8Array, type: number): boolean {
  return packet[0] === type && ascii(packet, 1, 6) === 'vorbis';
}

function readIdentification(packet: Uint8Array): { sample_rate: number; channels: number } {
  if (packet.length < 30) throw new OggError('its identification header is cut');
  const view = viewOf(packet);
  const channels = view.getUint8(11);
  const sample_rate = view.getUint32(12, true);
  if (view.getUint32(7, true) !== 0) throw new OggError('its Vorbis version is unknown');
  if (channels === 0 || sample_rate === 0) throw new OggError('it names no channels or no sample rate');
  if ((view.getUint8(29) & 1) === 0) throw new OggError('its identification header lacks the framing bit');
  return { sample_rate, channels };
}

function readComments(packet: Uint8Array): { vendor: string; entries: Record<string, string[]> } {
  if (!isHeader(packet, 3)) throw new OggError('it has no comment header');
  const view = viewOf(packet);
  let at = 7;
  const number = (): number => {
    if (at + 4 > packet.length) throw new OggError('its comments are cut');
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const text = (): string => {
    const length = number();
    if (at + length > packet.length) throw new OggError('its comments are cut');
    at += length;
    return decodeUtf8(packet.subarray(at - length, at));
  };
  const vendor = text();
  const entries: Record<string, string[]> = {};
  for (let left = number(); left > 0; left -= 1) {
    const comment = text();
    const split = comment.indexOf('=');
    if (split < 1) continue;
    const name = comment.slice(0, split).toUpperCase();
    // A name like `__PROTO__` must stay a name.
    if (!Object.hasOwn(entries, name)) Object.defineProperty(entries, name, { value: [], enumerable: true });
    entries[name]?.push(comment.slice(split + 1));
  }
  if (((packet[at] ?? 0) & 1) === 0) throw new OggError('its comment header lacks the framing bit');
  return { vendor, entries };
}
