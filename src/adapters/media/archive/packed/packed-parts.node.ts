import { closeSync, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pathOf } from '../../blob-paths.ts';
import type { BytesAtOnce } from './packed-parts.types.ts';

/** The same file from this folder, for the headless worker and tests. */
export async function loadPackedWasm(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL('./packed.wasm', import.meta.url)));
}

/** From the file that the blob is; one that is no file is held in memory. */
export async function bytesAtOnce(blob: Blob): Promise<BytesAtOnce> {
  const path = pathOf(blob);
  if (path === undefined) {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length), close: () => undefined };
  }
  const file = openSync(path, 'r');
  return {
    size: blob.size,
    read(at, length) {
      const bytes = new Uint8Array(length);
      let have = 0;
      for (let got = -1; got !== 0 && have < length; have += got)
        got = readSync(file, bytes, have, length - have, at + have);
      return bytes.subarray(0, have);
    },
    close: () => closeSync(file),
  };
}
