/** The written forms of an air date, in all orders and with months by name. */
/** Air dates in all orders, and the year of a show. Where an order is open, the other days are kept for a catalog to settle. */
import type { Noise } from '../noise.ts';

/** A form: what it looks like, how seldom that is something else, and the days it can be, the likeliest first. */
interface DateForm {
  strength: number;
  pattern: RegExp;
  days: (match: RegExpExecArray) => (string | null)[];
}

/** By language: of a date, so in the case that a day stands before (Russian, Polish, Czech, Finnish). */
const MONTH_NAMES = [
  'jan january janvier januar januari enero gennaio janeiro январь января січня stycznia ledna ocak január januára gener tammikuuta ianuarie',
  'feb february février februar februari febrero febbraio fevereiro февраль февраля лютого lutego února şubat február februára febrer helmikuuta februarie',
  'mar march mars märz marts maart marzo março март марта березня marca března mart március març maaliskuuta martie',
  'apr april avril abril aprile апрель апреля квітня kwietnia dubna nisan április apríla huhtikuuta aprilie',
  'may mai maj mei mayo maggio maio май мая травня maja května mayıs május mája maig toukokuuta',
  'jun june juin juni junio giugno junho июнь июня червня czerwca června haziran június júna juny kesäkuuta iunie',
  'jul july juillet juli julio luglio julho июль июля липня lipca července temmuz július júla juliol heinäkuuta iulie',
  'aug august augusti augustus août agosto август августа серпня sierpnia srpna ağustos augusztus augusta agost elokuuta',
  'sep sept september septembre septiembre settembre setembro сентябрь сентября вересня września září eylül szeptember septembra setembre syyskuuta septembrie',
  'oct october octobre oktober octubre ottobre outubro октябрь октября жовтня października října ekim október októbra lokakuuta octombrie',
  'nov november novembre noviembre novembro ноябрь ноября листопада listopada listopadu kasım novembra marraskuuta noiembrie',
  'dec december décembre dezember diciembre dicembre dezembro desember декабрь декабря грудня grudnia prosince aralık decembra desembre joulukuuta decembrie',
];
const MONTHS = new Map(
  MONTH_NAMES.flatMap((names, month) => names.split(' ').map((name) => [name.normalize('NFC'), month + 1] as const)),
);
const MONTH = [...MONTHS.keys()].sort((a, b) => b.length - a.length).join('|');

const EDGE = '(?<![\\p{N}\\p{L}]|\\d[.:-])';
const END = '(?![\\p{L}\\p{N}]|[-:]\\d)';
const YEAR_FIRST = new RegExp(`(?<![\\p{N}\\p{L}])((?:19|20)\\d\\d)([ ._/-])(\\d{1,2})\\2(\\d{1,2})(?!\\p{N})`, 'gu');
const YEAR_LAST = new RegExp(`${EDGE}(\\d{1,2})([ ._/-])(\\d{1,2})\\2((?:19|20)\\d\\d)${END}`, 'gu');
const COMPACT = /(?<![\p{N}\p{L}])((?:19[3-9]|20[0-4])\d)(\d{2})(\d{2})(?![\p{L}\p{N}])/gu;
const SHORT = new RegExp(`${EDGE}(\\d{1,2})([._-])(\\d{2})\\2(\\d{2})(?![\\p{L}\\p{N}]|\\2\\d)`, 'gu');
/** Broadcasts of Korea: the episode, the day, both between dots. */
const SIX_BESIDE = /(?<=[\s._]e\d{2,4}\.)(\d{2})(\d{2})(\d{2})(?=[.\s]|$)/giu;
/** Recorders of television: channel, day and time to the second. The channel is no word of the title. */
const RECORDED = /_(?:[A-Z0-9-]{2,12}|[kw][a-z]{3})_((?:19|20)\d\d)_(\d\d)_(\d\d)_\d\d_\d\d_\d\d(?!\d)/gu;
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
const n = (match: RegExpExecArray, at: number): number => Number(match[at]);
const month = (match: RegExpExecArray, at: number): number => MONTHS.get((match[at] ?? '').toLowerCase()) ?? 0;

/** With a year of four digits. */
const FULL_DATES: readonly DateForm[] = [
  {
    strength: 0.9,
    pattern: YEAR_FIRST,
    days: (match) => {
      const [year, a, b] = [n(match, 1), n(match, 3), n(match, 4)];
      return a > 12 ? [isoDay(year, b, a)] : [isoDay(year, a, b)];
    },
  },
  {
    strength: 0.88,
    pattern: YEAR_LAST,
    days: (match) => {
      const [a, b, year] = [n(match, 1), n(match, 3), n(match, 4)];
      return [isoDay(year, b, a), isoDay(year, a, b)];
    },
  },
  { strength: 0.9, pattern: CHINESE, days: (match) => [isoDay(n(match, 1), n(match, 2), n(match, 3))] },
  { strength: 0.9, pattern: DAY_MONTH, days: (match) => [isoDay(n(match, 3), month(match, 2), n(match, 1))] },
  { strength: 0.9, pattern: MONTH_DAY, days: (match) => [isoDay(n(match, 3), month(match, 1), n(match, 2))] },
  { strength: 0.9, pattern: YEAR_MONTH_DAY, days: (match) => [isoDay(n(match, 1), month(match, 2), n(match, 3))] },
  { strength: 0.95, pattern: RECORDED, days: (match) => [isoDay(n(match, 1), n(match, 2), n(match, 3))] },
  { strength: 0.8, pattern: COMPACT, days: (match) => [isoDay(n(match, 1), n(match, 2), n(match, 3))] },
];

/** With a year of two digits: read only where no full date is. */
const SHORT_DATES: readonly DateForm[] = [
  {
    strength: 0.6,
    pattern: SHORT,
    days: (match) => {
      const [a, b, c] = [n(match, 1), n(match, 3), n(match, 4)];
      const days = [isoDay(fullYear(c), b, a), isoDay(fullYear(c), a, b), isoDay(fullYear(a), b, c)];
      // A recorder's name goes on with the time: "21.11.09_20-15".
      return /^_\d\d-\d\d_/.test(match.input.slice(match.index + match[0].length)) ? days.reverse() : days;
    },
  },
  {
    strength: 0.55,
    pattern: SIX_BESIDE,
    days: (match) => [isoDay(fullYear(n(match, 1)), n(match, 2), n(match, 3))],
  },
  { strength: 0.4, pattern: SIX, days: (match) => [isoDay(fullYear(n(match, 1)), n(match, 2), n(match, 3))] },
];

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
