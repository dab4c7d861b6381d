/** Numbers as names write them: digits, Roman, Chinese. */
const DIGITS: Record<string, number> = {
  零: 0,
  〇: 0,
  一: 1,
  壱: 1,
  二: 2,
  两: 2,
  兩: 2,
  弐: 2,
  三: 3,
  参: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
};
const ROMAN: Record<string, number> = { i: 1, v: 5, x: 10 };

/** Null where it is no number. */
export function numeral(word: string): number | null {
  if (/^\d+$/.test(word)) return Number(word);
  return /^[ivx]+$/i.test(word) ? roman(word.toLowerCase()) : chinese(word);
}

function roman(word: string): number | null {
  let sum = 0;
  for (const [at, letter] of [...word].entries()) {
    const value = ROMAN[letter] ?? 0;
    sum += value < (ROMAN[word[at + 1] ?? ''] ?? 0) ? -value : value;
  }
  return sum > 0 && sum < 40 ? sum : null;
}

/** Up to 999: `十二` 12, `二十` 20, `一百零三` 103, and digit by digit `二〇` 20. */
function chinese(word: string): number | null {
  let sum = 0;
  let digit: number | null = null;
  let units = false;
  for (const letter of word) {
    if (letter === '十' || letter === '百') {
      sum += (digit ?? 1) * (letter === '十' ? 10 : 100);
      digit = null;
      units = true;
      continue;
    }
    const value = DIGITS[letter];
    if (value === undefined) return null;
    digit = units || digit === null ? value : digit * 10 + value;
  }
  return sum + (digit ?? 0);
}
