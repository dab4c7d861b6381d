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

export interface SyntaxParser {
  /**
   * Parses `content` and matches the query (tree-sitter's language) against its tree. Throws AccessionError: `offline`
   * where the parser cannot be loaded, `file_unreadable` where it is cancelled.
   */
  matches(grammar: Grammar, query: string, content: string, cancel: Cancel): Promise<SyntaxMatch[]>;
}
