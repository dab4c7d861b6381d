import { expect, test } from 'vitest';
import { isOfDemo, isOnDemand, noteOnDemand } from '../../../scripts/lib/on-demand.ts';

test('LIBRARY-111, UI-390 a worker is kept with the app and with what it begins with, whatever library is in it; a chunk or a file of such a library alone is not, unless a demo runs on it', () => {
  const { generateBundle } = noteOnDemand() as unknown as { generateBundle: (_: unknown, bundle: object) => void };
  const parser = 'node_modules/web-tree-sitter/web-tree-sitter.js';
  const chunk = (fileName: string, imports: readonly string[] | null, ...modules: string[]) => ({
    ...{ type: 'chunk', fileName, isEntry: imports !== null, imports: imports ?? [] },
    modules: Object.fromEntries(modules.map((id) => [id, {}])),
  });
  const grammar = 'node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm';
  const files = [
    chunk('workers/reading.worker-a.js', ['workers/chunks/main-e.js'], 'src/reading.ts', parser),
    chunk('workers/chunks/main-e.js', null, 'src/read.ts', 'node_modules/htmlparser2/dist/index.js'),
    chunk('workers/chunks/b.js', null, parser),
    chunk('workers/chunks/c.js', null, 'src/reading.ts'),
    { type: 'asset', fileName: 'assets/tree-sitter-go-d.wasm', originalFileNames: [grammar] },
  ];
  const python = grammar.replace('-go', '-python');
  files.push({ type: 'asset', fileName: 'assets/tree-sitter-python-f.wasm', originalFileNames: [python] });
  generateBundle(null, Object.fromEntries(files.map((file) => [file.fileName, file])));
  const names = [
    'reading.worker-a.js',
    'main-e.js',
    'b.js',
    'c.js',
    'tree-sitter-go-d.wasm',
    'tree-sitter-python-f.wasm',
  ];
  expect(names.filter(isOnDemand)).toEqual(['b.js', 'tree-sitter-go-d.wasm', 'tree-sitter-python-f.wasm']);
  expect(names.filter(isOfDemo)).toEqual(['b.js', 'tree-sitter-python-f.wasm']);
});
