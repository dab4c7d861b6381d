/** Where a piece of text that somebody repeats stands in a source. */
import type { SourceText } from '#core/ingest/source-text.ts';

const WORD = /[\p{L}\p{N}_]/u;

/** A source with every run of blanks as one, and where each character of that is. */
export class Folded {
  readonly #source: SourceText;
  readonly #text: string;
  readonly #offsets: number[] = [];

  constructor(source: SourceText) {
    this.#source = source;
    let text = '';
    let blank = true;
    for (let at = 0; at < source.content.length; at++) {
      const character = source.content.charAt(at);
      const isBlank = character.trim() === '';
      if (isBlank && blank) continue;
      text += isBlank ? ' ' : character;
      this.#offsets.push(at);
      blank = isBlank;
    }
    this.#text = text;
  }

  /** The range [start, end) of `wanted`, blanks folded: the one that begins nearest to a line, where there are several. */
  find(wanted: string, nearLine: number): [start: number, end: number] | null {
    const folded = wanted.replaceAll(/\s+/g, ' ').trim();
    if (folded === '') return null;
    let best: [number, number] | null = null;
    let distance = Infinity;
    for (let at = this.#text.indexOf(folded); at >= 0; at = this.#text.indexOf(folded, at + 1)) {
      if (!isWhole(this.#text, at, at + folded.length)) continue;
      const start = this.#offsets[at] ?? 0;
      const far = Math.abs(this.#source.lineAt(start) - nearLine);
      if (far >= distance) continue;
      best = [start, (this.#offsets[at + folded.length - 1] ?? start) + 1];
      distance = far;
    }
    return best;
  }
}

/** Offset of a name in [start, end), as a word by itself; -1 where it is none. */
export function wordAt(content: string, name: string, start: number, end: number): number {
  for (let at = content.indexOf(name, start); at >= 0 && at + name.length <= end; at = content.indexOf(name, at + 1))
    if (isWhole(content, at, at + name.length)) return at;
  return -1;
}

/** It neither begins nor ends within a word. */
function isWhole(text: string, start: number, end: number): boolean {
  const within = (a: string, b: string): boolean => WORD.test(a) && WORD.test(b);
  return !within(text.charAt(start - 1), text.charAt(start)) && !within(text.charAt(end - 1), text.charAt(end));
}
