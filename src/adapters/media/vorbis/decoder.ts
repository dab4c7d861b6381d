/** Decodes a Vorbis stream page by page as it is read back, in an instance that has nothing of the encoder's. */
import type { OggPage } from '#core/ingest/ogg-page.ts';
import type { Planes } from '../fast/trim.ts';
import { VorbisInstance } from './instance.ts';

const HEADER_PACKETS = 3;
/** Room for a packet to begin with; only a comment header with a cover needs more. Bytes. */
const ROOM = 64 * 1024;

/** What comes out of the decoder: where it begins, how long it is, and the samples, good during the call. */
export type Hear = (at: number, length: number, planes: () => Planes) => void;

export class VorbisDecoder {
  readonly #wasm: VorbisInstance;
  readonly #hear: Hear;
  readonly #decoder: number;
  #room = 0;
  #packetAt = 0;
  /** Of the packet that is not whole yet. */
  #length = 0;
  #packets = 0;
  #channels = 0;
  #samples = 0;
  #problem: string | null = null;

  private constructor(wasm: VorbisInstance, hear: Hear) {
    this.#wasm = wasm;
    this.#hear = hear;
    this.#decoder = wasm.calls.decoder_open();
  }

  /** Throws AccessionError `offline` when the decoder cannot be fetched. */
  static async open(hear: Hear): Promise<VorbisDecoder> {
    return new VorbisDecoder(await VorbisInstance.open(), hear);
  }

  /** Samples a channel that came out so far. */
  get samples(): number {
    return this.#samples;
  }

  /** What the decoder stumbled on, to follow "it does not decode: "; null as long as all is well. */
  get problem(): string | null {
    return this.#problem ?? (this.#packets < HEADER_PACKETS ? 'it ends within its headers' : null);
  }

  /** The next page of the stream. After a problem nothing more is decoded. */
  take(page: OggPage): void {
    for (const { bytes, ends } of page.packets) {
      if (this.#problem !== null) return;
      this.#append(bytes);
      if (!ends) continue;
      this.#decode();
      this.#packets += 1;
      this.#length = 0;
    }
  }

  #append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#room) {
      const room = Math.max(ROOM, 2 * length);
      const at = this.#wasm.calls.allocate(room);
      if (at === 0) throw new Error('a packet does not fit into memory');
      this.#wasm.bytes.copyWithin(at, this.#packetAt, this.#packetAt + this.#length);
      this.#packetAt = at;
      this.#room = room;
    }
    this.#wasm.bytes.set(bytes, this.#packetAt + this.#length);
    this.#length = length;
  }

  #decode(): void {
    const { calls } = this.#wasm;
    if (this.#packets < HEADER_PACKETS) {
      if (this.#packets === 0) this.#channels = this.#wasm.bytes[this.#packetAt + 11] ?? 0;
      const wrong = calls.decoder_header(this.#decoder, this.#packetAt, this.#length, this.#packets);
      if (wrong < 0) this.#problem = `header ${this.#packets + 1} is not one of Vorbis`;
      return;
    }
    const length = calls.decoder_packet(this.#decoder, this.#packetAt, this.#length);
    if (length < 0) {
      this.#problem = `packet ${this.#packets + 1} is damaged`;
      return;
    }
    const sound = (): Planes => this.#wasm.planes(calls.decoder_sound(this.#decoder), this.#channels, length);
    if (length > 0) this.#hear(this.#samples, length, sound);
    this.#samples += length;
  }
}
