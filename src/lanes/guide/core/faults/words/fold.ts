/** The form under which titles and categories are compared: no case, no accents, no punctuation, in their own script. */

/** Letters whose stroke or missing dot is no mark that can be taken off. */
const PLAIN: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe' };

/** Without case and accents, punctuation kept. */
export const withoutAccents = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}+|\u0640/gu, '')
    .replace(/[łøđıßæœ]/g, (letter) => PLAIN[letter] ?? letter);

/** Scripts that part words by chance or not at all. */
const UNPARTED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Words with single blanks between them; in scripts that do not part words none. */
export function foldWords(text: string): string {
  const folded = withoutAccents(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return UNPARTED.test(folded) || /[\u1100-\u11ff]/.test(folded) ? folded.replaceAll(' ', '') : folded;
}

/** A set of folded words out of lines of them, parted by `;`. */
export const wordSet = (lines: readonly string[]): ReadonlySet<string> =>
  new Set(
    lines
      .flatMap((line) => line.split(';'))
      .map(foldWords)
      .filter((word) => word !== ''),
  );
