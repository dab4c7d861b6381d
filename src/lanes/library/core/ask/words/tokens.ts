/** A text as words, numbers and marks, each with its place. */
import { keyOf } from './lemma.ts';

export interface Token {
  kind: 'word' | 'number' | 'mark';
  text: string;
  /** Without case and accents, straight apostrophes. */
  lower: string;
  /** Under which words are compared: the stem of the base form. */
  key: string;
  /** UTF-16 code units. */
  start: number;
  end: number;
}

/** A number with separators, a word with an apostrophe within, or one mark. */
const TOKEN =
  /(?<number>\p{N}+(?:[.,:_]\p{N}+)*)|(?<word>\p{L}[\p{L}\p{M}\p{N}_]*(?:['’]\p{L}+)*)|(?<mark>[^\s\p{L}\p{N}\p{M}])/gu;

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const { word, number } = match.groups ?? {};
    const said = match[0];
    const kind = number !== undefined ? 'number' : word !== undefined ? 'word' : 'mark';
    const lower = kind === 'mark' ? said : foldWord(said);
    const key = kind === 'word' ? keyOf(lower) : lower;
    tokens.push({ kind, text: said, lower, key, start: match.index, end: match.index + said.length });
  }
  return tokens;
}

/** Lower case, no accents, straight apostrophes, without the `'s` of an owner. */
function foldWord(word: string): string {
  let plain = word.replaceAll('’', "'");
  if (/[^ -~]/.test(plain))
    plain = plain
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .normalize('NFC');
  return plain.toLowerCase().replace(/'s$/, '');
}
