/** Japanese, Chinese and Korean, whose characters are two bytes each: whether a text reads as one of these. */
import { mayBeAlphabet, type LegacyDecoder, type LegacyEncoding } from './legacy-alphabets.ts';

const CHARACTER = '\\u3005\\u3041-\\u3096\\u30a1-\\u30fa\\u30fc\\u4e00-\\u9fff\\uac00-\\ud7a3';
const WORDS = new RegExp(`[a-z]*[${CHARACTER}][a-z${CHARACTER}]*`, 'giu');
const RUN = new RegExp(`[${CHARACTER}]{2}`, 'u');
const LONG_RUN = new RegExp(`[${CHARACTER}]{4}`, 'u');
const LOWER_BESIDE = /[a-z][\u4e00-\u9fff\uac00-\ud7a3]|[\u4e00-\u9fff\uac00-\ud7a3][a-z]/u;

const foreignOf = (text: string): string[] => [...text].filter((one) => one > '\x7f');

/**
 * An accented letter with the one behind it may be a character: "Björk" has an odd kanji in Shift-JIS, "ÉLÉVATION"
 * two. So few among Latin letters are none, and without two in a row somewhere nothing is said.
 */
function hasWords(text: string): boolean {
  const words = [...new Set(text.match(WORDS) ?? [])];
  const mixed = words.filter((word) => /[a-z]/i.test(word) && (LOWER_BESIDE.test(word) || !LONG_RUN.test(word)));
  return words.some((word) => RUN.test(word) && !mixed.includes(word)) && mixed.length <= words.length * 0.1;
}

/* Japanese */

const KANA = /[\u3041-\u3096\u30a1-\u30fa\u30fc]/gu;
const JAPANESE = /[\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e\u2010-\u2026\u00d7]/u;

/**
 * Nearly any bytes are well-formed Shift-JIS: so every character beyond ASCII must be one that Japanese text uses, and
 * somewhere there must be kana, or two kanji in a row: of those in use (the first of the two levels), and no word of
 * an alphabet.
 */
export function isJapanese(bytes: Uint8Array, decode: LegacyDecoder): boolean {
  const text = decode(bytes, 'shift_jis');
  if (text === null || !foreignOf(text).every((character) => JAPANESE.test(character)) || !hasWords(text)) return false;
  if (text.search(KANA) >= 0) return true;
  return share(pairsOf(bytes, 0x81, true) ?? [], ([lead]) => lead <= 0x98) >= 0.9 && !mayBeAlphabet(bytes, decode);
}

/* Chinese and Korean */

/** What such texts have beyond ASCII. */
const ASIAN = /[\u3000-\u303f\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e\u00b7\u2014\u2018-\u201d\u2026]/u;
/** The syllables that Korean has most of; of other bytes read as Korean one in forty is among them. */
const SYLLABLES = new Set(
  '이다는에을의가고하지사나아은서도기어리자해인대그한시라스로를정수들만과원일주보부우장전여너내게마음안소오랑' +
    '러면구없있니요야무유성상진동선생미비모신연제조말거간세바물날길달별빛꿈눈',
);
/** Characters; of fewer nobody can tell hangul from hanzi where both are possible. */
const ENOUGH = 6;

/** Null where it is none, or not clear which. */
export function chineseOrKorean(bytes: Uint8Array, decode: LegacyDecoder): LegacyEncoding | null {
  const pairs = pairsOf(bytes, 0xa1, false);
  if (pairs === null || pairs.length < 2) return null;
  // The characters in use are first in each table, in rows of 94; Big5 alone has low second bytes among them.
  const hangul = share(pairs, ([lead, trail]) => lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1) >= 0.9;
  const hanzi = share(pairs, ([lead, trail]) => lead >= 0xa1 && lead <= 0xd7 && trail >= 0xa1) >= 0.9;
  const frequentBig5 = share(pairs, ([lead]) => lead >= 0xa1 && lead <= 0xc6);
  const low = share(pairs, ([, trail]) => trail < 0x7f);
  const syllables = [...new Set(hangul ? (decode(bytes, 'euc-kr') ?? '') : '')].filter((one) => one >= '\uac00');
  const usual = syllables.filter((one) => SYLLABLES.has(one)).length / (syllables.length || 1);
  const candidates: [LegacyEncoding, boolean][] = [
    ['euc-kr', hangul && syllables.length > 2 && usual >= 0.25],
    ['gbk', hanzi && (!hangul || (syllables.length >= ENOUGH && usual < 0.1))],
    ['big5', frequentBig5 >= 0.95 && (low > 0.1 || (hanzi && !hangul))],
  ];
  const reads = ([encoding, may]: [LegacyEncoding, boolean]): boolean => {
    const text = may ? decode(bytes, encoding) : null;
    return text !== null && hasWords(text) && foreignOf(text).every((one) => ASIAN.test(one));
  };
  const found = candidates.find(reads)?.[0] ?? null;
  if (found === null || mayBeAlphabet(bytes, decode)) return null;
  // "Źdźbło": a letter with an accent before each that has none.
  if (low === 1 && foreignOf(decode(bytes, 'iso-8859-2') ?? '').every((one) => /\p{L}/u.test(one))) return null;
  const kana = new Set(decode(bytes, 'euc-jp')?.match(KANA));
  return kana.size > 3 ? null : found;
}

/* Pairs */

type Pair = [lead: number, trail: number];

const share = (pairs: readonly Pair[], of: (pair: Pair) => boolean): number =>
  pairs.length === 0 ? 0 : pairs.filter(of).length / pairs.length;

/** All that is beyond ASCII, two by two; null where it is not pairs. */
function pairsOf(bytes: Uint8Array, least: number, halves: boolean): Pair[] | null {
  const pairs: Pair[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    // Shift-JIS has single bytes, too.
    if (halves && lead >= 0xa0 && lead <= 0xdf) continue;
    const trail = bytes[++at] ?? 0;
    if (lead < least || trail < 0x40) return null;
    pairs.push([lead, trail]);
  }
  return pairs;
}
