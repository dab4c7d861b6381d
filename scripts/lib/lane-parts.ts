import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const NOTHING = fileURLToPath(new URL('../../src/lanes/nothing.ts', import.meta.url));

/** For bundles of workers: the parts of lanes that are for pages (`#page-part/*`) are an empty module there. */
export function noPages(): Plugin {
  return without('#page-part/');
}

/**
 * For the bundle of the pages: so are the parts that are for workers (`#worker-part/*`). What a page never loads would
 * be kept for a start without the server all the same, the ffmpeg core (32 MB) among it.
 */
export function noWorkers(): Plugin {
  // Where nothing is bundled, pages and workers share the plugins.
  return { ...without('#worker-part/'), apply: 'build' };
}

function without(part: string): Plugin {
  return {
    name: `accession:without-${part}`,
    enforce: 'pre',
    resolveId: (source) => (source.startsWith(part) ? NOTHING : null),
  };
}
