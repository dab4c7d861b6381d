import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { CoreFactory, FfmpegParts } from './ffmpeg-parts.types.ts';

/**
 * The ffmpeg core in Node, for tests and the command line. It was built for workers only and looks at
 * three of their globals when it starts; these stand in for them while the core is being made.
 */
export async function loadFfmpegParts(): Promise<FfmpegParts> {
  const require = createRequire(import.meta.url);
  const wasm = await WebAssembly.compile(await readFile(require.resolve('@ffmpeg/core/wasm')));
  const create = require('@ffmpeg/core') as CoreFactory;
  return {
    wasm,
    create: (options) => withWorkerGlobals(() => create(options)),
  };
}

const STAND_INS = {
  self: globalThis,
  location: { href: 'file:///ffmpeg-core.js' },
  importScripts: () => undefined,
  WorkerGlobalScope: Object,
};

/** The core reads them only while its factory runs, before its first await. */
function withWorkerGlobals<T>(make: () => T): T {
  const missing = Object.entries(STAND_INS).filter(([name]) => !(name in globalThis));
  for (const [name, value] of missing) Object.defineProperty(globalThis, name, { value, configurable: true });
  try {
    return make();
  } finally {
    for (const [name] of missing) Reflect.deleteProperty(globalThis, name);
  }
}
