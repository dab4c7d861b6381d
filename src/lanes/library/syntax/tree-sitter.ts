/** Syntax trees by tree-sitter in WebAssembly; a grammar is loaded when its first file comes. */
import { Language, Parser, Query, type Tree } from 'web-tree-sitter';
import { failed } from '#core/errors.ts';
import { loadOnce } from '#core/load-once.ts';
import type { Clock } from '#core/ports.ts';
import type { Grammar, SyntaxMatch, SyntaxParser, SyntaxQuery, SyntaxWalk } from '#lanes/library/core/syntax/syntax.ts';

/** Where the WebAssembly of the parser and of each grammar is. */
export interface SyntaxFiles {
  /** The parser's own, as its library takes it: a path or an address. */
  engine(): string;
  /** A path, an address, or the bytes themselves. */
  grammar(grammar: Grammar): string | Uint8Array | Promise<string | Uint8Array>;
}

/** Milliseconds for one file; what takes longer is read as text. */
const MAX_PARSE_MS = 5_000;

/** A grammar that could not be loaded is not asked for again for so long: a folder has many files of it. Milliseconds. */
const AGAIN_MS = 30_000;

/** Matches in progress, of one query: what is above loses its oldest. */
const MATCH_LIMIT = 4096;

/** UTF-16 units up to which parsing and matching are not asked whether they may go on. */
const SMALL = { parse: 16_000, match: 100_000 };

/** A language with its queries, which are compiled once. */
interface Loaded {
  parser: Parser;
  language: Language;
  queries: Map<string, Query>;
}

/** A parser over these files. Not to be used by two threads. */
export function treeSitter(files: SyntaxFiles, clock: Clock): SyntaxParser {
  const engine = loadOnce(() => Parser.init({ locateFile: () => files.engine() }));
  const loads = new Map<Grammar, () => Promise<Loaded>>();
  const load = (grammar: Grammar): Promise<Loaded> => {
    let loading = loads.get(grammar);
    if (!loading) {
      let failedAt = -Infinity;
      loading = loadOnce(async () => {
        if (clock.now() < failedAt + AGAIN_MS) throw notHere();
        const language = await loaded(
          async () => {
            await engine();
            return Language.load(await files.grammar(grammar));
          },
          () => (failedAt = clock.now()),
        );
        return { parser: new Parser().setLanguage(language), language, queries: new Map() };
      });
      loads.set(grammar, loading);
    }
    return loading();
  };
  return {
    async matches(wanted, content, cancel) {
      const known = await load(wanted.grammar);
      const end = clock.now() + MAX_PARSE_MS;
      return matchesIn(known, wanted, content, () => cancel.aborted || clock.now() > end);
    },
  };
}

/** The WebAssembly of the parser and of each grammar is a file of its own, fetched when it is first needed. */
const notHere = (cause?: unknown) => failed('offline', 'its parser is not on this device yet', { cause });

/** Throws AccessionError `offline`. */
async function loaded<T>(load: () => Promise<T>, onFailed: () => void): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    onFailed();
    throw notHere(cause);
  }
}

function matchesIn(
  known: Loaded,
  { query, walk }: SyntaxQuery,
  content: string,
  progressCallback: () => boolean,
): SyntaxMatch[] {
  // A lone CR ends a line too, and no grammar knows it; as LF it is as long.
  const text = content.includes('\r') ? content.replaceAll(/\r(?!\n)/g, '\n') : content;
  // Being asked costs time, and a small file has little to read or match.
  const tree = known.parser.parse(text, null, content.length > SMALL.parse ? { progressCallback } : {});
  if (tree === null) {
    known.parser.reset();
    throw failed('file_unreadable', 'parsing it took more than 5 s');
  }
  try {
    const seen = walk === undefined || tree.rootNode.hasError ? null : walked(tree, walk, text);
    if (seen !== null) return seen;
    const asks = content.length > SMALL.match ? { progressCallback } : {};
    const found = compiled(known, query).matches(tree.rootNode, { matchLimit: MATCH_LIMIT, ...asks });
    return found.map(({ patternIndex, captures }) => ({
      pattern: patternIndex,
      captures: captures.map(({ name, node }) => ({ name, start: node.startIndex, end: node.endIndex })),
    }));
  } finally {
    tree.delete();
  }
}

function walked(tree: Tree, walk: SyntaxWalk, text: string): SyntaxMatch[] | null {
  const cursor = tree.walk();
  try {
    return walk(cursor, text);
  } finally {
    cursor.delete();
  }
}

function compiled({ language, queries }: Loaded, query: string): Query {
  const known = queries.get(query);
  if (known) return known;
  const made = new Query(language, query);
  queries.set(query, made);
  return made;
}
