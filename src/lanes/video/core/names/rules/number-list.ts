/** Further numbers behind a first one: `E01E02`, `E01-E03`, `E01-03`, `1x02-1x04`, `05-08`, `01+02`, `215 ao 220`. */

/** Where an expected number follows with its own mark (E, x, S01E): a dash or a `to` spans, everything else adds. */
const MARKED =
  /[\s._]{0,2}(?:(-|~|to|thru|al?|bis)|[&+,/;]|-?and-?|y|et|und)?[\s._]{0,2}(?:s\d{1,4}[\s._]?(?:e|x|ep)|\d{1,4}x(?!26[2-6])(?=\d{1,4})|(?:x?ep?|x(?!26[2-6])|episode|ep\.)[\s._]?)(\d{1,4})(?![\p{N}]|p(?![\p{L}])|\.\d\b(?!\.))/iuy;
/** Bare numbers: only right behind a dash, or behind `&`, `+`, `,`, `to`. */
const TIGHT =
  /(?:v\d)?(-|~)(\d{1,4})(?:v\d)?(?![\p{L}\p{N}]|\.\d(?!\d))|(?:v\d)?(?:[\s._]?([&+])[\s._]?|,[\s]?)(\d{1,4})(?![\p{L}\p{N}]|\.\d(?!\d))/iuy;
const SPACED =
  /[\s._]{1,2}(-|~|to|through|thru|ao?|al|bis|à|до|по)[\s._]{1,2}(\d{1,4})(?:v\d)?(?![\p{L}\p{N}]|\.\d(?!\d))/iuy;
const TILDE = /[\s._]?(~)[\s._]?(\d{1,4})(?:v\d)?(?![\p{L}\p{N}]|\.\d)/iuy;

/** More than this many episodes in one file, or between two numbers, is none. */
const WIDEST = 2200;

export interface NumberList {
  numbers: number[];
  end: number;
  /** Whether a dash (or `to`) was between two of them. */
  spans: boolean;
}

/** How bare numbers may follow: `none`, right behind a dash (`tight`), or with spaces around it too (`spaced`). */
export type Looseness = 'marked' | 'tight' | 'spaced';

/** Reads on behind `first`, which ends at `at`. */
export function readList(text: string, at: number, first: number, looseness: Looseness): NumberList {
  const numbers = [first];
  let end = at;
  let spans = false;
  for (let count = 0; count < 40; count++) {
    const next = nextNumber(text, end, looseness);
    if (next === null) break;
    const last = numbers.at(-1) ?? first;
    if (next.value <= last || next.value - last > WIDEST) break;
    // "S05E53 - Ep.129" counts twice.
    if (next.spans && next.spaced && next.value - last > 30 && looseness !== 'spaced') break;
    if (next.spans) {
      spans = true;
      for (let value = last + 1; value < next.value; value++) numbers.push(value);
    }
    numbers.push(next.value);
    end = next.end;
  }
  return { numbers, end, spans };
}

function nextNumber(
  text: string,
  at: number,
  looseness: Looseness,
): { value: number; end: number; spans: boolean; spaced: boolean } | null {
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
  const pattern = looseness === 'spaced' ? SPACED : TILDE;
  pattern.lastIndex = at;
  const spaced = pattern.exec(text);
  return spaced === null ? null : { value: Number(spaced[2]), end: pattern.lastIndex, spans: true, spaced: true };
}
