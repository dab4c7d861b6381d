/**
 * An index of words over a catalog in columns: which artists, albums and tracks have a word, and the words of every name.
 *
 *   vocabulary   every word once, in order of the alphabet; by three-letter parts, for words that are mistyped
 *   names        the words of each text that names something, in their order
 *   entries      of each kind, those with fewest words first (of equals by id): what a word finds first is looked at first;
 *                a word's entries are the gaps between their places, seven bits a byte
 */

export const KINDS = ['artists', 'albums', 'tracks'] as const;
export type Kind = (typeof KINDS)[number];

/** Entries of a kind by their words. */
export interface EntryArrays {
  /** The row of each entry. */
  rows: Uint32Array;
  /** `bytes[starts[term] .. starts[term + 1]]`: the entries that have a term. */
  starts: Uint32Array;
  bytes: Uint8Array;
}

export interface WordArrays extends Record<Kind, EntryArrays> {
  /** The vocabulary, a term ends where `ends` says. */
  terms: Uint8Array;
  ends: Uint32Array;
  /** Entries of all kinds that have a term. */
  frequencies: Uint32Array;
  /** `partTerms[partStarts[part] .. partStarts[part + 1]]`: the terms that have a part, in order. */
  partStarts: Uint32Array;
  partTerms: Uint32Array;
  /** Words of each text of the string table, and these words one text after the other. */
  counts: Uint8Array;
  words: Uint32Array;
}
