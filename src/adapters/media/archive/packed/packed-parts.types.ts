/** An archive's bytes as WebAssembly wants them: at once, since it cannot wait. */
export interface BytesAtOnce {
  /** Bytes. */
  size: number;
  /** `length` bytes from `at` on, fewer at the end. Throws what the platform throws where they cannot be read. */
  read(at: number, length: number): Uint8Array;
  close(): void;
}
