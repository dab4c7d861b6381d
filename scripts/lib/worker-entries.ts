/** Loaded by vite.config.ts alone, hence TypeScript: the launchers beside it run on Node 20 as they are. */
import type { Plugin } from 'vite';

interface Chunk {
  isEntry: boolean;
  imports: readonly string[];
  dynamicImports: readonly string[];
}

/**
 * What of a bundle imports its entry. WebKit takes a worker's first script and the same file that one of its chunks
 * imports for two modules: the worker would run twice, and do everything twice.
 */
export function importersOfEntries(chunks: Readonly<Record<string, Chunk>>): string[] {
  const entries = new Set(Object.keys(chunks).filter((name) => chunks[name]?.isEntry));
  return Object.entries(chunks)
    .filter(([, { imports, dynamicImports }]) => [...imports, ...dynamicImports].some((name) => entries.has(name)))
    .map(([name]) => name);
}

/**
 * For the builds of the workers: what chunks share with the worker is a chunk of its own, and a bundle in which anything
 * imports the worker itself is refused.
 */
export function workersRunOnce(): Plugin {
  return {
    name: 'accession:workers-run-once',
    // Vite's own configuration overrules what a project says of it.
    options: (options) => ({ ...options, preserveEntrySignatures: 'strict' }),
    generateBundle(_, bundle) {
      const chunks = Object.entries(bundle).flatMap(([name, file]) =>
        file.type === 'chunk' ? [[name, file] as const] : [],
      );
      const wrong = importersOfEntries(Object.fromEntries(chunks));
      if (wrong.length > 0)
        this.error(`${wrong.join(', ')} would run a worker twice in WebKit: it imports the worker itself`);
    },
  };
}
