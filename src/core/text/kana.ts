/** Kana to Hepburn: the general transliterator spells them another way than people name files. */

/** Row by row: the kana, and how each of them is written. */
const ROWS: readonly (readonly [kana: string, written: string])[] = [
  ['あいうえお', 'a i u e o'],
  ['かきくけこ', 'ka ki ku ke ko'],
  ['さしすせそ', 'sa shi su se so'],
  ['たちつてと', 'ta chi tsu te to'],
  ['なにぬねの', 'na ni nu ne no'],
  ['はひふへほ', 'ha hi fu he ho'],
  ['まみむめも', 'ma mi mu me mo'],
  ['やゆよ', 'ya yu yo'],
  ['らりるれろ', 'ra ri ru re ro'],
  ['わゐゑをん', 'wa i e o n'],
  ['がぎぐげご', 'ga gi gu ge go'],
  ['ざじずぜぞ', 'za ji zu ze zo'],
  ['だぢづでど', 'da ji zu de do'],
  ['ばびぶべぼ', 'ba bi bu be bo'],
  ['ぱぴぷぺぽ', 'pa pi pu pe po'],
  ['ゔぁぃぅぇぉ', 'vu a i u e o'],
];
const SYLLABLES = new Map(
  ROWS.flatMap(([kana, written]) => {
    const syllables = written.split(' ');
    return [...kana].map((one, at) => [one, syllables[at] ?? ''] as const);
  }),
);
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
    const syllable = SYLLABLES.get(char);
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
