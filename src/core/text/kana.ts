/** Kana to Hepburn: the general transliterator spells them another way than people name files. */

const ROWS: Record<string, string> = {
  あ: 'a',
  い: 'i',
  う: 'u',
  え: 'e',
  お: 'o',
  か: 'ka',
  き: 'ki',
  く: 'ku',
  け: 'ke',
  こ: 'ko',
  さ: 'sa',
  し: 'shi',
  す: 'su',
  せ: 'se',
  そ: 'so',
  た: 'ta',
  ち: 'chi',
  つ: 'tsu',
  て: 'te',
  と: 'to',
  な: 'na',
  に: 'ni',
  ぬ: 'nu',
  ね: 'ne',
  の: 'no',
  は: 'ha',
  ひ: 'hi',
  ふ: 'fu',
  へ: 'he',
  ほ: 'ho',
  ま: 'ma',
  み: 'mi',
  む: 'mu',
  め: 'me',
  も: 'mo',
  や: 'ya',
  ゆ: 'yu',
  よ: 'yo',
  ら: 'ra',
  り: 'ri',
  る: 'ru',
  れ: 're',
  ろ: 'ro',
  わ: 'wa',
  ゐ: 'i',
  ゑ: 'e',
  を: 'o',
  ん: 'n',
  が: 'ga',
  ぎ: 'gi',
  ぐ: 'gu',
  げ: 'ge',
  ご: 'go',
  ざ: 'za',
  じ: 'ji',
  ず: 'zu',
  ぜ: 'ze',
  ぞ: 'zo',
  だ: 'da',
  ぢ: 'ji',
  づ: 'zu',
  で: 'de',
  ど: 'do',
  ば: 'ba',
  び: 'bi',
  ぶ: 'bu',
  べ: 'be',
  ぼ: 'bo',
  ぱ: 'pa',
  ぴ: 'pi',
  ぷ: 'pu',
  ぺ: 'pe',
  ぽ: 'po',
  ゔ: 'vu',
  ぁ: 'a',
  ぃ: 'i',
  ぅ: 'u',
  ぇ: 'e',
  ぉ: 'o',
};
const SMALL_Y: Record<string, string> = { ゃ: 'a', ゅ: 'u', ょ: 'o' };

/** Hiragana and katakana become Hepburn romaji; everything else stays as it is. */
export function romanizeKana(text: string): string {
  if (!/[\u3041-\u30ff]/.test(text)) return text;
  let out = '';
  let doubled = false;
  for (const original of text) {
    const code = original.codePointAt(0) ?? 0;
    // Katakana is 0x60 above hiragana.
    const char = code >= 0x30a1 && code <= 0x30f6 ? String.fromCodePoint(code - 0x60) : original;
    if (char === 'っ') {
      doubled = true;
      continue;
    }
    // The long-vowel mark is left out: names drop it as often as they double the vowel.
    if (char === 'ー') continue;
    const glide = SMALL_Y[char];
    if (glide !== undefined) {
      out = /(?:sh|ch|j)i$/.test(out) ? out.slice(0, -1) + glide : out.replace(/i$/, '') + 'y' + glide;
      continue;
    }
    const syllable = ROWS[char];
    if (syllable === undefined) {
      out += original;
      doubled = false;
      continue;
    }
    // A small vowel after a consonant row bends the vowel before it: フィ is fi, ティ is ti.
    if (/[ぁぃぅぇぉ]/.test(char) && /[a-z][aiueo]$/.test(out)) out = out.slice(0, -1);
    out += doubled ? (syllable.startsWith('ch') ? 't' : syllable.charAt(0)) + syllable : syllable;
    doubled = false;
  }
  return out;
}
