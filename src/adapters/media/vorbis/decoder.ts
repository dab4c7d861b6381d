/** Decodes a Vorbis stream page by page as it is read back, in an instance that has nothing of the encoder's. */
import type { OggPage } from '../ogg/ogg-vorbis.ts';
import type { Planes } from '../fast/trim.ts';
import { VorbisInstance, VorbisStopped } from './instance.ts';

const HEADER_PACKETS = 3;
/** Room for a packet to begin with; only a comment header with a cover needs more. Bytes. */
const ROOM = 64 * 1024;

/** What comes out of the decoder: where it begins, and the samples, good during the call. */
export type Hear = (at: number, planes: () => Planes) => void;

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

  /** Throws AccessionError as `VorbisInstance.open` does. */
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
  take(page: Pick<OggPage, 'packets'>): void {
    for (const { bytes, ends } of page.packets) {
      if (this.#problem !== null) return;
      if (!this.#append(bytes) || !ends) continue;
      const length = this.#guarded(() => this.#decode());
      if (length > 0) this.#hear(this.#samples, () => this.#sound(length));
      this.#samples += length;
      this.#packets += 1;
      this.#length = 0;
    }
  }

  /** False when there is no room for it, which is a problem then. */
  #append(bytes: Uint8Array): boolean {
    const length = this.#length + bytes.length;
    if (length > this.#room) {
      const room = Math.max(ROOM, 2 * length);
      const at = this.#guarded(() => this.#wasm.calls.allocate(room));
      if (at === 0) this.#problem ??= `${this.#place} is too large`;
      if (this.#problem !== null) return false;
      this.#wasm.bytes.copyWithin(at, this.#packetAt, this.#packetAt + this.#length);
      this.#packetAt = at;
      this.#room = room;
    }
    this.#wasm.bytes.set(bytes, this.#packetAt + this.#length);
    this.#length = length;
    return true;
  }

  /** The samples a channel that came out of the packet that is whole now. */
  #decode(): number {
    const { calls } = this.#wasm;
    if (this.#packets < HEADER_PACKETS) {
      if (this.#packets === 0) this.#channels = this.#wasm.bytes[this.#packetAt + 11] ?? 0;
      const wrong = calls.decoder_header(this.#decoder, this.#packetAt, this.#length, this.#packets);
      if (wrong < 0) this.#problem = `${this.#place} is not one of Vorbis`;
      return 0;
    }
    const length = calls.decoder_packet(this.#decoder, this.#packetAt, this.#length);
    if (length < 0) this.#problem = `${this.#place} is damaged`;
    return Math.max(0, length);
  }

  /**
   * A trap in libvorbis is a problem of the stream, as a code of failure is: memory is used up, or a header asks for
   * more than the stack holds. The instance is not called again.
   */
  #guarded(call: () => number): number {
    try {
      return call();
    } catch (thrown) {
      if (!(thrown instanceof WebAssembly.RuntimeError || thrown instanceof VorbisStopped)) throw thrown;
      this.#problem = `${this.#place} breaks the decoder off (${thrown.message})`;
      return 0;
    }
  }

  /** In words: what is being read. */
  get #place(): string {
    return `${this.#packets < HEADER_PACKETS ? 'header' : 'packet'} ${this.#packets + 1}`;
  }

  #sound(length: number): Planes {
    return this.#wasm.planes(this.#wasm.calls.decoder_sound(this.#decoder), this.#channels, length);
  }
}
