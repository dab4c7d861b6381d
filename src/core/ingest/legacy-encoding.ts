/**
 * Which encoding bytes were written in that do not say it: names in archives, CUE sheets, old tags. It is found by what
 * comes out of each: words of one alphabet, with its letters as often as its languages have them, capitals only where
 * words begin. A wrong answer is worse than none: what is not clearly one of these is none of them.
 */
import { cyrillic, type LegacyDecoder, type LegacyEncoding } from './legacy-alphabets.ts';
import { chineseOrKorean, isJapanese } from './legacy-asian.ts';

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
