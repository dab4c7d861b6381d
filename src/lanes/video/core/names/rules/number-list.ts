/** Further numbers behind a first one: `E01E02`, `E01-E03`, `E01-03`, `1x02-1x04`, `05-08`, `01+02`, `215 ao 220`. */

/** Where an expected number follows with its own mark (E, x, S01E): a dash or a `to` spans, everything else adds. */
const MARKED =
  /[\s._]{0,2}(?:(-|~|to|thru|through|al?|bis|à|до|по|till?|t\/m|tot|fino)|[&+,/;]|-?and-?|y|et|und|en|og|och|e|ed|и|i|ve|és|ja)?[\s._]{0,2}(?:s\d{1,4}[\s._]?(?:e|x|ep)|(?:\d{1,2}|(?:19[5-9]|20[0-3])\d)x(?!26[2-6])(?=\d{1,3}(?!\d))|(?:x?ep?|x(?!26[2-6])|episode|ep\.)[\s._]?)(\d{1,5})(?![\p{N}]|p(?![\p{L}])|\.\d\b(?!\.))/iuy;
/** Bare numbers: only right behind a dash, or behind `&`, `+`, `,`, `to`. */
const TIGHT =
  /(?:v\d)?(-|~)(\d{1,4})(?:v\d)?(?![\p{L}\p{N}]|\.\d(?!\d))|(?:v\d)?(?:[\s._]?([&+])[\s._]?|,[\s]?)(\d{1,4})(?![\p{L}\p{N}]|\.\d(?!\d))/iuy;
const SPACED =
  /[\s._]{1,2}(-|~|to|through|thru|ao?|al|bis|à|до|по)[\s._]{1,2}(\d{1,4})(?:v\d)?(?![\p{L}\p{N}]|\.\d(?!\d))/iuy;
/** Words that join two numbers, behind a word for episodes (`3 und 4`), or where the next number follows at once. */
const JOINED =
  /[\s._]{1,2}(?:and|und|et|y|e|ed|en|og|och|i|и|та|ve|és|ja|a|și|και|و|dan|và|&|\+)[\s._]{1,2}(\d{1,5})(?![\p{L}\p{N}]|\.\d(?!\d))/iuy;
const TO_NUMBER =
  /[\s._]{1,2}(?:to|thru|through|bis|à|al|hasta|até|do|до|по|tot|t\/m|til|till)[\s._]{1,2}(\d{1,5})(?![\p{L}\p{N}]|\.\d(?!\d))/iuy;
/** `8x01_02`, `E01_02`: the next number, written as wide. */
const DASHED_LAST = /[\s]-[\s](\d{2,3})(?=$|[\s]*[[(]|[\s]-[\s])/iuy;
const LINED = /_(\d{2,3})(?![\p{L}\p{N}]|[._-]\d)/iuy;
/** "S01E05 - 07" spans; further apart the second number counts something else. */
const WIDEST_DASHED = 3;
/** Between two numbers that a word joins, without a mark of their own. */
const WIDEST_WORDED = 60;
const TILDE = /[\s._]?(~)[\s._]?(\d{1,4})(?:v\d)?(?![\p{L}\p{N}]|\.\d)/iuy;

/** More than this many episodes in one file, or between two numbers, is none. */
const WIDEST = 2200;

export interface NumberList {
  numbers: number[];
  end: number;
  /** Whether a dash (or `to`) was between two of them. */
  spans: boolean;
}

/**
 * How bare numbers may follow: not at all (`marked`), right behind a dash (`tight`), with spaces around it too (`spaced`), or
 * behind words that join (`worded`: a word for episodes leads).
 */
export type Looseness = 'marked' | 'tight' | 'spaced' | 'worded';

/** Reads on behind `first`, which ends at `at`. */
export function readList(text: string, at: number, first: number, looseness: Looseness): NumberList {
  const numbers = [first];
  let end = at;
  let spans = false;
  for (let count = 0; count < 40; count++) {
    const last = numbers.at(-1) ?? first;
    const next =
      nextNumber(text, end, looseness) ?? (looseness === 'marked' ? null : joined(text, end, last, looseness));
    if (next === null) break;
    if (next.value <= last || next.value - last > WIDEST) break;
    // "S05E53 - Ep.129" counts twice.
    if (next.spans && next.spaced && next.value - last > 30 && looseness !== 'spaced' && looseness !== 'worded') break;
    if (next.spans) {
      spans = true;
      for (let value = last + 1; value < next.value; value++) numbers.push(value);
    }
    numbers.push(next.value);
    end = next.end;
  }
  return { numbers, end, spans };
}

interface NextNumber {
  value: number;
  end: number;
  spans: boolean;
  spaced: boolean;
}

/** By a word or an underscore; without a word for episodes in front, only the number that comes next is one. */
function joined(text: string, at: number, last: number, looseness: Looseness): NextNumber | null {
  if (looseness === 'spaced') return null;
  for (const [pattern, spans] of [
    [JOINED, false],
    [TO_NUMBER, true],
    [LINED, false],
    [DASHED_LAST, true],
  ] as const) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) continue;
    const value = Number(found[1]);
    const fits =
      pattern === DASHED_LAST
        ? value - last <= WIDEST_DASHED
        : spans
          ? value - last <= WIDEST_WORDED
          : value === last + 1 || (looseness === 'worded' && pattern === JOINED);
    if (value > last && fits) return { value, end: pattern.lastIndex, spans, spaced: false };
  }
  return null;
}

function nextNumber(text: string, at: number, looseness: Looseness): NextNumber | null {
  MARKED.lastIndex = at;
  const marked = MARKED.exec(text);
  if (marked !== null)
    return {
      value: Number(marked[2]),
      end: MARKED.lastIndex,
      spans: marked[1] !== undefined,
      spaced: /^[\s._]+-/.test(marked[0]),
    };
  if (looseness === 'marked') return null;
  TIGHT.lastIndex = at;
  const tight = TIGHT.exec(text);
  if (tight !== null)
    return { value: Number(tight[2] ?? tight[4]), end: TIGHT.lastIndex, spans: tight[1] !== undefined, spaced: false };
  const pattern = looseness === 'spaced' || looseness === 'worded' ? SPACED : TILDE;
  pattern.lastIndex = at;
  const spaced = pattern.exec(text);
  return spaced === null ? null : { value: Number(spaced[2]), end: pattern.lastIndex, spans: true, spaced: true };
}
