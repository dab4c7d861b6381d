/**
 * The single-thread ffmpeg core as one object that runs command lines over named files.
 *
 * Every run gets an instance of its own (about 15 ms, the compiled module is shared): ffmpeg was written
 * as a program, its options and counters are globals that outlive a run, and after an error or a trap
 * the memory of an instance can no longer be believed.
 */
import { AccessionError, failed, messageOf } from '#core/errors.ts';
import { loadFfmpegParts } from '#ffmpeg-parts';
import type { CoreModule, FfmpegParts } from './ffmpeg-parts.types.ts';
import { LogBuffer } from './ffmpeg-log.ts';

/** Bytes that come piece by piece, kept as a blob: a browser holds those outside the memory that is written from. */

const PIECE_BYTES = 1024 ** 2;

class GrowingBlob {
  readonly #parts: Blob[] = [];
  #piece = new Uint8Array(PIECE_BYTES);
  #used = 0;

  /** Copies them. */
  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const count = Math.min(bytes.length - at, PIECE_BYTES - this.#used);
      this.#piece.set(bytes.subarray(at, at + count), this.#used);
      at += count;
      this.#used += count;
      if (this.#used === PIECE_BYTES) this.#keep();
    }
  }

  /** All of them so far. */
  blob(): Blob {
    this.#keep();
    return new Blob(this.#parts);
  }

  #keep(): void {
    if (this.#used > 0) this.#parts.push(new Blob([this.#piece.subarray(0, this.#used)]));
    this.#used = 0;
  }
}

/** Inputs above this are mounted, not copied, where the platform can (a worker in a browser). Bytes. */
const MOUNT_ABOVE = 64 * 1024 ** 2;

/** For the 32 MB of the core, on a slow line (0.3 Mbit/s). */
const LOADING_MS = 15 * 60_000;
/** How often it is said meanwhile that it is being loaded. */
const SIGN_EVERY_MS = 10_000;

/** A number that no device of the core has. */
const STREAM_DEVICE = 77;

export interface FfmpegFile {
  /** A plain file name, no folders; what the arguments name. */
  name: string;
  data: Blob | Uint8Array<ArrayBuffer>;
}

export interface FfmpegRun {
  /** Exit code; only 0 is good. -1 when the wasm itself failed. */
  code: number;
  /** What it wrote, line by line. */
  log: string[];
  /** How often the decoder stumbled on its input, as far as it says so. */
  decodeErrors: number;
  /** The files asked for, by name; empty when the run failed, and one that was not written is missing. */
  outputs: Map<string, Uint8Array<ArrayBuffer>>;
  /** Those that were asked for as streams and did not have to be held in memory. */
  blobs?: Map<string, Blob>;
}

export interface FfmpegFiles {
  inputs: FfmpegFile[];
  outputs: string[];
  /** Of the outputs, those whose format is written from front to back (Ogg): they need not be held in memory. */
  streams?: string[];
}

export interface Ffmpeg {
  /**
   * Runs one command line; names of inputs and outputs in it are replaced by where they are. Blocks the
   * thread while ffmpeg works. Throws AccessionError `conversion_failed` when the core cannot be loaded.
   * `onTime` gets the milliseconds of output written so far; while the core is being loaded it gets 0 now and then.
   */
  run(args: string[], files: FfmpegFiles, onTime?: (ms: number) => void): Promise<FfmpegRun>;
}

let shared: Ffmpeg | undefined;

/** Another ffmpeg takes the place of the core in this thread: a native one, where a program can be run. */
export function useFfmpeg(own: Ffmpeg): void {
  shared = own;
}

/** The thread's ffmpeg; nothing is fetched before its first run. */
export function openFfmpeg(): Ffmpeg {
  return (shared ??= new FfmpegCore());
}

class FfmpegCore implements Ffmpeg {
  #parts: Promise<FfmpegParts> | undefined;

  async run(args: string[], files: FfmpegFiles, onTime: (ms: number) => void = () => undefined): Promise<FfmpegRun> {
    const inputs = await Promise.all(files.inputs.map(inMemoryOrMounted));
    const core = await this.#start(() => onTime(0));
    const log = new LogBuffer();
    core.setLogger(({ message }) => log.add(message));
    core.setProgress(({ time }) => onTime(Math.max(0, time / 1000)));
    const outputs: FfmpegRun['outputs'] = new Map();
    const blobs = new Map<string, GrowingBlob>();
    let code: number;
    try {
      const folder = new WorkFolder(core);
      const places = new Map(inputs.map((file) => folder.put(file)));
      for (const name of files.outputs)
        places.set(name, files.streams?.includes(name) ? folder.stream(name, blobs) : folder.place(name));
      code = core.exec('-hide_banner', ...args.map((arg) => places.get(arg) ?? arg));
      // A failed run leaves torn files.
      for (const name of code === 0 ? files.outputs : []) {
        const bytes = blobs.has(name) ? undefined : folder.take(name);
        if (bytes) outputs.set(name, bytes);
      }
    } catch (thrown) {
      code = -1;
      log.add(messageOf(thrown));
    }
    const kept = code === 0 ? [...blobs].map(([name, blob]) => [name, blob.blob()] as const) : [];
    return { code, log: log.lines(), decodeErrors: log.errors, outputs, blobs: new Map(kept) };
  }

  async #start(onSign: () => void): Promise<CoreModule> {
    this.#parts ??= within(LOADING_MS, loadFfmpegParts()).catch((thrown: unknown) => {
      this.#parts = undefined;
      throw notLoaded(thrown);
    });
    const still = setInterval(onSign, SIGN_EVERY_MS);
    const { create, wasm } = await this.#parts.finally(() => clearInterval(still));
    return new Promise<CoreModule>((resolve, reject) => {
      create({
        instantiateWasm(imports, done) {
          WebAssembly.instantiate(wasm, imports).then(done, reject);
          return {};
        },
      }).then(resolve, reject);
    });
  }
}

/** The platform can wait for an answer that never comes. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let limit: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new Error(`it has not come within ${ms / 60_000} minutes`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(limit);
  }
}

function notLoaded(thrown: unknown): AccessionError {
  const remedy =
    'Open the app once while its server can be reached, so that the converter is kept here; then it goes on by itself.';
  const words = `The converter (ffmpeg, 32 MB) could not be loaded: ${messageOf(thrown)}.`;
  return failed('offline', words, { remedy, cause: thrown });
}

/** The run's files inside the core's file system, which ends with the instance. */
class WorkFolder {
  readonly #fs: CoreModule['FS'];
  readonly #path = '/work';
  #mounts = 0;

  constructor(core: CoreModule) {
    this.#fs = core.FS;
    this.#fs.mkdir(this.#path);
  }

  place(name: string): string {
    return `${this.#path}/${name}`;
  }

  /** A place to write from front to back: what is written goes to a blob at once. */
  stream(name: string, blobs: Map<string, GrowingBlob>): string {
    const blob = new GrowingBlob();
    const device = this.#fs.makedev(STREAM_DEVICE, blobs.size);
    this.#fs.registerDevice(device, {
      open: (stream) => void (stream.seekable = false),
      write: (_, memory, offset, length) => {
        blob.add(new Uint8Array(memory.buffer, memory.byteOffset + offset, length));
        return length;
      },
    });
    this.#fs.mkdev(this.place(name), device);
    blobs.set(name, blob);
    return this.place(name);
  }

  /** The name, and where the file now is. */
  put({ name, data }: FfmpegFile): [string, string] {
    if (data instanceof Uint8Array) {
      this.#fs.writeFile(this.place(name), data, { canOwn: true });
      return [name, this.place(name)];
    }
    const mount = `${this.#path}/mount${this.#mounts++}`;
    this.#fs.mkdir(mount);
    this.#fs.mount(this.#fs.filesystems.WORKERFS, { blobs: [{ name, data }] }, mount);
    return [name, `${mount}/${name}`];
  }

  take(name: string): Uint8Array<ArrayBuffer> | undefined {
    if (!this.#fs.readdir(this.#path).includes(name)) return undefined;
    return new Uint8Array(this.#fs.readFile(this.place(name)));
  }
}

/** Large blobs stay blobs where they can be mounted (FileReaderSync exists in browser workers only). */
async function inMemoryOrMounted(file: FfmpegFile): Promise<FfmpegFile> {
  const { name, data } = file;
  if (data instanceof Uint8Array) return file;
  if (data.size > MOUNT_ABOVE && 'FileReaderSync' in globalThis) return file;
  return { name, data: new Uint8Array(await data.arrayBuffer()) };
}
