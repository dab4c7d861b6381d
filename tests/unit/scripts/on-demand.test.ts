import { expect, test } from 'vitest';
import { isOnDemand, noteOnDemand } from '../../../scripts/lib/on-demand.ts';

test('LIBRARY-111 a worker is kept with the app, whatever library is in it; a chunk or a file of such a library alone is not', () => {
  const { generateBundle } = noteOnDemand() as unknown as { generateBundle: (_: unknown, bundle: object) => void };
  const parser = 'node_modules/web-tree-sitter/web-tree-sitter.js';
  const chunk = (fileName: string, isEntry: boolean, ...modules: string[]) => ({
    ...{ type: 'chunk', fileName, isEntry },
    modules: Object.fromEntries(modules.map((id) => [id, {}])),
  });
  const grammar = 'node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm';
  generateBundle(null, {
    worker: chunk('workers/reading.worker-a.js', true, 'src/reading.ts', parser),
    chunk: chunk('workers/chunks/b.js', false, parser),
    own: chunk('workers/chunks/c.js', false, 'src/reading.ts'),
    grammar: { type: 'asset', fileName: 'assets/tree-sitter-go-d.wasm', originalFileNames: [grammar] },
  });
  expect(['reading.worker-a.js', 'b.js', 'c.js', 'tree-sitter-go-d.wasm'].filter(isOnDemand)).toEqual([
    'b.js',
    'tree-sitter-go-d.wasm',
  ]);
});
