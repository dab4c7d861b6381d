/**
 * Which encoding bytes were written in that do not say it: names in archives, CUE sheets, old tags. It is found by what
 * comes out of each: words of one alphabet, with its letters as often as its languages have them, capitals only where
 * words begin. A wrong answer is worse than none: what is not clearly one of these is none of them.
 */

/** Japanese, Chinese and Korean, whose characters are two bytes each: whether a text reads as one of these. */

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
function isJapanese(bytes: Uint8Array, decode: LegacyDecoder): boolean {
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
function chineseOrKorean(bytes: Uint8Array, decode: LegacyDecoder): LegacyEncoding | null {
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

/** Words of alphabets of single bytes: how much a text reads like the languages that are written in them. */

/** Encodings that are never the answer: what reads as one of these is no other. */
type RivalEncoding = 'windows-1253' | 'windows-1255' | 'windows-1256' | 'iso-8859-2' | 'euc-jp';

export type LegacyEncoding = 'shift_jis' | 'windows-1251' | 'ibm866' | 'koi8-r' | 'euc-kr' | 'gbk' | 'big5';

/** Decodes bytes of a legacy encoding; null where they are not well-formed in it. The platform gives it (TextDecoder). */
export type LegacyDecoder = (bytes: Uint8Array, encoding: LegacyEncoding | RivalEncoding) => string | null;

interface Alphabet {
  /** What a word of it looks like: capitals only where it begins, or throughout. */
  word: RegExp;
  /** What no word has. */
  never: RegExp;
  /** By how often its languages have them; from the most frequent on, which count 1, to what counts 0. */
  letters: string;
}

const CYRILLIC: Alphabet = {
  word: /^(\p{Lu}?[\u0451-\u045f\u0430-\u0450\u0491]*|[\u0400-\u042f\u0490]+)$/u,
  never: /^[ьы]|[аеёиоуыэюяй]ь|ьь|ъъ|ыы/iu,
  letters: 'оеаинтсрвлкімдпуяыьгзбчйхжшюцщэфъёїєґў',
};
const ENCODINGS = ['windows-1251', 'ibm866', 'koi8-r'] as const;
const RIVALS: readonly [RivalEncoding, Alphabet][] = [
  [
    'windows-1253',
    {
      word: /^(\p{Lu}?[\u0390\u03ac-\u03ce]*|[\u0386-\u03ab]+)$/u,
      // Words end in few letters, those of several syllables have their accent; two of these are as good as never used.
      never: /[ΐΰ]|ς.|.[βγδζθκλμξπστφχψΒΓΔΖΘΚΛΜΞΠΤΦΧΨ]$|^[Α-Ω]?[α-ω]{3,}$/u,
      letters: 'αοιετσνηυρπκμλςωόίέάήύδγώθχφβξζψϊϋΐΰ',
    },
  ],
  ['windows-1255', { word: /^[\u05d0-\u05ea]+$/u, never: /[ךםןףץ]./u, letters: 'יולהארמבתשנדםקעחפטכסןגצזךףץ' }],
  ['windows-1256', { word: /^[\u0621-\u0652]+$/u, never: /ة./u, letters: 'اليمنرتبوةدعفسهكقحجأشصطخىذضإئغزثءآظؤ' }],
];

interface Least {
  /** Mean of how often its letters are, 0 to 1. */
  frequency: number;
  /** Letters of different words. */
  letters: number;
}
/** Measured on titles: right ones have over 0.66, right bytes read in a wrong encoding under 0.5. */
const WITH_SMALL: Least = { frequency: 0.58, letters: 4 };
/** Of capitals alone nothing but how often they are is known. */
const CAPITALS: Least = { frequency: 0.66, letters: 6 };
/** Enough to doubt another answer. */
const DOUBT: Least = { frequency: 0.58, letters: 4 };

const TYPOGRAPHIC = /[\u00a0\u00a9\u00ab\u00bb\u00ae\u00b0\u2013\u2014\u2018-\u201e\u2022\u2026\u2116\u2122]/u;

interface CyrillicFound {
  encoding: LegacyEncoding;
  /** It has small letters, by which it cannot be anything of the East. */
  clear: boolean;
}

/** The Cyrillic encoding that the bytes read best in; null where they do not, or may be something else. */
function cyrillic(bytes: Uint8Array, decode: LegacyDecoder): CyrillicFound | null {
  let best: { found: CyrillicFound; score: number } | null = null;
  if (greekOrSemitic(bytes, decode) > 0) return null;
  let doubt = 0;
  for (const encoding of ENCODINGS) {
    const reading = readingOf(decode(bytes, encoding) ?? '', CYRILLIC);
    if (reading === null) continue;
    // Capitals of DOS are the letters with accents of the West, and its Greek and Hebrew.
    const least = reading.clear ? WITH_SMALL : encoding === 'ibm866' ? null : CAPITALS;
    const score = least === null ? 0 : reaches(reading, least);
    if (score > (best?.score ?? 0)) best = { found: { encoding, clear: reading.clear }, score };
    // KOI8's capitals are the small letters of Windows-1251, and the other way round.
    doubt = Math.max(doubt, score > 0 ? 0 : reaches(reading, DOUBT));
  }
  return best === null || doubt >= best.score ? null : best.found;
}

/** Whether it may as well be words of an alphabet, of which nobody can tell by so little. */
function mayBeAlphabet(bytes: Uint8Array, decode: LegacyDecoder): boolean {
  const reads = (encoding: LegacyEncoding): boolean => {
    const reading = readingOf(decode(bytes, encoding) ?? '', CYRILLIC);
    return (
      reading !== null && reaches(reading, reading.clear ? DOUBT : { ...DOUBT, frequency: CAPITALS.frequency }) > 0
    );
  };
  return ENCODINGS.some(reads) || greekOrSemitic(bytes, decode) > 0;
}

/** How much it reads as Greek, Hebrew or Arabic, 0 to 1. */
function greekOrSemitic(bytes: Uint8Array, decode: LegacyDecoder): number {
  const readings = RIVALS.map(([encoding, alphabet]) => readingOf(decode(bytes, encoding) ?? '', alphabet));
  return Math.max(...readings.map((reading) => (reading === null ? 0 : reaches(reading, DOUBT))));
}

const reaches = ({ frequency, letters }: Reading, least: Least): number =>
  letters >= least.letters && frequency > least.frequency ? frequency : 0;

interface Reading extends Least {
  /** It has small letters, or its alphabet has no others. */
  clear: boolean;
}

/** How often its letters are in texts of the alphabet; null when it has words that no such text has. */
function readingOf(text: string, { word, never, letters: order }: Alphabet): Reading | null {
  // A folder's name is before each of its files': that says nothing again.
  const foreign = [...new Set(text.match(/[\p{L}\p{M}]+/gu) ?? [])].filter((one) => /[^a-z]/i.test(one));
  // Western words have letters with accents among others: in one word with letters of another alphabet it is neither.
  const good = foreign.filter((one) => word.test(one) && !never.test(one));
  if (good.length < foreign.length * 0.9) return null;
  // "è", "à", "É": one letter is a word in the West, too, and three may be an alphabet's end, "ÅÄÖ".
  const words = good.filter((one) => one.length > 1);
  if (!words.some((one) => one.length > 3)) return null;
  const letters = [...words.join('').toLowerCase()];
  const signs = [...text].filter((one) => one > '\x7f' && !/[\p{L}\p{M}]/u.test(one));
  const odd = signs.filter((one) => !TYPOGRAPHIC.test(one));
  if (signs.length > letters.length * 0.4 || odd.length > letters.length * 0.03) return null;
  const weight = (letter: string): number => {
    const at = order.indexOf(letter);
    return at < 0 ? 0 : 1 - at / order.length;
  };
  return {
    frequency: letters.reduce((sum, letter) => sum + weight(letter), 0) / letters.length,
    letters: letters.length,
    clear: words.some((one) => /\p{Ll}|\p{Lo}/u.test(one)),
  };
}

/** Bytes that are read: enough for any certainty there is. */
const MOST_BYTES = 64 * 1024;
/** A line: so that the end of one sample is no word with the beginning of the next. */
const LINE = 0x0a;

/** Of samples that one program wrote, which encoding it used; null where that is none of these, or not clear. */
export function guessEncoding(samples: readonly Uint8Array[], decode: LegacyDecoder): LegacyEncoding | null {
  const bytes = joined(samples.filter((sample) => sample.some((byte) => byte > 0x7f)));
  if (bytes.length === 0) return null;
  const found = cyrillic(bytes, decode);
  if (found?.clear === true) return found.encoding;
  // Two kanji may as well be four capitals: these are rarer.
  if (isJapanese(bytes, decode)) return 'shift_jis';
  return found?.encoding ?? chineseOrKorean(bytes, decode);
}

function joined(samples: readonly Uint8Array[]): Uint8Array {
  const whole: number[] = [];
  for (const sample of samples) {
    if (whole.length + sample.length > MOST_BYTES && whole.length > 0) break;
    whole.push(...sample, LINE);
  }
  return Uint8Array.from(whole);
}
