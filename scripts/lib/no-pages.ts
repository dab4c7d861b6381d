import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const NOTHING = fileURLToPath(new URL('../../src/lanes/nothing.ts', import.meta.url));

/** For bundles of workers: the parts of lanes that are for pages (`#page-part/*`) are an empty module there. */
export function noPages(): Plugin {
  return {
    name: 'accession:no-pages',
    enforce: 'pre',
    resolveId: (source) => (source.startsWith('#page-part/') ? NOTHING : null),
  };
}
