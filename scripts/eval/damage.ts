/** What happens to names on their way through drives, forms and rippers. */
import { transliterate } from 'transliteration';
import type { Random } from './random.ts';

/** Each letter is lost, doubled, swapped with the next or replaced by a neighbour with this probability. */
export function damage(random: Random, text: string, share: number): string {
  const letters = [...text];
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i] ?? '';
    if (!/\p{L}/u.test(letter) || !random.chance(share)) continue;
    const next = letters[i + 1];
    switch (random.below(4)) {
      case 0:
        letters[i] = '';
        break;
      case 1:
        letters[i] = letter + letter;
        break;
      case 2:
        if (next !== undefined) {
          letters[i] = next;
          letters[i + 1] = letter;
        }
        break;
      default:
        letters[i] = random.pick(['a', 'e', 's', 'r', 't', 'n', 'i']);
    }
  }
  return letters.join('').trim() || text;
}

const DIGITS: Readonly<Record<string, string>> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' };

/** `Love` -> `L0v3`: half of the letters that have a digit. */
export function leet(random: Random, text: string): string {
  return [...text].map((letter) => (random.chance(0.5) ? (DIGITS[letter.toLowerCase()] ?? letter) : letter)).join('');
}

/** UTF-8 read as Windows-1252, as old taggers do. */
export function mojibake(text: string): string {
  return new TextDecoder('windows-1252').decode(new TextEncoder().encode(text));
}

/** Any script in Latin letters. */
export function romanise(text: string): string {
  return transliterate(text).replaceAll(/\s+/g, ' ').trim();
}
