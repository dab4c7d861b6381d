/**
 * The single-thread ffmpeg core as one object that runs command lines over named files.
 *
 *   start -> ready -> run -> ready        exit code 0
 *                      \-> gone -> start  any other code, or a trap inside the wasm: the instance's
 *                                         memory can no longer be believed, the next run makes a new one
 */
import { loadFfmpegParts } from '#ffmpeg-parts';
import type { CoreModule, FfmpegParts } from './ffmpeg-parts.types.ts';
import { LogBuffer } from './ffmpeg-log.ts';

/** Inputs above this are mounted, not copied, where the platform can (a worker in a browser). Bytes. */
const MOUNT_ABOVE = 64 * 1024 ** 2;
/** The wasm heap never shrinks; an instance that grew past this is let go after its run. Bytes. */
const HEAP_LIMIT = 512 * 1024 ** 2;

export interface FfmpegFile {
  /** A plain file name, no folders; what stands in the arguments. */
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
  /** The files asked for, by name; one that was not written is missing. */
  outputs: Map<string, Uint8Array<ArrayBuffer>>;
}

export interface Ffmpeg {
  /**
   * Runs one command line, in a folder of its own. Blocks the thread while ffmpeg works.
   * `onTime` gets the milliseconds of output written so far.
   */
  run(
    args: string[],
    files: { inputs: FfmpegFile[]; outputs: string[] },
    onTime?: (ms: number) => void,
  ): Promise<FfmpegRun>;
}

let shared: Ffmpeg | undefined;

/** The thread's ffmpeg; nothing is fetched before its first run. */
export function openFfmpeg(): Ffmpeg {
  return (shared ??= new FfmpegCore());
}

class FfmpegCore implements Ffmpeg {
  #parts: Promise<FfmpegParts> | undefined;
  #core: Promise<CoreModule> | undefined;
  #runs = 0;

  async run(
    args: string[],
    files: { inputs: FfmpegFile[]; outputs: string[] },
    onTime: (ms: number) => void = () => undefined,
  ): Promise<FfmpegRun> {
    const inputs = await Promise.all(files.inputs.map(inMemoryOrMounted));
    const core = await this.#ready();
    // From here on nothing awaits, so that runs cannot get between each other.
    const folder = new WorkFolder(core, `/run${this.#runs++}`);
    const log = new LogBuffer();
    core.setLogger(({ message }) => log.add(message));
    // The first report of a run may still be the last one of the run before.
    let reports = 0;
    core.setProgress(({ time }) => {
      if (reports++ > 0) onTime(Math.max(0, time / 1000));
    });
    const outputs: FfmpegRun['outputs'] = new Map();
    let code = -1;
    try {
      const places = new Map([
        ...inputs.map((file) => folder.put(file)),
        ...files.outputs.map((name) => folder.place(name)),
      ]);
      core.reset();
      code = core.exec('-hide_banner', ...args.map((arg) => places.get(arg) ?? arg));
      for (const name of files.outputs) {
        const bytes = folder.take(name);
        if (bytes) outputs.set(name, bytes);
      }
      folder.clear();
    } catch (thrown) {
      code = -1;
      log.add(thrown instanceof Error ? thrown.message : String(thrown));
    }
    if (code !== 0 || core.HEAP8.length > HEAP_LIMIT) this.#core = undefined;
    return { code, log: log.lines(), decodeErrors: log.errors, outputs };
  }

  #ready(): Promise<CoreModule> {
    this.#core ??= this.#start().catch((thrown: unknown) => {
      this.#core = undefined;
      throw thrown;
    });
    return this.#core;
  }

  async #start(): Promise<CoreModule> {
    this.#parts ??= loadFfmpegParts().catch((thrown: unknown) => {
      this.#parts = undefined;
      throw thrown;
    });
    const { create, wasm } = await this.#parts;
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

/** One run's files inside the core's file system. */
class WorkFolder {
  readonly #fs: CoreModule['FS'];
  readonly #path: string;
  readonly #mounts: string[] = [];

  constructor(core: CoreModule, path: string) {
    this.#fs = core.FS;
    this.#path = path;
    this.#fs.mkdir(path);
  }

  place(name: string): [string, string] {
    return [name, `${this.#path}/${name}`];
  }

  put(file: FfmpegFile): [string, string] {
    const { name, data } = file;
    if (data instanceof Uint8Array) {
      const path = `${this.#path}/${name}`;
      this.#fs.writeFile(path, data, { canOwn: true });
      return [name, path];
    }
    const mount = `${this.#path}/mount${this.#mounts.length}`;
    this.#fs.mkdir(mount);
    this.#fs.mount(this.#fs.filesystems.WORKERFS, { blobs: [{ name, data }] }, mount);
    this.#mounts.push(mount);
    return [name, `${mount}/${name}`];
  }

  take(name: string): Uint8Array<ArrayBuffer> | undefined {
    if (!this.#fs.readdir(this.#path).includes(name)) return undefined;
    return new Uint8Array(this.#fs.readFile(`${this.#path}/${name}`));
  }

  clear(): void {
    for (const mount of this.#mounts) {
      this.#fs.unmount(mount);
      this.#fs.rmdir(mount);
    }
    for (const name of this.#fs.readdir(this.#path)) {
      if (name !== '.' && name !== '..') this.#fs.unlink(`${this.#path}/${name}`);
    }
    this.#fs.rmdir(this.#path);
  }
}

/** Large blobs stay blobs where they can be mounted (FileReaderSync exists in browser workers only). */
async function inMemoryOrMounted(file: FfmpegFile): Promise<FfmpegFile> {
  const { name, data } = file;
  if (data instanceof Uint8Array) return file;
  if (data.size > MOUNT_ABOVE && 'FileReaderSync' in globalThis) return file;
  return { name, data: new Uint8Array(await data.arrayBuffer()) };
}
