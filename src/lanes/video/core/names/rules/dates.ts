/** Air dates in all orders, and the year of a show. Where an order is open, the other days are kept for a catalog to settle. */
import type { Noise } from '../noise.ts';
import { FULL_DATES, SHORT_DATES, type DateForm } from './date-forms.ts';

export interface DateClaim {
  start: number;
  end: number;
  /** ISO 8601 day, the likeliest. */
  date: string;
  others: string[];
  strength: number;
  reason: string;
}

const YEAR = /(?:19|20)\d\d/;
const SIX_DIGITS = /\d{6}|\d[._-]\d\d[._-]\d\d/;

/** Finds air dates, the strongest first. */
export function findDates(text: string): DateClaim[] {
  const full = YEAR.test(text) ? claimsOf(FULL_DATES, text) : [];
  const found = full.length > 0 || !SIX_DIGITS.test(text) ? full : claimsOf(SHORT_DATES, text);
  return found.sort((a, b) => b.strength - a.strength || a.start - b.start);
}

function claimsOf(forms: readonly DateForm[], text: string): DateClaim[] {
  const found: DateClaim[] = [];
  for (const { pattern, days, strength } of forms)
    for (const match of text.matchAll(pattern)) {
      const [date, ...others] = new Set(days(match).filter((day) => day !== null));
      if (date === undefined) continue;
      const open = others.length > 0 ? `; it could also be ${others.join(' or ')}` : '';
      const reason = `"${match[0]}" is the air date ${date}${open}.`;
      found.push({ start: match.index, end: match.index + match[0].length, date, others, strength, reason });
    }
  return found;
}

/** The year of a show or film: in brackets, or bare before what ends a title. */
interface YearMark {
  year: number;
  start: number;
  end: number;
  bracketed: boolean;
}

const BRACKETED = /[[(]\s?(?:[^()[\]\d]{0,40}[ ,.]\s?)?((?:19|20)\d\d)(?:\s?[-~]\s?(?:(?:19|20)?\d\d)?)?\s?[\])]/gu;
const BARE =
  /(?<![\p{L}\p{N}.,]|\d[-.])((?:19[0-9]|20[0-4])\d)(?:-(?:19|20)\d\d)?(?![\p{L}\p{N}]|[-:]\d|\.\d(?!\d{2,3}p|\D))/gu;
const DOTTED = /(?<=[\p{L})\]\d][.])((?:19[2-9]|20[0-4])\d)(?:-(?:19|20)\d\d)?(?=$|[.](?!\d{1,2}[.])|[ _[(-])/gu;

/** The year that a name says, null for none. `until`: where the first claim is. */
export function findYear(text: string, noise: readonly Noise[], from: number, until: number): YearMark | null {
  const marks: YearMark[] = [];
  for (const match of text.matchAll(BRACKETED)) {
    if (match.index < from) continue;
    marks.push({ year: Number(match[1]), start: match.index, end: match.index + match[0].length, bracketed: true });
  }
  if (marks[0] !== undefined) return marks[0];
  for (const pattern of [BARE, DOTTED])
    for (const match of text.matchAll(pattern)) {
      // At the front it is the title ("2012.2009.720p").
      if (match.index <= from) continue;
      if (noise.some(({ start, end, hard }) => hard && match.index >= start && match.index < end)) continue;
      marks.push({ year: Number(match[1]), start: match.index, end: match.index + match[0].length, bracketed: false });
    }
  marks.sort((a, b) => a.start - b.start);
  const before = marks.filter(({ start }) => start < until);
  return before.at(-1) ?? null;
}
