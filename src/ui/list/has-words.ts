import { foldText } from '#core/text/fold.ts';

/** The words, folded, as they are looked for; none where there are signs alone. */
export function foldedWords(words: string): string[] {
  return foldText(words).split(' ').filter(Boolean);
}

/** Asked of many things: whether each of these words is somewhere in its texts, in any order and writing. Signs alone find nothing. */
export function hasWords(words: string): (texts: readonly (string | null | undefined)[]) => boolean {
  const wanted = foldedWords(words);
  return (texts) => {
    const folded = texts.flatMap((text) => (text ? [foldText(text)] : []));
    return wanted.length > 0 && wanted.every((word) => folded.some((text) => text.includes(word)));
  };
}
