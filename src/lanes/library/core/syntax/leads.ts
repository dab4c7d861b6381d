/** What stands before a symbol and belongs to it: documentation, comments, decorators, `export`. */
import type { SourceText } from '#core/ingest/source-text.ts';
import type { SyntaxCapture } from './syntax.ts';

/** Wraps that are looked at around one symbol: a template of a template, an exported decorated class. */
const NEAREST_WRAPS = 4;

interface Span {
  start: number;
  end: number;
}

const byStart = (a: Span, b: Span): number => a.start - b.start;

export class Leads {
  readonly #source: SourceText;
  readonly #wraps: SyntaxCapture[];
  /** Comments and decorators, none within another. */
  readonly #before: SyntaxCapture[];

  constructor(source: SourceText, wraps: SyntaxCapture[], before: SyntaxCapture[]) {
    this.#source = source;
    this.#wraps = wraps.toSorted(byStart);
    this.#before = before.toSorted(byStart);
  }

  /** Where the symbol begins with what stands around it (`export class A`). `above`: where its parent begins. */
  wrapStart({ start, end }: Span, above: number): number {
    let from = start;
    for (let i = lastAt(this.#wraps, start), looked = 0; i >= 0 && looked < NEAREST_WRAPS; i--, looked++) {
      const wrap = this.#wraps[i];
      if (!wrap || wrap.end < end || wrap.start <= above) continue;
      if (/^[\s;]*$/.test(this.#source.content.slice(end, Math.min(wrap.end, end + 200)))) from = wrap.start;
    }
    return from;
  }

  /** Where the symbol begins with the comments and decorators right before it, and the texts of these comments. */
  leadStart(from: number): { start: number; comments: string[] } {
    const comments: string[] = [];
    let start = from;
    for (let i = lastAt(this.#before, from - 1); i >= 0; i--) {
      const one = this.#before[i];
      if (!one || one.end > start) continue;
      const end = this.#source.trimmed(one.start, one.end)?.[1] ?? one.end;
      if (!this.#touches(end, start)) break;
      // What stands behind something on its line is of that.
      if (one.name === 'comment' && (!this.#beginsLine(one.start) || this.#source.content.startsWith('#!', one.start)))
        break;
      if (one.name === 'comment') comments.push(this.#source.content.slice(one.start, end));
      start = one.start;
    }
    return { start, comments };
  }

  /** Nothing but blanks is between, and no blank line. */
  #touches(end: number, start: number): boolean {
    const { content } = this.#source;
    let lines = 0;
    for (let at = end; at < start; at++) {
      const unit = content.charCodeAt(at);
      if (unit === 10 || (unit === 13 && content.charCodeAt(at + 1) !== 10)) lines++;
      else if (unit !== 32 && unit !== 9 && unit !== 13 && unit !== 12) return false;
      if (lines > 1) return false;
    }
    return true;
  }

  #beginsLine(offset: number): boolean {
    const start = this.#source.startOf(this.#source.lineAt(offset));
    return this.#source.trimmed(start, offset) === null;
  }
}

/** The last that begins at `offset` or before. */
function lastAt(sorted: readonly Span[], offset: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.start ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
