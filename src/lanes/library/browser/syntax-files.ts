/** The parser of a worker. Its WebAssembly and that of each grammar are files of their own, fetched when they are first needed. */
import engine from 'web-tree-sitter/web-tree-sitter.wasm?url';
import r from '@davisvaughan/tree-sitter-r/tree-sitter-r.wasm?url';
import kotlin from '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm?url';
import lua from '@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm?url';
import bash from '@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm?url';
import cpp from '@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm?url';
import go from '@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm?url';
import java from '@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm?url';
import javascript from '@vscode/tree-sitter-wasm/wasm/tree-sitter-javascript.wasm?url';
import php from '@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm?url';
import python from '@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm?url';
import ruby from '@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm?url';
import rust from '@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm?url';
import tsx from '@vscode/tree-sitter-wasm/wasm/tree-sitter-tsx.wasm?url';
import typescript from '@vscode/tree-sitter-wasm/wasm/tree-sitter-typescript.wasm?url';
import c from 'tree-sitter-c/tree-sitter-c.wasm?url';
import csharp from 'tree-sitter-c-sharp/tree-sitter-c_sharp.wasm?url';
import type { Grammar, SyntaxParser } from '#lanes/library/core/syntax/syntax.ts';
import { treeSitter } from '#lanes/library/syntax/tree-sitter.ts';

const GRAMMARS: Readonly<Record<Grammar, string>> = {
  ...{ bash, c, cpp, csharp, go, java, javascript, kotlin, lua, php, python, r, ruby, rust, tsx, typescript },
};

export const browserParser = (): SyntaxParser =>
  treeSitter({ engine: () => engine, grammar: (grammar) => GRAMMARS[grammar] }, { now: () => Date.now() });
