/** A text with its lines: where each begins, and which one an offset is in. LF, CR and CRLF each end a line. */
import type { Chunk, ChunkType } from './chunk.ts';

const LF = 10;
const CR = 13;

let last: SourceText | null = null;

export class SourceText {
  /** Offset at which each line begins, UTF-16 units. */
  readonly #starts: number[] = [0];

  readonly content: string;
  readonly filePath: string;
  readonly language: string;

  constructor(content: string, filePath: string, language: string) {
    this.content = content;
    this.filePath = filePath;
    this.language = language;
    // The platform looks for one character many times faster than a loop here.
    if (content.includes('\r'))
      for (let at = 0; at < content.length; at++) {
        const unit = content.charCodeAt(at);
        if (unit === LF || (unit === CR && content.charCodeAt(at + 1) !== LF)) this.#starts.push(at + 1);
      }
    else for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** The text of a file that several ask for, one after the other: its lines are looked for once. */
  static of(content: string, filePath: string, language: string): SourceText {
    const is = last !== null && last.filePath === filePath && last.language === language && last.content === content;
    return is && last !== null ? last : (last = new SourceText(content, filePath, language));
  }

  /** How many lines there are; an empty text has one. */
  get lines(): number {
    return this.#starts.length;
  }

  /** Line of an offset, from 1. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** Offset at which a line begins. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.content.length;
  }

  /** Offset behind a line's last character, its end of line left out. */
  endOf(line: number): number {
    let end = this.#starts[line] ?? this.content.length;
    while (end > this.startOf(line) && isLineEnd(this.content.charCodeAt(end - 1))) end--;
    return end;
  }

  /** The range without the blank characters at both of its ends; null where nothing is left. */
  trimmed(start: number, end: number): [start: number, end: number] | null {
    let from = start;
    let to = end;
    while (from < to && isBlank(this.content.charCodeAt(from))) from++;
    while (to > from && isBlank(this.content.charCodeAt(to - 1))) to--;
    return from < to ? [from, to] : null;
  }

  isBlankLine(line: number): boolean {
    return this.trimmed(this.startOf(line), this.endOf(line)) === null;
  }

  /** A chunk of the range [start, end), which is not blank. */
  chunk(start: number, end: number, is: ChunkFacts): Chunk {
    return {
      text: this.content.slice(start, end),
      filePath: this.filePath,
      chunkType: is.type,
      symbolName: is.name ?? null,
      parentSymbol: is.parent ?? null,
      fullyQualifiedName: is.fullName ?? null,
      startLine: this.lineAt(start),
      endLine: this.lineAt(end - 1),
      language: this.language,
      metadata: { ...is.metadata, startOffset: String(start), endOffset: String(end) },
    };
  }
}

/** What a chunk is, beside where it stands. */
export interface ChunkFacts {
  type: ChunkType;
  name?: string | null;
  parent?: string | null;
  fullName?: string | null;
  metadata?: Readonly<Record<string, string>>;
}

const isLineEnd = (unit: number): boolean => unit === LF || unit === CR;

/** As `String.trim` sees it, the byte order mark included. */
function isBlank(unit: number): boolean {
  if (unit <= 32) return unit === 32 || (unit >= 9 && unit <= 13);
  return unit === 0xa0 || unit === 0xfeff || (unit >= 0x1680 && String.fromCharCode(unit).trim() === '');
}
