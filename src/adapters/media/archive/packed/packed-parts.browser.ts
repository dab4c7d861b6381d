import { compiledFrom } from '../../wasm-answer.ts';
import wasmUrl from './packed.wasm?url';
import type { BytesAtOnce } from './packed-parts.types.ts';

/** Fetches libarchive (0.24 MB, 0.1 packed). */
export async function loadPackedWasm(): Promise<WebAssembly.Module> {
  return compiledFrom(await fetch(wasmUrl));
}

/** The types of pages, which this is checked with, have none of what is in workers alone. */
declare const FileReaderSync: new () => { readAsArrayBuffer(blob: Blob): ArrayBuffer };

/** Only in a worker: pages cannot read a blob at once. */
export function bytesAtOnce(blob: Blob): Promise<BytesAtOnce> {
  const reader = new FileReaderSync();
  return Promise.resolve({
    size: blob.size,
    read: (at, length) => new Uint8Array(reader.readAsArrayBuffer(blob.slice(at, at + length))),
    close: () => undefined,
  });
}
