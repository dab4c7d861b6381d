/** VIDEO-36: air dates in names, in every order that they can be read in. */
import { isoDay } from '../names/rules/dates.ts';

/** Of year, month and day in the text. */
export type DateOrder = 'ymd' | 'dmy' | 'mdy' | 'ydm';

export interface DateReading {
  order: DateOrder;
  /** ISO 8601. */
  day: string;
}

const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'ene', 'gen', 'янв', 'janv'],
  ['feb', 'fév', 'fev', 'фев', 'févr'],
  ['mar', 'mär', 'mrz', 'мар', 'mars'],
  ['apr', 'abr', 'avr', 'апр'],
  ['may', 'mai', 'mag', 'май', 'мая', 'mei'],
  ['jun', 'juin', 'giu', 'июн'],
  ['jul', 'juil', 'lug', 'июл'],
  ['aug', 'ago', 'aoû', 'авг', 'août'],
  ['sep', 'set', 'сен', 'sept'],
  ['oct', 'okt', 'out', 'ott', 'окт'],
  ['nov', 'ноя'],
  ['dec', 'dez', 'dic', 'déc', 'дек'],
];

const DIGITS = /(?<![\d])(\d{1,4})([.\-_/ ])(\d{1,2})\2(\d{1,4})(?!\d)/g;
const SOLID = /(?<![\da-z])(\d{8}|\d{6})(?![\da-z])/gi;
const EAST = /(\d{4}|\d{2})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]/;
const DAY_MONTH =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.)?[\s._-]*(?:de[\s._-]+)?(\p{L}{3,9})\.?[\s._,-]*(?:de[\s._-]+)?(\d{4})(?!\d)/gu;
const MONTH_DAY = /(\p{L}{3,9})\.?[\s._-]+(\d{1,2})(?:st|nd|rd|th)?[\s._,-]+(\d{4})(?!\d)/gu;
const YEAR_MONTH = /(?<!\d)(\d{4})[\s._-]+(\p{L}{3,9})\.?[\s._-]+(\d{1,2})(?!\d)/gu;

/** Every day that the first date in the text can be; empty where there is none. */
export function datesIn(text: string): DateReading[] {
  const east = EAST.exec(text);
  if (east !== null) return unique([dated('ymd', east[1], east[2], east[3])]);
  for (const found of text.matchAll(DIGITS)) {
    const readings = inAllOrders(found[1] ?? '', found[3] ?? '', found[4] ?? '');
    if (readings.length > 0) return readings;
  }
  const named = [
    ...Array.from(text.matchAll(DAY_MONTH), ([, day, month, year]) => dated('dmy', year, monthOf(month), day)),
    ...Array.from(text.matchAll(MONTH_DAY), ([, month, day, year]) => dated('mdy', year, monthOf(month), day)),
    ...Array.from(text.matchAll(YEAR_MONTH), ([, year, month, day]) => dated('ymd', year, monthOf(month), day)),
  ].filter((one) => one !== null);
  if (named.length > 0) return unique(named);
  for (const [digits] of text.matchAll(SOLID)) {
    const readings = solid(digits);
    if (readings.length > 0) return readings;
  }
  return [];
}

function inAllOrders(a: string, b: string, c: string): DateReading[] {
  if (a.length === 4) return unique([dated('ymd', a, b, c), dated('ydm', a, c, b)]);
  if (a.length === 3 || c.length === 3 || a.length + b.length + c.length < 5) return [];
  if (c.length === 4) return unique([dated('dmy', c, b, a), dated('mdy', c, a, b)]);
  if (a.length !== 2 || b.length !== 2 || c.length !== 2) return [];
  return unique([dated('dmy', c, b, a), dated('ymd', a, b, c), dated('mdy', c, a, b)]);
}

function solid(digits: string): DateReading[] {
  const part = (from: number, to: number): string => digits.slice(from, to);
  if (digits.length === 8) {
    const first = dated('ymd', part(0, 4), part(4, 6), part(6, 8));
    if (first !== null) return [first];
    return unique([dated('dmy', part(4, 8), part(2, 4), part(0, 2)), dated('mdy', part(4, 8), part(0, 2), part(2, 4))]);
  }
  return unique([
    dated('ymd', part(0, 2), part(2, 4), part(4, 6)),
    dated('dmy', part(4, 6), part(2, 4), part(0, 2)),
    dated('mdy', part(4, 6), part(0, 2), part(2, 4)),
  ]);
}

/** January is `1`. */
function monthOf(word: string | undefined): string | undefined {
  const small = (word ?? '').toLowerCase();
  const at = MONTHS.findIndex((names) => names.some((name) => small.startsWith(name)));
  return at < 0 ? undefined : String(at + 1);
}

/** Null where there is no such day, or no show was on the air then. */
function dated(order: DateOrder, year?: string, month?: string, day?: string): DateReading | null {
  if (year === undefined || month === undefined || day === undefined) return null;
  const [y, m, d] = [year.length === 2 ? centuryOf(Number(year)) : Number(year), Number(month), Number(day)];
  const iso = y < 1930 || y > 2079 ? null : isoDay(y, m, d);
  return iso === null ? null : { order, day: iso };
}

const centuryOf = (year: number): number => (year < 50 ? 2000 : 1900) + year;

function unique(readings: readonly (DateReading | null)[]): DateReading[] {
  const seen = new Map<string, DateReading>();
  for (const one of readings) if (one !== null && !seen.has(one.day)) seen.set(one.day, one);
  return [...seen.values()];
}
