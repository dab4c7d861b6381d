import { transliterate } from 'transliteration';
import { romanizeKana } from './kana.ts';

/**
 * Folding: the forms under which texts are compared. All of them are plain `[a-z0-9]`.
 */

/** Lower-case Latin words separated by single blanks: no accents, no script but Latin, no punctuation. */
export function foldText(text: string): string {
  let folded = text;
  if (/[^\u0020-\u007e]/.test(folded)) {
    folded = romanizeKana(folded.normalize('NFKC'))
      .normalize('NFD')
      .replace(/\p{M}+/gu, '');
    if (/[^\u0020-\u007e]/.test(folded)) folded = transliterate(folded.normalize('NFC'));
  }
  return folded
    .toLowerCase()
    .replace(/['`´’]/g, '')
    .replace(/&/g, ' and ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** Folded text without blanks. */
export const compactKey = (folded: string): string => folded.replaceAll(' ', '');

const LEET: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', l: 'i' };

/** Digits in the place of letters become those letters (and `l` becomes `i`), so that `Tr3a5ur3` meets `Treasure`. */
export const leetKey = (compact: string): string => compact.replace(/[0134578l]/g, (char) => LEET[char] ?? '');

/** What is left when the vowels are gone; doubled letters become one. */
export const skeletonKey = (compact: string): string =>
  leetKey(compact)
    .replace(/[aeiouy]/g, '')
    .replace(/(.)\1+/g, '$1');

/** Splits `TheGrassIsGreener` and `07TheBuilders` where a person would put a blank. */
export function splitCamel(text: string): string {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\d)(\p{L}{2})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2');
}
