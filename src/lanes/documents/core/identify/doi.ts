/**
 * DOIs as texts, addresses and layouts carry them. A DOI is `10.`, a registrant, a slash and nearly anything
 * (ISO 26324), so that its end is what has to be found:
 *
 *   prefix -> signs up to a blank or a quote -> what was parted by the layout is joined
 *          -> what an address or the next sentence added is cut -> punctuation at the end goes, open brackets decide
 */
import { isbn13 } from './isbn.ts';
import { Spans } from './spans.ts';

/** Behind a letter it is no DOI, but where words are not parted: Chinese and Japanese. */
const PREFIX =
  /(?<![\d[\p{L}--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]]]|\d\.)(?:(?<=doi)|(?<!doi))10 ?\. ?(\d{3,9}(?:\.\d{1,9})*)(?:(?: ?| ?\n)(\/|%2f) ?|(:)(?=[a-z0-9]))(?![.,;])/giv;
/** Glued to its label: `DOI10.1000/1`; glued to an address: `%2F10.1000/1`. */
const GLUED = /(?:doi|%2f|%3a|\b[A-Z]{1,4}_)10\.(\d{3,9}(?:\.\d{1,9})*)(\/|%2f)(?![.,;])/gi;
const SHORT = /(?:^\s*|doi(?:\.org|[a-z.]{0,30})?\s?[:/]\s?|urn:doi:)10\/((?=\d*[a-z])[a-z0-9]{3,9})(?=[\s).,;]|$)/gi;
const SHORT_ADDRESS = /(?<=(?:^|[\s/.])doi\.org\/)([a-z][a-z0-9]{2,6})(?=[\s).,;]|$)/gi;

/** Old DOIs of Wiley, Blackwell and AMS carry a SICI (ANSI Z39.56) in angle brackets. */
const SICI = /^[^\s<>"]{1,60}<[^\s<>"]{1,40}>\d\.\d\.[a-z]{2};\d(?:-[^\s"',.;)\]])?/i;
/**
 * Where signs end: blanks, quotes and brackets of any script but `’`, `()` and `[]`, the punctuation of Chinese and
 * Japanese, what no registrant uses.
 */
const TOKEN = /^[^\s<>"\|…\p{Pi}[\p{Pf}--’][[\p{Ps}\p{Pe}]--[\(\)\[\]]]、。，；：！？｡､]+/v;
const PUNCTUATION = /[.,;:!?'’*_~`´·•…&@\\=/\uFFFD-]/u;
const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };
/** What readers of publishers' pages add to the DOI in the address. */
const ADDRESS_TAIL =
  /(?:\/(?:abstract|full(?:text)?(?:\.html?)?|e?pdf(?:plus|direct)?|meta|html?|summary|references|citations?|suppl_file\/.*)|v\d{1,2}(?:\.full(?:\.pdf|-text)?|\.abstract|\.pdf)?|\.full(?:\.pdf)?|\.(?:pdf|html?|xml))$/i;
/** Words that a layout glues to a DOI's end. */
const GLUED_WORD = /(?<=[\p{L}\d)])[.,;\]]?\s?(?=(?:PMC?ID|PubMed|Epub|arXiv|ISSN|ISBN|URL|https?:|www\.)\W?)/u;
/** What publishers print behind it, glued to it. */
const GLUED_LINE =
  /(?<=[\p{L}\d)])(?=(?:Received|Accepted|Published|Available|Copyright|Downloaded|Keywords|Abstract|Citation|Corresponding)(?:\P{L}|$))/u;
const GLUED_SENTENCE = /(?<=[\p{L}\d)])\.(?=\p{Lu}\p{Ll}{2,}$)/u;
/** Words of Chinese and Japanese behind figures and letters: the next one. */
const GLUED_SCRIPT = /(?<=[a-z\d])(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])/iu;
/** A remark behind it (`[doi]`, `[arXiv:...`, `,hep-th`): brackets stay only as SICIs have them. */
const REMARK = /,(?=\p{L})|\[(?!\d{1,5}:\p{L}{2,8}\])/u;

export interface FoundDoi {
  /** Lower case: DOIs are the same in any case (ISO 26324). */
  value: string;
  start: number;
  end: number;
}

/** In the order of the text, which is folded (foldText). */
export function findDois(text: string): FoundDoi[] {
  const found = new Spans<FoundDoi>();
  for (const pattern of [PREFIX, GLUED]) {
    found.all();
    for (const match of text.matchAll(pattern)) {
      const start = match.index + match[0].search(/10 ?\./);
      if (found.overlaps(start)) continue;
      const doi = doiAt(text, start, match);
      if (doi) found.add(doi);
    }
  }
  for (const [pattern, from] of [
    [SHORT, '10/'],
    [SHORT_ADDRESS, ''],
  ] as const) {
    found.all();
    for (const match of text.matchAll(pattern)) {
      const end = match.index + match[0].length;
      const start = end - (match[1]?.length ?? 0) - from.length;
      if (!found.overlaps(start)) found.add({ value: `10/${(match[1] ?? '').toLowerCase()}`, start, end });
    }
  }
  return found.all();
}

function doiAt(text: string, start: number, match: RegExpExecArray): FoundDoi | null {
  const from = match.index + match[0].length;
  const registrant = match[1] ?? '';
  const sici = SICI.exec(text.slice(from, from + 160))?.[0];
  const { raw, end } =
    sici === undefined ? joined(text, from, registrant, / /.test(match[0])) : { raw: sici, end: from + sici.length };
  const suffix = sici ?? withoutTail(raw, text, start, end);
  const kept = sici === undefined ? trimmed(decoded(suffix)) : decoded(suffix);
  if (!/[\p{L}\p{N}\p{So}]/u.test(kept)) return null;
  // An ISBN-A is a DOI made of an ISBN (10.978.prefix/item), and only that.
  if (/^97[89]\./.test(registrant) && isbn13(`${registrant}${kept}`) === null) return null;
  const cut = raw.length - suffix.length + (decoded(suffix).length - kept.length);
  return { value: `10.${registrant}/${kept}`.toLowerCase(), start, end: Math.max(from + 1, end - cut) };
}

/** Pieces that a layout makes of a DOI, at most. */
const PIECES = 12;

/** The signs of the suffix, over blanks and lines that the layout put into it. */
function joined(text: string, from: number, registrant: string, spaced: boolean): { raw: string; end: number } {
  let raw = '';
  let end = from;
  for (let pieces = 0; pieces < PIECES; pieces++) {
    const piece = TOKEN.exec(text.slice(end, end + 300))?.[0] ?? '';
    raw += piece;
    end += piece.length;
    const [gap = ''] = /^(?: {1,2}| ?\n ?)/.exec(text.slice(end, end + 3)) ?? [];
    if (gap === '') break;
    const rest = text.slice(end + gap.length, end + gap.length + 80);
    const isParted =
      isHalf(registrant, raw, rest) ||
      (spaced && goesOnSpaced(raw, gap, rest)) ||
      (!gap.includes('\n') && /^\.\d{2,}/.test(rest)) ||
      goesOnAlone(text, end, gap, rest);
    if (!(isParted || goesOn(raw, gap, rest))) break;
    end += gap.length;
  }
  return { raw, end };
}

/** DOIs of publishers that make all of them in one form, by registrant: whether one is whole. */
const FORMS: Readonly<Record<string, RegExp>> = {
  1007: /^s\d{5}-\d{3}-\d{4}-[\da-z]$/,
  1016: /^j\.[a-z]{2,12}\.(?:19|20)\d\d\.(?:\d\d\.\d{3}|\d{6})$/,
  1038: /^s\d{5}-\d{3}-\d{4,5}-[\da-z]$/,
  1063: /^[145]\.\d{7}$/,
  1080: /^\d{8}\.(?:19|20)\d\d\.\d{5,8}$/,
  1101: /^(?:19|20)\d\d\.\d\d\.\d\d\.\d{6,8}$/,
  1103: /^[a-z]+\.\d{1,3}\.[a-z]?\d{3,6}$/,
  1109: /^[a-z]+\d*\.(?:19|20)\d\d\.\d{6,8}$/,
  1145: /^\d{5,7}\.\d{5,7}$/,
  1371: /^journal\.[a-z]{4}\.\d{7}$/,
  3390: /^[a-z]+\d{7,10}$/,
};

/** No form is longer. */
const LONGEST = 40;
const withoutStops = (suffix: string): string => suffix.toLowerCase().replace(/[.,;)]+$/, '');

/** Whether it is a piece of its publisher's form, and what follows makes it whole. */
function isHalf(registrant: string, raw: string, rest: string): boolean {
  const form = FORMS[registrant];
  if (form === undefined || raw.length > LONGEST || form.test(withoutStops(raw))) return false;
  let whole = raw.toLowerCase();
  for (const piece of rest
    .toLowerCase()
    .split(/[ \n]+/)
    .slice(0, PIECES)) {
    whole += piece;
    if (whole.length > LONGEST) return false;
    if (form.test(withoutStops(whole))) return true;
  }
  return false;
}

/** Set with blanks about its signs (`10. 1000 / abc. 2008. 15`), as its beginning was. */
const goesOnSpaced = (raw: string, gap: string, rest: string): boolean =>
  !gap.includes('\n') &&
  (/[./-]$/.test(raw)
    ? /^(?:[a-z]*\d|[a-z]+ ?[./-] ?\d)/i.test(rest) || (raw.endsWith('-') && /^[a-z](?![a-z])/i.test(rest))
    : /^[./-] ?(?:\d|[a-z]+ ?[./-] ?\d)/.test(rest));

/** From so many signs on a line is full: what is alone on the next one was parted from it. */
const FULL_LINE = 60;
/** A word that may stand alone on its line behind a DOI that is whole. */
const OTHER_WORD =
  /^(?:abstract|summary|and|by|with|from|for|keywords?|introduction|article|research|open|access|preprint|published|review|letter|page|of)$/;

/** The rest of a DOI in a column too narrow for it: small letters or figures, alone on their line. */
function goesOnAlone(text: string, end: number, gap: string, rest: string): boolean {
  const before = text.slice(Math.max(0, end - FULL_LINE), end);
  if (!gap.includes('\n') || !/[a-z\d]$/i.test(before)) return false;
  const next = /^([^\s]{2,40}) *(?:\n|$)/.exec(rest)?.[1] ?? '';
  if (/^\d{2,6}$/.test(next)) return /\d$/.test(before) && before.length === FULL_LINE && !before.includes('\n');
  return /[a-z]$/.test(before) && /^[a-z]{3,}(?:[.\d][\w.]*\d)?$/.test(next) && !OTHER_WORD.test(next);
}

/** Whether what stands behind a blank or a line's end is still the DOI. */
function goesOn(raw: string, gap: string, rest: string): boolean {
  const next = TOKEN.exec(rest)?.[0] ?? '';
  if (next === '' || /^(?:doi|https?|www|pmc?id)\b/i.test(next)) return false;
  if (/^\/[a-z0-9]*\d/i.test(next)) return true;
  const hasDigit = /\d/.test(next) && /^[\w(]/.test(next);
  // Nothing that tells this DOI from another one was said yet.
  if (!/\d/.test(raw)) return hasDigit && (raw === '' || /[.\-/:(]$/.test(raw));
  if (!gap.includes('\n')) return false;
  if (/[-/_(:]$/.test(raw)) return /^[a-z0-9(]/i.test(next) && (hasDigit || /^[a-z]{1,3}\b/.test(next));
  if (/^[-_]\d/.test(next)) return true;
  // The number of an article behind year, volume or issue (`S0304-3835(95)`, `j.pain.2013.06.`, `2014.10.2.`).
  if (/\(\d\d\)$/.test(raw)) return /^\d{5}-?[\dx]/i.test(next);
  if (!raw.endsWith('.')) return false;
  // So many figures are no page: the number of an article behind its volume (`PhysRevLett.124.`, `1.`).
  if (/(?:^|\.)\d{1,4}\.$/.test(raw) && /^\d{5,}[.,;)]?(?:\s|$)/.test(rest)) return true;
  if (/\.(?:\d{1,2}|(?:19|20)\d\d)\.$/.test(raw) && /^\d{3,6}[.,;)]?(?:\s|$)/.test(rest)) return true;
  return /^[a-z0-9]+[.-][a-z0-9]/.test(next) && hasDigit;
}

/** Without what an address or the next sentence added. */
function withoutTail(raw: string, text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - 120), start);
  const address = /(?:https?:\/\/|www\.)[^\s<>"]*$/i.exec(before)?.[0] ?? null;
  let suffix = raw.replaceAll(/&(?:lt|gt|quot|amp);.*$/g, '');
  suffix = suffix.split(GLUED_WORD)[0] ?? suffix;
  suffix = suffix.split(GLUED_LINE)[0] ?? suffix;
  suffix = suffix.split(REMARK)[0] ?? suffix;
  suffix = suffix.split(GLUED_SCRIPT)[0] ?? suffix;
  if (address !== null) {
    suffix = suffix.replace(/(?<=.)[?#].*$/u, '');
    if (!/doi\.org\//i.test(address)) while (ADDRESS_TAIL.test(suffix)) suffix = suffix.replace(ADDRESS_TAIL, '');
  } else suffix = suffix.replace(/\?\w+=.*$/, '');
  if (/^\s\S/.test(text.slice(end, end + 2))) suffix = suffix.split(GLUED_SENTENCE)[0] ?? suffix;
  return suffix;
}

/** `%28` is a bracket, and marks that a text processor put before signs are none of them. */
function decoded(suffix: string): string {
  let plain = suffix.replaceAll('\\', '');
  try {
    if (/%[0-9a-f]{2}/i.test(plain)) plain = decodeURIComponent(plain);
  } catch {
    // No address after all: the percent signs stay.
  }
  return plain;
}

/** Without punctuation at the end; a closing bracket stays where its opening one is inside. */
function trimmed(suffix: string): string {
  let kept = suffix;
  for (;;) {
    const last = kept.at(-1) ?? '';
    const open = PAIRS[last];
    if (open === undefined ? PUNCTUATION.test(last) : count(kept, last) > count(kept, open)) kept = kept.slice(0, -1);
    else if (open === undefined || !PUNCTUATION.test(kept.at(-2) ?? '')) break;
    else break;
    if (kept === '') break;
  }
  // A bracket that is closed by the sentence around it: "(10.1000/1), see".
  for (const [close, open] of Object.entries(PAIRS)) {
    const at = firstUnopened(kept, open, close);
    if (at >= 0) return trimmed(kept.slice(0, at));
  }
  return kept;
}

const count = (text: string, sign: string): number => text.split(sign).length - 1;

function firstUnopened(text: string, open: string, close: string): number {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === open) depth++;
    else if (text[i] === close && --depth < 0) return i;
  }
  return -1;
}
