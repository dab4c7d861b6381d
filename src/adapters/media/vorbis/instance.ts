/** libvorbis in WebAssembly (`vorbis.c`): each stream, made or read, has an instance and so a memory of its own. */
import { loadVorbisWasm } from '#vorbis-wasm';
import { AccessionError, failed, messageOf } from '#core/errors.ts';

/** What vorbis.c says of each. Pointers are offsets in `memory`, whose buffer is another one after it grew. */
type Calls = {
  memory: WebAssembly.Memory;
  _initialize(): void;
  allocate(bytes: number): number;
  encoder_open(channels: number, rate: number, quality: number, serial: number): number;
  encoder_ready(encoder: number): number;
  encoder_number(encoder: number, next: number): void;
  encoder_buffer(encoder: number, samples: number): number;
  encoder_write(encoder: number, samples: number): number;
  encoder_take(encoder: number): number;
  decoder_open(): number;
  decoder_header(decoder: number, bytes: number, length: number, number: number): number;
  decoder_packet(decoder: number, bytes: number, length: number): number;
  decoder_sound(decoder: number): number;
};

const NAMES = [
  'encoder_open',
  'encoder_ready',
  'encoder_number',
  'encoder_buffer',
  'encoder_write',
  'encoder_take',
  'decoder_open',
  'decoder_header',
  'decoder_packet',
  'decoder_sound',
  'allocate',
  '_initialize',
];

/** C's way to give up; the instance is of no use after it. */
export class VorbisStopped extends Error {
  override readonly name = 'VorbisStopped';
}

let compiled: Promise<WebAssembly.Module> | undefined;

export class VorbisInstance {
  readonly calls: Calls;
  #bytes = new Uint8Array(0);
  #floats = new Float32Array(0);
  #words = new Uint32Array(0);

  private constructor(calls: Calls) {
    this.calls = calls;
  }

  /** Throws AccessionError: `offline` when it cannot be fetched, `conversion_failed` when this browser cannot run it. */
  static async open(): Promise<VorbisInstance> {
    compiled ??= loadVorbisWasm().catch((thrown: unknown) => {
      compiled = undefined;
      throw notLoaded(thrown);
    });
    // All that it imports: what C does when it can do nothing more.
    const proc_exit = (code: number): never => {
      throw new VorbisStopped(`it stopped with ${code}`);
    };
    const { exports } = await WebAssembly.instantiate(await compiled, { wasi_snapshot_preview1: { proc_exit } });
    if (!isVorbis(exports)) throw notUsable(new Error('it is of another version than the app'));
    exports._initialize();
    return new VorbisInstance(exports);
  }

  /** The memory as it is now; asked for anew after every call. */
  get bytes(): Uint8Array<ArrayBuffer> {
    this.#look();
    return this.#bytes;
  }

  /** The arrays of samples that a pointer to pointers means: the first `length` of each channel. */
  planes(pointer: number, channels: number, length: number): Float32Array[] {
    this.#look();
    return Array.from({ length: channels }, (_, channel) => {
      const at = (this.#words[(pointer >> 2) + channel] ?? 0) >> 2;
      return this.#floats.subarray(at, at + length);
    });
  }

  #look(): void {
    const { buffer } = this.calls.memory;
    if (this.#bytes.buffer === buffer) return;
    this.#bytes = new Uint8Array(buffer);
    this.#floats = new Float32Array(buffer);
    this.#words = new Uint32Array(buffer);
  }
}

function isVorbis(exports: WebAssembly.Exports): exports is Calls {
  return exports.memory instanceof WebAssembly.Memory && NAMES.every((name) => typeof exports[name] === 'function');
}

/** What was not fetched may be fetched later; what does not compile never will. */
function notLoaded(thrown: unknown): AccessionError {
  if (thrown instanceof WebAssembly.CompileError) return notUsable(thrown);
  const remedy =
    'Open the app once while its server can be reached, so that the encoder is kept here; then it goes on by itself.';
  const words = `The Vorbis encoder (0.7 MB) could not be loaded: ${messageOf(thrown)}.`;
  return failed('offline', words, { remedy, cause: thrown });
}

function notUsable(thrown: Error): AccessionError {
  const remedy = 'Reload the app; if that does not help, use a current version of Chrome, Edge, Firefox or Safari.';
  const words = `The Vorbis encoder does not run in this browser: ${thrown.message}.`;
  return failed('conversion_failed', words, { remedy, cause: thrown });
}
