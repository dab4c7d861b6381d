/** Words of alphabets of single bytes: how much a text reads like the languages that are written in them. */

/** Encodings that are never the answer: what reads as one of these is no other. */
export type RivalEncoding = 'windows-1253' | 'windows-1255' | 'windows-1256' | 'iso-8859-2' | 'euc-jp';

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

export interface CyrillicFound {
  encoding: LegacyEncoding;
  /** It has small letters, by which it cannot be anything of the East. */
  clear: boolean;
}

/** The Cyrillic encoding that the bytes read best in; null where they do not, or may be something else. */
export function cyrillic(bytes: Uint8Array, decode: LegacyDecoder): CyrillicFound | null {
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
export function mayBeAlphabet(bytes: Uint8Array, decode: LegacyDecoder): boolean {
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
