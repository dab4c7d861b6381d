import { compiledFrom } from '../wasm-answer.ts';
import wasmUrl from './vorbis.wasm?url';

/** Fetches libvorbis (0.7 MB, 0.2 packed). */
export async function loadVorbisWasm(): Promise<WebAssembly.Module> {
  return compiledFrom(await fetch(wasmUrl));
}
