/** Texts, dates and names of metadata sources as plain text. */
import { Parser } from 'htmlparser2';

/** Elements that titles bring: of HTML, JATS and MathML. Anything else in pointed brackets may be the author's own. */
const ELEMENT = String.raw`<\/?(?:i|b|u|p|br|em|sub|sup|scp|sc|tt|font|span|strong|italic|bold|title|inline-formula|tex-math|alternatives|math|m(?:i|n|o|row|text|sub|sup|frac|sqrt|over|under|space|style|table|td|tr)|(?:jats|mml):[\w-]+)(?:\s[^<>]*)?\/?>`;
const MARKUP = new RegExp(ELEMENT, 'i');
const MARKUP_HERE = new RegExp(ELEMENT, 'iy');

/** Without markup and entities, also where they were written twice, on one line. */
export function plainText(text: string): string {
  let plain = text;
  for (let pass = 0; pass < 2; pass++) if (MARKUP.test(plain) || /&(?:#\w+|\w+);/.test(plain)) plain = textOf(plain);
  return plain.normalize('NFC').replaceAll(/\s+/g, ' ').trim();
}

function textOf(markup: string): string {
  // A pointed bracket that opens no element is text.
  const safe = markup.replaceAll('<', (bracket, at: number) => {
    MARKUP_HERE.lastIndex = at;
    return MARKUP_HERE.test(markup) ? bracket : '&lt;';
  });
  let text = '';
  const parser = new Parser({ ontext: (part) => (text += part) }, { decodeEntities: true });
  parser.end(safe);
  return text;
}

/** Title and subtitle in one, with a colon between; a subtitle that the title ends with is not said twice. */
export function titleOf(title: string | undefined, subtitle: string | undefined): string {
  const [main, rest] = [plainText(title ?? ''), plainText(subtitle ?? '')];
  if (main === '' || rest === '' || main.toLowerCase().endsWith(rest.toLowerCase())) return main === '' ? rest : main;
  return `${main}${main.endsWith(':') ? '' : ':'} ${rest}`;
}

export interface Dated {
  date: string;
  year: number | null;
}

export const UNDATED: Dated = { date: '', year: null };

/** Of year, month and day as far as they are given; what is no date of the calendar is left out. */
export function datedOf([year, month, day]: readonly (number | null | undefined)[]): Dated {
  if (!isIn(year, 1000, 2999)) return UNDATED;
  if (!isIn(month, 1, 12)) return { date: String(year), year };
  const date = `${year}-${two(month)}`;
  return { date: isIn(day, 1, daysOf(year, month)) ? `${date}-${two(day)}` : date, year };
}

const isIn = (value: number | null | undefined, least: number, most: number): value is number =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
const two = (value: number): string => String(value).padStart(2, '0');
const daysOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Of `2019-05-03T10:00:00Z`, `July 28, 2008`, `3 May 2019`, `March 2004`, `c1994`. */
export function datedText(text: string): Dated {
  const iso = /^\s*(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?![\d-])/.exec(text);
  if (iso) return datedOf([Number(iso[1]), numberOf(iso[2]), numberOf(iso[3])]);
  const year = /(?<!\d)(\d{4})(?!\d)/.exec(text)?.[1];
  const month = MONTHS.indexOf(/\p{L}{3,}/u.exec(text)?.[0].slice(0, 3).toLowerCase() ?? '') + 1;
  const day = /(?<!\d)(\d{1,2})(?!\d)/.exec(text)?.[1];
  return datedOf([numberOf(year), month === 0 ? null : month, month === 0 ? null : numberOf(day)]);
}

const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

/** `Garcia, Ana` as `Ana Garcia`. */
export const turnedName = (name: string): string => {
  const [family, given, ...more] = name.split(/,\s*/);
  return more.length === 0 && family !== undefined && given !== undefined && given !== '' ? `${given} ${family}` : name;
};

/** An address of the web, else nothing. */
export const webAddress = (text: string | undefined): string =>
  text !== undefined && /^https?:\/\/[^\s<>"]+$/i.test(text) ? text : '';
