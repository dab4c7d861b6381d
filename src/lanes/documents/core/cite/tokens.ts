/**
 * Tokens of citations in a text, in Pandoc's form:
 *
 *   [@{doi:10.1/x}, p. 4; see @{isbn:9780262033848}]   a citation of one or more works
 *   [-@{doi:10.1/x}]                                   without the author
 *   @{doi:10.1/x} [p. 4]                               the author in the sentence
 */
import { isbn10, isbn13 } from '../identify/isbn.ts';
import type { DocumentRecord } from '#core/documents/record.ts';
import { codeParts } from './code-parts.ts';

export interface CitedItem {
  /** `other`: a key of somebody's own bibliography (`@smith2019`). */
  kind: 'doi' | 'isbn' | 'arxiv' | 'other';
  /** In small letters; an ISBN of thirteen digits where it is one. */
  value: string;
  prefix: string;
  suffix: string;
  /** As CSL names its label. */
  locator: { label: string; value: string } | null;
  withoutAuthor: boolean;
  /** As it stands in the text. */
  token: string;
}

export interface FoundCitation {
  start: number;
  end: number;
  items: CitedItem[];
  /** The author stands in the sentence. */
  inText: boolean;
}

/** What a person writes to cite a record; null where it has no identifier. */
export function tokenOf({ doi, isbn }: Pick<DocumentRecord, 'doi' | 'isbn'>): string | null {
  if (doi !== '') return `[@{doi:${doi}}]`;
  return isbn === '' ? null : `[@{isbn:${isbn}}]`;
}

const KEY = String.raw`(-?)@\{\s*(doi|isbn|arxiv)\s*:`;
const OTHER = /(?<![\w\\])(-?)@(?:\{([^{}\s]+)\}|(\w[\w:.#$%&+?~/-]*))/;
/** Of a citation and of an identifier. */
const LONGEST = 4_000;
const LONGEST_KEY = 500;

/** In the order of the text; none within code. What is not in the form is left alone. */
export function findCitations(text: string): FoundCitation[] {
  const found: FoundCitation[] = [];
  const code = codeParts(text);
  let next = 0;
  let after = 0;
  for (const match of text.matchAll(new RegExp(KEY, 'gi'))) {
    if (match.index < after) continue;
    while ((code[next]?.[1] ?? Infinity) <= match.index) next++;
    if ((code[next]?.[0] ?? Infinity) <= match.index) continue;
    const citation = bracketAround(text, match.index, after) ?? inSentence(text, match.index);
    if (citation === null) continue;
    found.push(citation);
    after = citation.end;
  }
  return found;
}

/** The brackets that a key stands in. */
function bracketAround(text: string, at: number, after: number): FoundCitation | null {
  const before = text.slice(Math.max(after, at - LONGEST), at);
  const open = before.lastIndexOf('[');
  if (open < 0 || before.slice(open).includes(']') || /\n\s*\n/.test(before.slice(open))) return null;
  const start = at - before.length + open;
  if (/\\$/.test(text.slice(Math.max(0, start - 1), start))) return null;
  const parts: string[] = [''];
  let depth = 0;
  for (let i = start + 1; i < Math.min(text.length, start + LONGEST); i++) {
    const sign = text[i] ?? '';
    if (sign === '{') depth++;
    if (sign === '}') depth--;
    if (depth === 0 && sign === ']') {
      const items = itemsOf(parts);
      return items === null ? null : { start, end: i + 1, items, inText: false };
    }
    if (depth === 0 && sign === '[') return null;
    if (depth === 0 && sign === ';') parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return null;
}

/** Words between semicolons without a key go with the key before them, or else with the first. Null: there is no key. */
function itemsOf(parts: readonly string[]): CitedItem[] | null {
  const items: CitedItem[] = [];
  let before = '';
  for (const part of parts) {
    const item = itemOf(part);
    const last = items.at(-1);
    if (item !== null) {
      items.push({ ...item, prefix: `${before}${item.prefix}` });
      before = '';
    } else if (last === undefined) before += `${part.trim()}; `;
    else last.suffix += `;${part.trimEnd()}`;
  }
  return items.some(({ kind }) => kind !== 'other') ? items : null;
}

function itemOf(part: string): CitedItem | null {
  const match = new RegExp(KEY, 'i').exec(part);
  const key = match === null ? null : keyAt(part, match);
  const token = part.trim();
  if (match !== null && key !== null)
    return {
      ...key.identifier,
      prefix: part.slice(0, match.index).trim(),
      withoutAuthor: match[1] === '-',
      token,
      ...behind(part.slice(key.end)),
    };
  const [, , braced, plain] = OTHER.exec(part) ?? [];
  const value = braced ?? plain;
  if (value === undefined) return null;
  return { kind: 'other', value, prefix: '', withoutAuthor: false, token, locator: null, suffix: '' };
}

function keyAt(
  text: string,
  match: RegExpExecArray,
): { identifier: Pick<CitedItem, 'kind' | 'value'>; end: number } | null {
  const from = match.index + match[0].length;
  let depth = 1;
  for (let i = from; i < Math.min(text.length, from + LONGEST_KEY); i++) {
    if (text[i] === '{') depth++;
    if (text[i] === '}') depth--;
    if (depth > 0) continue;
    const value = text.slice(from, i).trim();
    const kind = match[2]?.toLowerCase();
    if (value === '' || /\n\s*\n/.test(value) || (kind !== 'doi' && kind !== 'isbn' && kind !== 'arxiv')) return null;
    return { identifier: { kind, value: valueOf(kind, value) }, end: i + 1 };
  }
  return null;
}

const valueOf = (kind: CitedItem['kind'], text: string): string =>
  kind === 'isbn' ? (isbn13(text) ?? isbn10(text) ?? text.toLowerCase().replaceAll(/[-\s]/g, '')) : text.toLowerCase();

function inSentence(text: string, at: number): FoundCitation | null {
  // As in an address of mail, or escaped.
  if (/[\w\\]$/.test(text.slice(Math.max(0, at - 1), at))) return null;
  const sticky = new RegExp(KEY, 'iy');
  sticky.lastIndex = at;
  const match = sticky.exec(text);
  const key = match === null ? null : keyAt(text, match);
  if (match === null || key === null) return null;
  const [whole = '', locator = ''] = /^ ?\[([^[\]@;]{1,200})\](?![(:])/.exec(text.slice(key.end, key.end + 210)) ?? [];
  const place = behind(`, ${locator}`);
  const isPlace = whole !== '' && place.locator !== null;
  return {
    start: at,
    end: key.end + (isPlace ? whole.length : 0),
    inText: match[1] !== '-',
    items: [
      {
        ...key.identifier,
        prefix: '',
        withoutAuthor: match[1] === '-',
        token: text.slice(at, key.end),
        ...(isPlace ? place : { locator: null, suffix: '' }),
      },
    ],
  };
}

/** Words before a number of a place, and what CSL calls them. */
const LABELS: readonly (readonly [words: string, label: string])[] = [
  ['pages?|pp?\\.?|seiten?|s\\.', 'page'],
  ['chapters?|chaps?\\.?', 'chapter'],
  ['sections?|secs?\\.?|§§?', 'section'],
  ['volumes?|vols?\\.?', 'volume'],
  ['paragraphs?|paras?\\.?|¶¶?', 'paragraph'],
  ['figures?|figs?\\.?', 'figure'],
  ['lines?|l\\.|ll\\.', 'line'],
  ['notes?|nn?\\.', 'note'],
  ['numbers?|issues?|nos?\\.?', 'issue'],
  ['parts?|pts?\\.?', 'part'],
  ['books?|bks?\\.?', 'book'],
  ['columns?|cols?\\.?', 'column'],
  ['folios?|fols?\\.?', 'folio'],
  ['verses?|vv?\\.', 'verse'],
];
const PLACE = String.raw`[\dIVXLCivxlc]*\d[\w.]*|[ivxlcIVXLC]+\b`;
const PLACES = new RegExp(String.raw`^(?:(?:${PLACE})(?:\s*(?:[-–,&]|--)\s*(?:${PLACE}))*)`);

/** `, pp. 3-5 and elsewhere`: the place, and what else is said. */
function behind(rest: string): Pick<CitedItem, 'locator' | 'suffix'> {
  const text = rest.replace(/^\s*,?\s*/, '');
  for (const [words, label] of LABELS) {
    const word = new RegExp(`^(?:${words})\\s*(?=[\\dIVXLCivxlc])`, 'i').exec(text)?.[0];
    const value = word === undefined ? undefined : PLACES.exec(text.slice(word.length))?.[0];
    if (word !== undefined && value !== undefined)
      return { locator: { label, value: value.trim() }, suffix: text.slice(word.length + value.length).trimEnd() };
  }
  const number = /^\d[\d\s,–-]*/.exec(text)?.[0].replace(/[\s,]+$/, '');
  if (number !== undefined && /^\s*,/.test(rest))
    return { locator: { label: 'page', value: number }, suffix: text.slice(number.length).trimEnd() };
  return { locator: null, suffix: rest.trimEnd() };
}
