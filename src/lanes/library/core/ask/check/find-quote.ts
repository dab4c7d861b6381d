/** Where a quote stands in its source. */
import type { Evidence, EvidenceSpan } from '../evidence/evidence.types.ts';

export interface FoundQuote {
  evidence: Evidence;
  span: EvidenceSpan;
  /** Places in the source's text, UTF-16 code units. */
  start: number;
  end: number;
  /** As it stands there. */
  text: string;
}

/** What is not seen: emphasis of Markdown, control, bidi and zero-width characters. */
const UNSEEN = /[*`]|\p{Cf}|(?!\s)\p{Cc}/u;
const BLANK = /[\s\u00a0]/;

/** A text as it is compared: blanks folded, unseen characters gone, straight quotes, no case; with where each character was. */
export function foldQuote(text: string): { folded: string; places: number[] } {
  let folded = '';
  const places: number[] = [];
  let blank = true;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (UNSEEN.test(char)) continue;
    const isBlank = BLANK.test(char) || isCellEnd(text, at);
    if (isBlank && blank) continue;
    const said = isBlank ? ' ' : plain(char);
    folded += said;
    places.push(at);
    blank = isBlank;
  }
  return { folded, places };
}

/** ` | ` parts the cells of a table; a reader sees room. */
const isCellEnd = (text: string, at: number): boolean =>
  text.charAt(at) === '|' && BLANK.test(text.charAt(at - 1) || ' ') && BLANK.test(text.charAt(at + 1) || ' ');

function plain(char: string): string {
  if ('‘’‚‛′'.includes(char)) return "'";
  if ('“”„‟″'.includes(char)) return '"';
  const lower = char.toLowerCase();
  // `İ` becomes two: every character keeps its place.
  return lower.length === 1 ? lower : char;
}

/** The first place of a quote in a source, as whole words; null where it does not stand there. */
export function findQuote(evidence: Evidence, quote: string): FoundQuote | null {
  const wanted = foldQuote(stripped(quote)).folded.trim();
  for (const span of evidence.spans) {
    const place = placeIn(foldedSpan(span), wanted);
    if (place === null) continue;
    const { start, end } = place;
    return { evidence, span, start: span.start + start, end: span.start + end, text: span.text.slice(start, end) };
  }
  return null;
}

/** The first place of a quote in a text, as whole words; null where it does not stand there. */
export const findInText = (text: string, quote: string): { start: number; end: number } | null =>
  placeIn(foldQuote(text), foldQuote(quote).folded.trim());

function placeIn(
  { folded, places }: ReturnType<typeof foldQuote>,
  wanted: string,
): { start: number; end: number } | null {
  if (wanted === '') return null;
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    if (!isWhole(folded, at, at + wanted.length)) continue;
    const start = places[at] ?? 0;
    return { start, end: (places[at + wanted.length - 1] ?? start) + 1 };
  }
  return null;
}

const folds = new WeakMap<EvidenceSpan, ReturnType<typeof foldQuote>>();

function foldedSpan(span: EvidenceSpan): ReturnType<typeof foldQuote> {
  let known = folds.get(span);
  if (known === undefined) folds.set(span, (known = foldQuote(span.text)));
  return known;
}

/** Without the quotation marks that somebody put around it. */
function stripped(quote: string): string {
  const trimmed = quote.trim();
  const around = /^(["“„«])([^"“”„«»]+)(["”“»])$/.exec(trimmed);
  return around?.[2] ?? trimmed;
}

const WORD = /[\p{L}\p{M}\p{N}_]/u;

/** It neither begins nor ends within a word or a number: `8 metres` is not in `1.8 metres`. */
function isWhole(text: string, start: number, end: number): boolean {
  const [before, first] = [text.charAt(start - 1), text.charAt(start)];
  const [last, behind] = [text.charAt(end - 1), text.charAt(end)];
  if (WORD.test(before) && WORD.test(first)) return false;
  if (WORD.test(last) && WORD.test(behind)) return false;
  const digit = /\p{N}/u;
  if (digit.test(first) && /[.,:\-−]/.test(before) && digit.test(text.charAt(start - 2))) return false;
  if (digit.test(first) && /[-−]/.test(before)) return false;
  return !(digit.test(last) && /[.,:]/.test(behind) && digit.test(text.charAt(end + 1)));
}
