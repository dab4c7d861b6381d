/** Units of a text: sentences of prose, lines of code. Windows begin and end where units do. */

/** UTF-16 places, the end behind the last character. */
export interface Span {
  start: number;
  end: number;
}

/** A sentence is not let grow beyond this, UTF-16 code units: tables and lists have no full stops. */
const LONGEST_SENTENCE = 600;

const STOPS = new Set(['.', '!', '?', '…']);
const WIDE_STOPS = new Set(['。', '！', '？', '．', '।', '։', '۔', '؟']);
const ENDS_ASCII = Uint8Array.from({ length: 0x80 }, (_, code) =>
  '\n\r.!?'.includes(String.fromCharCode(code)) ? 1 : 0,
);
const CLOSING = new Set(['"', "'", ')', ']', '”', '’', '»', '」', '』', '*', '_']);

/** Sentences between two places: they end at a full stop before a space, at a line's end and at a blank line. */
export function sentences(text: string, from: number, to: number): Span[] {
  const spans: Span[] = [];
  let start = from;
  const push = (end: number): void => {
    let first = start;
    while (first < end && isBlank(text, first)) first += 1;
    let last = end;
    while (last > first && isBlank(text, last - 1)) last -= 1;
    if (last > first) for (const part of cutLong(text, first, last)) spans.push(part);
    start = end;
  };
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    // Nearly all characters end nothing.
    if (code < 0x80 ? ENDS_ASCII[code] !== 1 : !WIDE_STOPS.has(text[at] ?? '') && code !== 0x2026) continue;
    const char = text[at] ?? '';
    if (char === '\n' || char === '\r') push(at + 1);
    else if (WIDE_STOPS.has(char)) {
      while (at + 1 < to && CLOSING.has(text[at + 1] ?? '')) at += 1;
      push(at + 1);
    } else if (STOPS.has(char)) {
      let next = at + 1;
      while (next < to && (CLOSING.has(text[next] ?? '') || STOPS.has(text[next] ?? ''))) next += 1;
      if (next < to && !isBlank(text, next)) continue;
      if (char === '.' && isAbbreviation(text, at, next)) continue;
      at = next - 1;
      push(next);
    }
  }
  push(to);
  return spans;
}

/** `Dr. `, `e.g. `, an initial; a sentence goes on with a small letter or a digit behind most others. */
function isAbbreviation(text: string, stop: number, next: number): boolean {
  let start = stop;
  while (start > 0 && /[\p{L}.]/u.test(text[start - 1] ?? '')) start -= 1;
  const word = text.slice(start, stop);
  if (/^(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|No|Fig|Figs|Eq|al|cf|approx|e\.g|i\.e)$/u.test(word)) {
    if (word.length === 1 || !/^\s+\p{Lu}/u.test(text.slice(next, next + 3))) return true;
    return /^(?:Mr|Mrs|Ms|Dr|Prof|St|Fig|Figs|Eq|No|vs)$/.test(word);
  }
  return /^\s+\p{Ll}/u.test(text.slice(next, next + 3));
}

/** Lines between two places that are not blank, without what ends them. */
export function lines(text: string, from: number, to: number): Span[] {
  const spans: Span[] = [];
  let start = from;
  for (let at = from; at <= to; at++) {
    const ends = at === to || text[at] === '\n' || text[at] === '\r';
    if (!ends) continue;
    let first = start;
    while (first < at && isBlank(text, first)) first += 1;
    // A line of code keeps its indent; a blank one is nothing.
    if (first < at) for (const part of cutLong(text, start, at)) spans.push(part);
    start = at + 1;
  }
  return spans;
}

function* cutLong(text: string, start: number, end: number): Generator<Span> {
  let at = start;
  while (end - at > LONGEST_SENTENCE) {
    let cut = at + LONGEST_SENTENCE;
    const space = text.lastIndexOf(' ', cut);
    if (space > at + LONGEST_SENTENCE / 2) cut = space + 1;
    else if (isLowSurrogate(text, cut)) cut -= 1;
    yield { start: at, end: cut };
    at = cut;
  }
  yield { start: at, end };
}

const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000 || code === 0xfeff;
}
