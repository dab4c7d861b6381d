import { compiledFrom } from '../wasm-answer.ts';
import wasmUrl from './vorbis.wasm?url';

/** For the whole of it, on a line of 0.1 Mbit/s. */
const LOADING_MS = 60_000;

/** Fetches libvorbis (0.7 MB, 0.2 packed). */
export async function loadVorbisWasm(): Promise<WebAssembly.Module> {
  return compiledFrom(await fetch(wasmUrl, { signal: AbortSignal.timeout(LOADING_MS) }));
}
