import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** The same encoder from the installed package, for tests and the command line. */
export async function loadVorbisWasm(): Promise<WebAssembly.Module> {
  const path = createRequire(import.meta.url).resolve('wasm-media-encoders/wasm/ogg.wasm');
  return WebAssembly.compile(await readFile(path));
}
