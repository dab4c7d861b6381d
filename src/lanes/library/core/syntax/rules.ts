/** What is particular to a language: which nodes of its tree are symbols, and how names, documentation and access are read. */
import type { ChunkType } from '#core/ingest/chunk.ts';
import type { SyntaxQuery } from './syntax.ts';

/** `scope`: it has a name and holds symbols, and is none itself. */
export type SymbolType = ChunkType | 'scope';

/**
 * Captures of a query:
 *
 *   @class @function ...    a symbol of that chunk type, with its @name in the same match
 *   @scope                  something with a @name that holds symbols and is none (`impl Key`)
 *   @static                 a part of what it stands in, whose functions are called on that itself (`class << self`)
 *   @object, @pair          an object literal with a @name, and what is a property only within one
 *   @package, @filespace    a namespace of the whole file: its own lines, or all that follows
 *   @owner                  the name of what a symbol belongs to, where it does not stand in it (`Key::read`)
 *   @promoted               a parameter that is a property of what its constructor makes
 *   @again                  a function's own name, where it may be called so already by what it is given to
 *   @wrap                   what may stand around a symbol and belongs to it (`export`, `template <...>`)
 *   @lead, @comment         a decorator or an attribute before a symbol; a comment
 *   @doc                    a docstring, with the @name of its symbol in the same match
 *   @access                 a mark that what follows in the same scope has this access
 *
 * What begins with `_` is for predicates alone. A name of several captures goes from the first to the last. Of two symbols at one name the pattern that comes first
 * is taken.
 */
export interface LanguageRules extends SyntaxQuery {
  /** The source as the grammar can read it, of the same length: for what it is known to stumble over. */
  prepare?(content: string): string;
  /** Between the names of a qualified name. */
  separator: string;
  /** A name may have its owner in front (`Key::read`). */
  namesOwners?: boolean;
  /** A namespace has methods too. */
  namespaceMethods?: boolean;
  /** A comment that documents; absent where none does. */
  doc?: RegExp;
  /** A name as it stands in the source, as it is said; '' where it is none. */
  nameOf?(raw: string): string;
  /** An owner as it stands in the source, its qualified name; '' for none. */
  ownerOf?(raw: string): string;
  /** The access that an `@access` says; null where it says none. */
  sectionOf?(raw: string): string | null;
  /** The access that an `@access` gives to symbols of its scope that stand before it, by name (`private :late`). */
  namedAccessOf?(raw: string): { access: string; names: readonly string[]; owned: boolean } | null;
  /** Access as the language says it; null where it has none or does not say. */
  accessOf?(symbol: SymbolFacts): string | null;
  /** Where the separator depends on the symbol (`Dock#free?`, `Dock.find`). */
  separatorOf?(symbol: Omit<SymbolFacts, 'head'>): string;
}

export interface SymbolFacts {
  type: SymbolType;
  name: string;
  /** The type of what it stands in; null at the file's level. */
  within: SymbolType | null;
  /** The last `@access` before it in the same scope. */
  section: string | null;
  /** It was captured with an `@owner`. */
  owned: boolean;
  /** The source from where the symbol begins to its name, without brackets and strings. */
  head: string;
}

/** The words of `list` that are in a text, in the order of the list; null where none is. */
export function wordsIn(text: string, list: readonly string[]): string | null {
  const found = list.filter((word) => new RegExp(`\\b${word}\\b`).test(text));
  return found.length === 0 ? null : found.join(' ');
}

/** Documentation as Java, JavaScript, PHP and Kotlin write it. */
export const JAVADOC = /^\/\*\*(?![*/])/;

/** The last name of a qualified one. */
export function lastName(name: string, separator: string): string {
  const at = name.lastIndexOf(separator);
  return at < 0 ? name : name.slice(at + separator.length);
}
