/** Loaded by vite.config.ts alone, hence TypeScript: the launchers beside it run on Node 20 as they are. */
import { basename } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

type OutputBundle = Rolldown.OutputBundle;

/** Libraries that most people never need: the service worker keeps them when they were used, not before. */
const LIBRARIES =
  /node_modules\/(@mlc-ai\/web-llm|@wllama\/wllama|web-tree-sitter|htmlparser2|pdfjs-dist|@cantoo\/pdf-lib|citeproc|@citation-js\/plugin-csl|(@[\w-]+\/)?tree-sitter-[\w-]+)\//;

/** Of these, what the lanes' demos run on (UI-390): fetched behind the codecs, so that they are there without a network. */
const OF_DEMOS =
  /node_modules\/(pdfjs-dist|web-tree-sitter|@vscode\/tree-sitter-wasm\/wasm\/tree-sitter-(typescript|python)\.wasm$)/;

/** The engines of the toolbox, each with its program (toolbox-packs.ts). */
const PACKS = /^toolbox-\w+[.-][\w-]+\.bin$/;

/** Names of built files that hold one of them; filled while pages and workers are built, read when the service worker is. */
const names = new Set<string>();
/** Of those, the ones of demos. */
const demos = new Set<string>();

/** A plugin for the builds of the app and of its workers. */
export function noteOnDemand(): Plugin {
  return {
    name: 'accession-on-demand',
    generateBundle(_, bundle) {
      const begun = atStart(bundle);
      for (const file of Object.values(bundle)) {
        // A worker is kept, whatever is in it: without it nothing works, also not what needs no library.
        if (begun.has(file.fileName)) continue;
        const from = file.type === 'chunk' ? Object.keys(file.modules) : file.originalFileNames;
        const ids = from.map((id) => id.replaceAll('\\', '/'));
        if (ids.some((id) => LIBRARIES.test(id))) names.add(basename(file.fileName));
        if (ids.some((id) => OF_DEMOS.test(id))) demos.add(basename(file.fileName));
      }
    },
  };
}

/** The entries with all files that they cannot begin without. */
function atStart(bundle: OutputBundle): Set<string> {
  const begun = new Set<string>();
  const take = (name: string): void => {
    const file = bundle[name];
    if (begun.has(name) || file?.type !== 'chunk') return;
    begun.add(name);
    for (const other of file.imports) take(other);
  };
  for (const file of Object.values(bundle)) if (file.type === 'chunk' && file.isEntry) take(file.fileName);
  return begun;
}

export function isOnDemand(path: string): boolean {
  return names.has(basename(path)) || PACKS.test(basename(path));
}

/** Whether a file that is kept on demand is what a demo runs on. */
export const isOfDemo = (path: string): boolean => demos.has(basename(path));
