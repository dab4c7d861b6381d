/**
 * Which encoding bytes were written in that do not say it: names in archives, CUE sheets, old tags. It is told by what
 * comes out of each: words of one alphabet, with its letters as often as its languages have them, capitals only where
 * words begin. What is not clearly one of these is none of them.
 */

export type LegacyEncoding = 'shift_jis' | 'windows-1251' | 'ibm866' | 'koi8-r' | 'euc-kr' | 'gbk' | 'big5';

/** Decodes bytes of a legacy encoding; null where they are not well-formed in it. The platform gives it (TextDecoder). */
export type LegacyDecoder = (bytes: Uint8Array, encoding: LegacyEncoding) => string | null;

/** Bytes that are looked at: enough for any certainty there is. */
const MOST_BYTES = 64 * 1024;
/** A line: so that the end of one sample is no word with the beginning of the next. */
const LINE = 0x0a;

/** Of samples that one program wrote, which encoding it used; null where that is none of these, or not clear. */
export function guessEncoding(samples: readonly Uint8Array[], decode: LegacyDecoder): LegacyEncoding | null {
  const bytes = joined(samples.filter((sample) => sample.some((byte) => byte > 0x7f)));
  if (bytes.length === 0) return null;
  const found = cyrillic(bytes, decode);
  const clear = found !== null && /\p{Ll}/u.test(foreignOf(found.text));
  if (clear) return found.encoding;
  // Two kanji may as well be four capitals: these are rarer.
  if (readsAsJapanese(decode(bytes, 'shift_jis'))) return 'shift_jis';
  return found?.encoding ?? asian(bytes, decode);
}

function joined(samples: readonly Uint8Array[]): Uint8Array {
  const whole: number[] = [];
  for (const sample of samples) {
    if (whole.length + sample.length > MOST_BYTES && whole.length > 0) break;
    whole.push(...sample, LINE);
  }
  return Uint8Array.from(whole);
}

/* Cyrillic */

/** By how often Russian, Ukrainian and Bulgarian have them; from the most frequent on, which count 1, to what counts 0. */
const LETTERS = 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґў';
/** Measured on titles: right ones have over 0.66, right bytes read in a wrong encoding under 0.5. */
const LEAST_FREQUENCY = 0.58;

function cyrillic(bytes: Uint8Array, decode: LegacyDecoder): { encoding: LegacyEncoding; text: string } | null {
  let best: { encoding: LegacyEncoding; text: string } | null = null;
  let bestScore = LEAST_FREQUENCY;
  for (const encoding of ['windows-1251', 'ibm866', 'koi8-r'] as const) {
    const text = decode(bytes, encoding) ?? '';
    const score = cyrillicScore(text);
    if (score > bestScore) [best, bestScore] = [{ encoding, text }, score];
  }
  return best;
}

const foreignOf = (text: string): string => [...text].filter((one) => (one.codePointAt(0) ?? 0) > 0x7f).join('');

const TYPOGRAPHIC = /[\u00a0\u00a9\u00ab\u00bb\u00ae\u00b0\u2013\u2014\u2018-\u201e\u2022\u2026\u2116\u2122]/u;

/** How often its letters are in Cyrillic texts, 0 to 1; 0 when it has words that no such text has. */
function cyrillicScore(text: string): number {
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  const foreign = words.filter((word) => /[^a-z]/i.test(word));
  // Western words have letters with accents among others: in one word with Cyrillic ones it is neither.
  const good = foreign.filter((word) =>
    /^(\p{Lu}?[\u0451-\u045f\u0430-\u0450\u0491]*|[\u0400-\u042f\u0490]+)$/u.test(word),
  );
  const letters = [...good.join('').toLowerCase()];
  const signs = [...foreignOf(text)].filter((one) => !/\p{L}/u.test(one));
  const odd = signs.filter((one) => !TYPOGRAPHIC.test(one));
  if (letters.length < 3 || good.length < foreign.length * 0.9) return 0;
  if (signs.length > letters.length * 0.4 || odd.length > letters.length * 0.03) return 0;
  const weight = (letter: string): number => {
    const at = LETTERS.indexOf(letter);
    return at < 0 ? 0 : 1 - at / LETTERS.length;
  };
  return letters.reduce((sum, letter) => sum + weight(letter), 0) / letters.length;
}

/** An accented letter with the one behind it may be a character; among Latin letters it is none. */
const LATIN_BESIDE = /[a-z][\u4e00-\u9fff\uac00-\ud7a3]|[\u4e00-\u9fff\uac00-\ud7a3][a-z]/u;

/* Japanese */

const KANA = /[\u3041-\u3096\u30a1-\u30fa\u30fc]/u;
const HAN_RUN = /[\u4e00-\u9fff\u3005]{2}/u;
const JAPANESE = /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e\u2010-\u2026\u00d7]/u;

/**
 * Nearly any bytes are well-formed Shift-JIS: an accented CP437 letter with the letter behind it gives
 * one odd kanji ("Björk"). So every character beyond ASCII must be one that Japanese text uses, and
 * somewhere there must be kana, or two kanji in a row.
 */
function readsAsJapanese(text: string | null): boolean {
  if (text === null || ![...foreignOf(text)].every((character) => JAPANESE.test(character))) return false;
  return KANA.test(text) || (HAN_RUN.test(text) && !LATIN_BESIDE.test(text));
}

/* Chinese and Korean */

/** What such texts have beyond ASCII. */
const ASIAN = /[\u3000-\u303f\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e\u00b7\u2014\u2018-\u201d\u2026]/u;

function asian(bytes: Uint8Array, decode: LegacyDecoder): LegacyEncoding | null {
  const pairs = pairsOf(bytes);
  if (pairs === null || pairs.length < 2) return null;
  const share = (of: (pair: [number, number]) => boolean): number => pairs.filter(of).length / pairs.length;
  // The characters in use stand first in each table, in rows of 94; Big5 alone has low second bytes among them.
  const hangul = share(([lead, trail]) => lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1);
  const hanzi = share(([lead, trail]) => lead >= 0xa1 && lead <= 0xd7 && trail >= 0xa1);
  const frequentBig5 = share(([lead]) => lead >= 0xa1 && lead <= 0xc6);
  const low = share(([, trail]) => trail < 0x7f);
  const candidates: [LegacyEncoding, boolean][] = [
    ['euc-kr', hangul >= 0.9 && pairs.length >= 4],
    ['gbk', hanzi >= 0.9],
    ['big5', frequentBig5 >= 0.95 && (low > 0.1 || hanzi >= 0.9)],
  ];
  const reads = ([encoding, may]: [LegacyEncoding, boolean]): boolean => {
    const text = may ? decode(bytes, encoding) : null;
    return text !== null && !LATIN_BESIDE.test(text) && [...foreignOf(text)].every((one) => ASIAN.test(one));
  };
  return candidates.find(reads)?.[0] ?? null;
}

/** All that is beyond ASCII, two by two; null where it is not pairs. */
function pairsOf(bytes: Uint8Array): [number, number][] | null {
  const pairs: [number, number][] = [];
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    const trail = bytes[++at] ?? 0;
    if (lead < 0xa1 || trail < 0x40) return null;
    pairs.push([lead, trail]);
  }
  return pairs;
}
