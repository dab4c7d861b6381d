import wasmUrl from './vorbis.wasm?url';

/** Fetches libvorbis (0.7 MB, 0.2 packed). */
export function loadVorbisWasm(): Promise<WebAssembly.Module> {
  return WebAssembly.compileStreaming(fetch(wasmUrl));
}
