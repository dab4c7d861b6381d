import coreUrl from '@ffmpeg/core?url';
import wasmUrl from '@ffmpeg/core/wasm?url';
import type { CoreFactory, FfmpegParts } from './ffmpeg-parts.types.ts';

/**
 * Fetches the ffmpeg core. Both files stay files of their own (GPL, replaceable) and are only fetched
 * when something has to be converted. The specifier is a variable so that the bundler leaves it alone.
 */
export async function loadFfmpegParts(): Promise<FfmpegParts> {
  const [script, wasm] = await Promise.all([
    import(/* @vite-ignore */ coreUrl) as Promise<{ default: CoreFactory }>,
    WebAssembly.compileStreaming(fetch(wasmUrl)),
  ]);
  return { create: script.default, wasm };
}
