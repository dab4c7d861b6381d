/** What a file is written in, by its ending, its name, or its first line. */
import type { Capability } from './ingester.ts';
import { baseName, extensionOf } from './paths.ts';

/** Language by its endings; names as the Language Server Protocol and Linguist have them. */
const ENDINGS: Readonly<Record<string, string>> = {
  csharp: 'cs csx',
  python: 'py pyi pyw',
  typescript: 'ts mts cts',
  typescriptreact: 'tsx',
  javascript: 'js mjs cjs jsx',
  go: 'go',
  rust: 'rs',
  java: 'java',
  c: 'c',
  cpp: 'cpp cc cxx c++ hpp hh hxx h++ h ipp inl',
  ruby: 'rb rake gemspec ru',
  php: 'php phtml php5',
  kotlin: 'kt kts',
  lua: 'lua',
  r: 'r',
  bash: 'sh bash zsh ksh',
  lisp: 'lisp lsp cl l asd',
  scheme: 'scm ss sld rkt',
  'emacs-lisp': 'el',
  clojure: 'clj cljs cljc edn',
  markdown: 'md markdown mdown mkd',
  html: 'html htm xhtml',
  pdf: 'pdf',
  text: 'txt text',
};

const LANGUAGE_OF = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) => endings.split(' ').map((one) => [one, language] as const)),
);

/** Files known by their whole name, in lower case, and the ending that they would have. */
const NAMES: Readonly<Record<string, string>> = {
  rakefile: 'rb',
  gemfile: 'rb',
  vagrantfile: 'rb',
  brewfile: 'rb',
  podfile: 'rb',
  sconstruct: 'py',
  sconscript: 'py',
  jakefile: 'js',
  '.bashrc': 'sh',
  '.bash_profile': 'sh',
  '.profile': 'sh',
  '.zshrc': 'sh',
  '.rprofile': 'r',
  '.emacs': 'el',
  '.irbrc': 'rb',
};

/** Programs of a `#!` line, and the ending that their files would have. */
const PROGRAMS: readonly (readonly [program: RegExp, ending: string])[] = [
  [/^(python|pypy)[\d.]*$/, 'py'],
  [/^(node|nodejs|bun)$/, 'js'],
  [/^(deno|ts-node|tsx)$/, 'ts'],
  [/^(ba|z|k|da)?sh$/, 'sh'],
  [/^ruby[\d.]*$/, 'rb'],
  [/^php[\d.]*$/, 'php'],
  [/^lua[\d.]*$/, 'lua'],
  [/^Rscript$/, 'r'],
  [/^(sbcl|clisp|ecl)$/, 'lisp'],
  [/^(guile|racket|csi|scheme)$/, 'scm'],
  [/^emacs$/, 'el'],
  [/^(clojure|clj|bb)$/, 'clj'],
  [/^dotnet-script$/, 'csx'],
];

export interface FileType {
  /** `ingest:cs`; by its whole name (`ingest:makefile`) where a file has no ending. */
  capability: Capability;
  /** `csharp`; the ending or the name where no language is known. */
  language: string;
}

/** What reads a file, by its ending in any case, else its name, else its `#!` line. `content`: its first characters will do. */
export function fileTypeOf(path: string, content: string): FileType {
  const name = baseName(path).toLowerCase();
  const ending = extensionOf(path) || NAMES[name] || byFirstLine(content) || name.replace(/^\./, '');
  return { capability: `ingest:${ending}`, language: LANGUAGE_OF.get(ending) ?? ending };
}

/** Whether it is code or a text that people write, by its name alone. */
export const isKnownText = (path: string): boolean =>
  LANGUAGE_OF.has(extensionOf(path)) || baseName(path).toLowerCase() in NAMES;

function byFirstLine(content: string): string | undefined {
  const line = /^\uFEFF?#!\s*(\S+)[ \t]*([^\r\n]{0,200})/.exec(content);
  if (!line) return undefined;
  const program = baseName(line[1] ?? '');
  // `#!/usr/bin/env -S node --flag`
  const named = program === 'env' ? (line[2] ?? '').split(/\s+/).find((word) => !/^-|=/.test(word)) : program;
  return PROGRAMS.find(([pattern]) => pattern.test(baseName(named ?? '')))?.[1];
}
