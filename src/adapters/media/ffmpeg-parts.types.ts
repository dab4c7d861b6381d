/** What the ffmpeg core (0.12.10, single thread) offers of its module object; it ships no types. */
export interface CoreModule {
  /** Runs `ffmpeg -nostdin -y ...args`, blocking. Its exit code; it says "Aborted()" even when that is 0. */
  exec(...args: string[]): number;
  setLogger(logger: (line: { type: string; message: string }) => void): void;
  /** `time` in microseconds of output written; negative before the first packet. */
  setProgress(handler: (at: { progress: number; time: number }) => void): void;
  FS: {
    mkdir(path: string): void;
    readdir(path: string): string[];
    writeFile(path: string, data: Uint8Array, options?: { canOwn?: boolean }): void;
    readFile(path: string): Uint8Array;
    makedev(major: number, minor: number): number;
    /** What is written to files of that device is given to `write`, as a stretch of the core's memory. */
    registerDevice(
      device: number,
      operations: {
        open(stream: { seekable: boolean }): void;
        write(stream: unknown, memory: Int8Array, offset: number, length: number): number;
      },
    ): void;
    mkdev(path: string, device: number): void;
    mount(type: unknown, options: { blobs: { name: string; data: Blob }[] }, path: string): void;
    filesystems: { WORKERFS?: unknown };
  };
}

export interface CoreOptions {
  instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): object;
}

export type CoreFactory = (options: CoreOptions) => Promise<CoreModule>;

/** The two files of the core, loaded: its script and its compiled wasm. */
export interface FfmpegParts {
  create: CoreFactory;
  wasm: WebAssembly.Module;
}
