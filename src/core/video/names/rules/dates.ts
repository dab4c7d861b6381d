/** Air dates in all orders. Where the order is open, the other days are kept for a catalog to settle. */

export interface DateClaim {
  start: number;
  end: number;
  /** ISO 8601 day, the likeliest. */
  date: string;
  others: string[];
  strength: number;
  reason: string;
}

const MONTHS: Record<string, number> = {};
(
  'jan january janvier januar enero gennaio janeiro|feb february février februar febrero febbraio fevereiro|mar march mars märz marzo março|apr april avril abril aprile|' +
  'may mai mayo maggio maio|jun june juin juni junio giugno junho|jul july juillet juli julio luglio julho|aug august août agosto|sep sept september septembre septiembre settembre setembro|' +
  'oct october octobre oktober octubre ottobre outubro|nov november novembre noviembre novembro|dec december décembre dezember diciembre dicembre dezembro'
)
  .split('|')
  .forEach((names, month) => {
    for (const name of names.split(' ')) MONTHS[name] = month + 1;
  });
const MONTH = Object.keys(MONTHS)
  .sort((a, b) => b.length - a.length)
  .join('|');

const EDGE = '(?<![\\p{N}\\p{L}]|\\d[.:-])';
const END = '(?![\\p{L}\\p{N}]|[-:]\\d)';
const YEAR_FIRST = new RegExp(`(?<![\\p{N}\\p{L}])((?:19|20)\\d\\d)([ ._/-])(\\d{1,2})\\2(\\d{1,2})(?!\\p{N})`, 'gu');
const YEAR_LAST = new RegExp(`${EDGE}(\\d{1,2})([ ._/-])(\\d{1,2})\\2((?:19|20)\\d\\d)${END}`, 'gu');
const COMPACT = /(?<![\p{N}\p{L}])((?:19[3-9]|20[0-4])\d)(\d{2})(\d{2})(?![\p{L}\p{N}])/gu;
const SHORT = new RegExp(`${EDGE}(\\d{1,2})([._-])(\\d{2})\\2(\\d{2})(?![\\p{L}\\p{N}]|\\2\\d)`, 'gu');
const SIX = /(?<=^|[\s_.([-])(\d{2})(\d{2})(\d{2})(?=[_ ])/gu;
const DAY_MONTH = new RegExp(
  `(?<![\\p{L}\\p{N}])(\\d{1,2})(?:st|nd|rd|th|\\.)?[\\s._-]{1,2}(?:de[\\s._])?(${MONTH})\\.?,?[\\s._-]{1,2}(?:de[\\s._])?((?:19|20)\\d\\d)(?!\\p{N})`,
  'giu',
);
const MONTH_DAY = new RegExp(
  `(?<![\\p{L}])(${MONTH})\\.?[\\s._-]{1,2}(\\d{1,2})(?:st|nd|rd|th)?,?[\\s._-]{1,2}((?:19|20)\\d\\d)(?!\\p{N})`,
  'giu',
);
const YEAR_MONTH_DAY = new RegExp(
  `(?<![\\p{L}\\p{N}])((?:19|20)\\d\\d)[\\s._-]{1,2}(${MONTH})[\\s._-]{1,2}(\\d{1,2})(?!\\p{N})`,
  'giu',
);
const CHINESE = /((?:19|20)\d\d)[年]\s?(\d{1,2})[月]\s?(\d{1,2})[日]/gu;

/** An ISO day, or null where the calendar has none. */
export function isoDay(year: number, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1) return null;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  if (day > days) return null;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

const fullYear = (short: number): number => (short > 45 ? 1900 : 2000) + short;

/** Finds air dates, the strongest first. */
export function findDates(text: string): DateClaim[] {
  const found: DateClaim[] = [];
  const add = (match: RegExpExecArray, days: (string | null)[], strength: number): void => {
    const right = [...new Set(days.filter((day) => day !== null))];
    const [date, ...others] = right;
    if (date === undefined) return;
    const open = others.length > 0 ? `; it could also be ${others.join(' or ')}` : '';
    found.push({
      start: match.index,
      end: match.index + match[0].length,
      date,
      others,
      strength,
      reason: `"${match[0]}" is the air date ${date}${open}.`,
    });
  };
  const n = (match: RegExpExecArray, at: number): number => Number(match[at]);
  const month = (match: RegExpExecArray, at: number): number => MONTHS[(match[at] ?? '').toLowerCase()] ?? 0;
  for (const match of text.matchAll(YEAR_FIRST))
    add(
      match,
      [isoDay(n(match, 1), n(match, 3), n(match, 4)), isoDay(n(match, 1), n(match, 4), n(match, 3))].slice(
        0,
        n(match, 3) > 12 ? 2 : 1,
      ),
      0.9,
    );
  for (const match of text.matchAll(YEAR_LAST))
    add(match, [isoDay(n(match, 4), n(match, 3), n(match, 1)), isoDay(n(match, 4), n(match, 1), n(match, 3))], 0.88);
  for (const match of text.matchAll(CHINESE)) add(match, [isoDay(n(match, 1), n(match, 2), n(match, 3))], 0.9);
  for (const match of text.matchAll(DAY_MONTH)) add(match, [isoDay(n(match, 3), month(match, 2), n(match, 1))], 0.9);
  for (const match of text.matchAll(MONTH_DAY)) add(match, [isoDay(n(match, 3), month(match, 1), n(match, 2))], 0.9);
  for (const match of text.matchAll(YEAR_MONTH_DAY))
    add(match, [isoDay(n(match, 1), month(match, 2), n(match, 3))], 0.9);
  for (const match of text.matchAll(COMPACT)) add(match, [isoDay(n(match, 1), n(match, 2), n(match, 3))], 0.8);
  if (found.length === 0) {
    for (const match of text.matchAll(SHORT)) {
      const [a, b, c] = [n(match, 1), n(match, 3), n(match, 4)];
      add(match, [isoDay(fullYear(c), b, a), isoDay(fullYear(c), a, b), isoDay(fullYear(a), b, c)], 0.6);
    }
    for (const match of text.matchAll(SIX)) add(match, [isoDay(fullYear(n(match, 1)), n(match, 2), n(match, 3))], 0.4);
  }
  return found.sort((a, b) => b.strength - a.strength || a.start - b.start);
}
