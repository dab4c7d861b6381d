/** Text as identifiers are looked for in it: one form for dashes and blanks, nothing that cannot be seen. */

/** What is not seen: marks of direction, joiners, a byte order mark. */
const UNSEEN = /[\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/;
/** The dashes of Unicode's Pd and the minus sign. */
const DASH = /[\u2010-\u2015\u2043\u2212\uFE58\uFE63\uFF0D]/;
const BLANK = /[\t\v\f\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/;
/** Figures, letters and the signs of DOIs as Chinese and Japanese print sets them, and how far they are from the plain ones. */
const FULL_WIDTH = /[\uFF0E\uFF0F-\uFF19\uFF21-\uFF3A\uFF3F\uFF41-\uFF5A]/;
const FULL_WIDTH_FROM = 0xfee0;
/** Letters that print joins; the reading of a PDF may leave them so. */
const LIGATURES: Readonly<Record<string, string>> = {
  '\uFB00': 'ff',
  '\uFB01': 'fi',
  '\uFB02': 'fl',
  '\uFB03': 'ffi',
  '\uFB04': 'ffl',
  '\uFB05': 'st',
  '\uFB06': 'st',
};
const SOFT_HYPHEN = '\u00AD';

export interface FoldedText {
  readonly text: string;
  /** Where the piece `start`..`end` of the folded text stands in the text as it was. UTF-16 units. */
  origin(start: number, end: number): { start: number; end: number };
}

/** A soft hyphen goes, with the line's end behind it: the word was parted there. `\r\n` and `\r` become `\n`. */
export function foldText(source: string): FoldedText {
  const kept: string[] = [];
  // A ligature is three letters at most.
  const places = new Uint32Array(source.length * (/[\uFB00-\uFB06]/.test(source) ? 3 : 1));
  const keep = (unit: string, at: number): void => {
    places[kept.length] = at;
    kept.push(unit);
  };
  for (let i = 0; i < source.length; i++) {
    const unit = source.charAt(i);
    if (unit < '\u0080') {
      if (unit === '\r') {
        if (source.charAt(i + 1) !== '\n') keep('\n', i);
      } else keep(unit === '\t' || unit === '\v' || unit === '\f' ? ' ' : unit, i);
    } else if (unit === SOFT_HYPHEN) i += lineEndAfter(source, i + 1);
    else if (LIGATURES[unit] !== undefined) for (const letter of LIGATURES[unit]) keep(letter, i);
    else if (FULL_WIDTH.test(unit)) keep(String.fromCharCode(unit.charCodeAt(0) - FULL_WIDTH_FROM), i);
    else if (!UNSEEN.test(unit)) keep(DASH.test(unit) ? '-' : BLANK.test(unit) ? ' ' : unit, i);
  }
  return {
    text: kept.join(''),
    origin: (start, end) => ({
      start: places[start] ?? source.length,
      end: (places[end - 1] ?? source.length - 1) + 1,
    }),
  };
}

/** How many units of blanks and one line's end follow. */
const lineEndAfter = (source: string, at: number): number =>
  /^[ \t]*\r?\n/.exec(source.slice(at, at + 8))?.[0].length ?? 0;
