/** Air dates in all orders. Where the order is open, the other days are kept for a catalog to settle. */
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
