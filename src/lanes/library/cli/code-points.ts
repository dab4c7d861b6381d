import type { Passage } from '#lanes/library/core/search/passage.types.ts';

/** What is said of a passage in a file of answers. */
type Said = Omit<Passage, 'place' | 'language' | 'fullyQualifiedName'>;

const FIELDS = ['page', 'doi', 'isbn', 'title', 'authors', 'publication', 'year'];

/** Of a document with pages: which it is, and the page. */
function documentIn(metadata: Said['metadata']): { metadata?: Record<string, string> } {
  const own = Object.entries(metadata).filter(([name]) => FIELDS.includes(name));
  return own.length === 0 ? {} : { metadata: Object.fromEntries(own) };
}

/** Places of UTF-16 code units as places of code points: other languages count those. */
export class CodePoints<P extends Said> {
  readonly #textOf: (passage: P) => string;
  /** Of each file: where second halves of surrogate pairs stand. */
  readonly #pairs = new Map<string, number[]>();

  /** @param textOf the whole text of a passage's file; '' where it has no surrogate pairs */
  constructor(textOf: (passage: P) => string) {
    this.#textOf = textOf;
  }

  said(passage: P): object {
    const { path, start, end, text, score, startLine, endLine, agentId, chunkType, symbolName, metadata } = passage;
    const pairs = this.#pairsOf(passage);
    const before = (at: number): number => pairs.filter((pair) => pair < at).length;
    const places = { start: start - before(start), end: end - before(end), startLine, endLine };
    return { path, ...places, text, score, agentId, chunkType, symbolName, ...documentIn(metadata) };
  }

  #pairsOf(passage: P): number[] {
    let pairs = this.#pairs.get(passage.path);
    if (pairs === undefined) {
      pairs = [...this.#textOf(passage).matchAll(/[\u{10000}-\u{10ffff}]/gu)].map(({ index }) => index + 1);
      this.#pairs.set(passage.path, pairs);
    }
    return pairs;
  }
}
