/**
 * Words of a text, and the terms under which a word is found: its stem, and for names of code the whole name and its
 * parts (`readHTTPBody`: `readhttpbody`, `read`, `http`, `bodi`).
 *
 * Scripts that write no spaces (Han, kana, Thai, Lao, Khmer, Burmese) are divided by `Intl.Segmenter`.
 */
import { stemmer } from 'stemmer';

const SEPARATOR = 1;
const LOWER = 2;
const UPPER = 3;
const DIGIT = 4;
/** Written without spaces between words. */
const UNSPACED = 5;
const UNDERSCORE = 6;

/** What each UTF-16 code unit is; 0: not asked yet. */
const classes = new Uint8Array(0x10000);

const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]/u;

function classify(code: number): number {
  const char = String.fromCharCode(code);
  // Halves of characters beyond the first 65,536: rare Han characters, emoji. The segmenter knows which is a word.
  if (code >= 0xd800 && code <= 0xdfff) return UNSPACED;
  if (char === '_') return UNDERSCORE;
  if (UNSPACED_SCRIPT.test(char)) return UNSPACED;
  if (/\p{Lu}/u.test(char)) return UPPER;
  if (/[\p{L}\p{M}]/u.test(char)) return LOWER;
  return /\p{N}/u.test(char) ? DIGIT : SEPARATOR;
}

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const known = classes[code] ?? 0;
  return known !== 0 ? known : (classes[code] = classify(code));
}

const segmenter = new Intl.Segmenter(['ja', 'zh', 'th'], { granularity: 'word' });

/** Longer runs are no words: a base64 line, a hash. UTF-16 code units. */
const LONGEST_WORD = 80;

/** Calls `visit` for each word of `text` between two places (UTF-16), in order, with where it begins. */
export function eachWord(text: string, from: number, to: number, visit: (word: string, at: number) => void): void {
  eachWordSpan(text, from, to, (start, end) => visit(text.slice(start, end), start));
}

/** The same with where each word begins and ends: whoever needs few of them cuts out those alone. */
export function eachWordSpan(
  text: string,
  from: number,
  to: number,
  visit: (start: number, end: number) => void,
): void {
  let at = from;
  while (at < to) {
    const first = classAt(text, at);
    if (first === SEPARATOR) {
      at += 1;
      continue;
    }
    const start = at;
    if (first === UNSPACED) {
      while (at < to && classAt(text, at) === UNSPACED) at += 1;
      for (const { segment, index, isWordLike } of segmenter.segment(text.slice(start, at)))
        if (isWordLike === true) visit(start + index, start + index + segment.length);
      continue;
    }
    do at += 1;
    while (at < to && classAt(text, at) !== SEPARATOR && classAt(text, at) !== UNSPACED);
    if (at - start <= LONGEST_WORD) visit(start, at);
  }
}

/** Whether the word between two places may have one of some terms; false: it has none. */
export type MayHave = (text: string, start: number, end: number) => boolean;

/** Stands for a second letter where there is none. */
const NO_LETTER = 26;

/**
 * A quick look before `termsOf`. A stem keeps the first two letters of its word (Porter 1980 only takes away and writes
 * `y` as `i`), so that most words are told from the terms by them. Words with other than small letters behind the first
 * are let through.
 */
export function mayHaveTerm(terms: Iterable<string>): MayHave {
  const starts = new Uint8Array(NO_LETTER * (NO_LETTER + 1));
  for (const term of terms) {
    const first = smallLetter(term.charCodeAt(0));
    if (first < 0) continue;
    // What is left of `aed` is `a`.
    if (term.length === 1) starts.fill(1, first * (NO_LETTER + 1), (first + 1) * (NO_LETTER + 1));
    else starts[first * (NO_LETTER + 1) + secondLetter(term.charCodeAt(1))] = 1;
  }
  return (text, start, end) => {
    const first = smallLetter(text.charCodeAt(start) | 0x20);
    if (first < 0) return true;
    for (let at = start + 1; at < end; at++) if (smallLetter(text.charCodeAt(at)) < 0) return true;
    const second = start + 1 < end ? secondLetter(text.charCodeAt(start + 1)) : NO_LETTER;
    return starts[first * (NO_LETTER + 1) + second] === 1;
  };
}

/** From 0 on, negative where it is none. */
const smallLetter = (code: number): number => (code >= 0x61 && code <= 0x7a ? code - 0x61 : -1);

/** `y` counts as `i`. */
function secondLetter(code: number): number {
  const letter = smallLetter(code);
  if (letter < 0) return NO_LETTER;
  return letter === 24 ? 8 : letter;
}

/** Where a person reading a name would part it: `read|HTTP|Body`, `max|_|size`, `utf|8`. */
export function partsOfName(word: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 1; at <= word.length; at++) {
    if (at < word.length && !isBorder(word, at)) continue;
    const part = word.slice(start, at).replaceAll('_', '');
    if (part !== '') parts.push(part);
    start = at;
  }
  return parts;
}

function isBorder(word: string, at: number): boolean {
  const before = classAt(word, at - 1);
  const here = classAt(word, at);
  if (before === UNDERSCORE || here === UNDERSCORE) return before !== here;
  if ((before === DIGIT) !== (here === DIGIT)) return true;
  if (here === UPPER) return before !== UPPER || (at + 1 < word.length && classAt(word, at + 1) === LOWER);
  return false;
}

const known = new Map<string, readonly string[]>();
const MOST_KNOWN = 300_000;

/** Terms of a word as `eachWord` gives it, the word's own first. Letters without case and accents. */
export function termsOf(word: string): readonly string[] {
  let terms = known.get(word);
  if (terms === undefined) {
    if (known.size > MOST_KNOWN) known.clear();
    terms = makeTerms(word);
    known.set(word, terms);
  }
  return terms;
}

function makeTerms(word: string): readonly string[] {
  const folded = foldWord(word);
  if (folded === '') return [];
  const parts = partsOfName(word);
  const own = stemOf(folded);
  if (parts.length < 2) return [own];
  return [...new Set([own, ...parts.map((part) => stemOf(foldWord(part))).filter((part) => part !== '')])];
}

/** Lower case, compatibility forms as plain ones, no accents, no underscores around. */
export function foldWord(word: string): string {
  let plain = word;
  if (/[^ -~]/.test(plain))
    plain = plain
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .normalize('NFC');
  return plain.toLowerCase().replace(/^_+|_+$/g, '');
}

const stemOf = (folded: string): string => (/^[a-z]{3,40}$/.test(folded) ? stemmer(folded) : folded);

/** English words that say nothing of what is looked for. Compared as stems. */
const EMPTY_WORDS = new Set(
  (
    'a an and any are as at be been being but by can could did do does for from had has have he her his how i if in into is it its ' +
    'me my of on or our s she should so such t than that the their them then there these they this those to us was we were what ' +
    'when where which while who whom whose why will with would you your about also according during'
  )
    .split(' ')
    .map((word) => stemmer(word)),
);

/** Whether a term says nothing of what is looked for. */
export const isEmptyTerm = (term: string): boolean => EMPTY_WORDS.has(term);

/** Words with which people ask about a text, and that the text seldom says: `What is mentioned in the article about ...`. */
const ASKING_WORDS = new Set(
  (
    'article document paper passage speech study text address mention discuss describe explain emphasize identify give ' +
    'specific main key various different several example many much name list some other particular certain regard relate ' +
    'involve'
  )
    .split(' ')
    .map((word) => stemmer(word)),
);

/** Whether a term is more of the question than of what is looked for. */
export const isAskingTerm = (term: string): boolean => ASKING_WORDS.has(term);
