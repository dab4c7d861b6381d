import { Spans } from './spans.ts';

/** ISBNs by their check digits (ISO 2108). */

/** Thirteen digits, blanks and dashes between them as the layout has them. */
const ISBN13 = /(?<![\d.])97[89](?:[-\s]*\d){10}(?!\d)/g;
/** Ten, in four groups with one and the same mark between them, or in one piece. */
const ISBN10 =
  /(?<![\d/.-])(?<!97[89][-\s])(?:\d{1,5}([- ])\d{1,7}\1\d{1,7}\1[\dXx]|\d{9}[\dXx])(?![\dA-Za-z])(?!-\d)/g;
/** Behind the word itself any grouping is meant. */
const LABELLED = /ISBN(?:[-\s]?1[03])?[\s:#=-]*(\d(?:[-\s]?\d){8}[-\s]?[\dXx])(?![\dA-Za-z])/gi;

export interface FoundIsbn {
  /** Thirteen digits. */
  value: string;
  start: number;
  end: number;
}

/** In the order of the text. A number with a wrong check digit is none. */
export function findIsbns(text: string): FoundIsbn[] {
  const found = new Spans<FoundIsbn>();
  const take = (start: number, end: number, value: string | null): void => {
    if (value !== null && !found.overlaps(start, end)) found.add({ value, start, end });
  };
  // A start is tried again inside what was no ISBN: "978 9781234567897".
  for (let match = next(ISBN13, text, 0); match; match = next(ISBN13, text, match.index + 1)) {
    const value = isbn13(match[0]);
    take(match.index, match.index + match[0].length, value);
    if (value !== null) match.index += match[0].length - 1;
  }
  found.all();
  for (const match of text.matchAll(LABELLED)) {
    const end = match.index + match[0].length;
    take(end - (match[1]?.length ?? 0), end, isbn10(match[1] ?? ''));
  }
  found.all();
  for (const match of text.matchAll(ISBN10)) take(match.index, match.index + match[0].length, isbn10(match[0]));
  return found.all();
}

function next(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** The thirteen digits, where the last one checks. */
export function isbn13(text: string): string | null {
  const digits = text.replaceAll(/\D/g, '');
  return digits.length === 13 && checkDigit13(digits) === Number(digits[12]) ? digits : null;
}

/** A ten-digit ISBN that checks, as its thirteen digits. */
export function isbn10(text: string): string | null {
  const signs = text.replaceAll(/[^\dXx]/g, '');
  if (!/^\d{9}[\dXx]$/.test(signs)) return null;
  const sum = [...signs].reduce((total, sign, i) => total + (10 - i) * (/x/i.test(sign) ? 10 : Number(sign)), 0);
  if (sum % 11 !== 0) return null;
  const digits = `978${signs.slice(0, 9)}`;
  return `${digits}${checkDigit13(digits)}`;
}

/** Of the first twelve digits: weights 1 and 3 in turn. */
function checkDigit13(digits: string): number {
  const sum = [...digits.slice(0, 12)].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return (10 - (sum % 10)) % 10;
}
