/** The WebAssembly of the parser and its grammars, in the packages that ship them. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Grammar, SyntaxParser } from '#lanes/library/core/syntax/syntax.ts';
import { treeSitter, type SyntaxFiles } from '#lanes/library/syntax/tree-sitter.ts';

const VSCODE = '@vscode/tree-sitter-wasm/wasm/tree-sitter';

/** The others are in `@vscode/tree-sitter-wasm` by their own name. */
const ELSEWHERE: Partial<Record<Grammar, string>> = {
  csharp: 'tree-sitter-c-sharp/tree-sitter-c_sharp.wasm',
  c: 'tree-sitter-c/tree-sitter-c.wasm',
  kotlin: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
  lua: '@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm',
  r: '@davisvaughan/tree-sitter-r/tree-sitter-r.wasm',
};

const pathOf = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier));

export const syntaxFiles: SyntaxFiles = {
  engine: () => pathOf('web-tree-sitter/web-tree-sitter.wasm'),
  grammar: (grammar) => readFile(pathOf(ELSEWHERE[grammar] ?? `${VSCODE}-${grammar}.wasm`)),
};

/** A parser of this thread. */
export const nodeParser = (): SyntaxParser => treeSitter(syntaxFiles, { now: () => Date.now() });
