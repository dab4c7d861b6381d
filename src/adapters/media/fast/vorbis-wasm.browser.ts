import wasmUrl from 'wasm-media-encoders/wasm/ogg.wasm?url';

/** Fetches the Vorbis encoder of `wasm-media-encoders` (libvorbis, 0.45 MB). */
export function loadVorbisWasm(): Promise<WebAssembly.Module> {
  return WebAssembly.compileStreaming(fetch(wasmUrl));
}
