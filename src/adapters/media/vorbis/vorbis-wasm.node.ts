import { readFile } from 'node:fs/promises';

/** The same file from this folder, for tests and the command line. */
export async function loadVorbisWasm(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL('./vorbis.wasm', import.meta.url)));
}
