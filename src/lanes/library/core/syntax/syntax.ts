/** What outlines need of a parser of syntax trees: ranges that a query captured. */
import type { Cancel } from '#core/ports.ts';

export const GRAMMARS = [
  'bash',
  'c',
  'cpp',
  'csharp',
  'go',
  'java',
  'javascript',
  'kotlin',
  'lua',
  'php',
  'python',
  'r',
  'ruby',
  'rust',
  'tsx',
  'typescript',
] as const;

export type Grammar = (typeof GRAMMARS)[number];

export interface SyntaxCapture {
  /** As it is called in the query, without `@`. */
  name: string;
  /** UTF-16 units. */
  start: number;
  end: number;
}

/** One match of one pattern. */
export interface SyntaxMatch {
  /** Which pattern of the query, from 0. */
  pattern: number;
  captures: readonly SyntaxCapture[];
}

/** A place in a syntax tree, which moves. */
export interface SyntaxCursor {
  /** As the grammar calls it. */
  readonly nodeType: string;
  /** False for words and signs of the language itself. */
  readonly nodeIsNamed: boolean;
  /** UTF-16 units. */
  readonly startIndex: number;
  readonly endIndex: number;
  /** False, without moving, where there is none. */
  gotoFirstChild(): boolean;
  gotoNextSibling(): boolean;
  gotoParent(): boolean;
}

/**
 * Finds from the root of a tree without errors what a query would, and leaves out what makes no difference; null where
 * the tree is too deep for it.
 */
export type SyntaxWalk = (cursor: SyntaxCursor, text: string) => SyntaxMatch[] | null;

/** What is looked for in a tree. */
export interface SyntaxQuery {
  grammar: Grammar;
  /** In tree-sitter's language. */
  query: string;
  /** The same, faster. */
  walk?: SyntaxWalk;
}

export interface SyntaxParser {
  /**
   * Parses `content` and finds in its tree what is looked for. Throws AccessionError: `offline` where the parser cannot be
   * loaded, `file_unreadable` where it is cancelled.
   */
  matches(wanted: SyntaxQuery, content: string, cancel: Cancel): Promise<SyntaxMatch[]>;
}
