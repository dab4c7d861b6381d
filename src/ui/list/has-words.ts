import { foldText } from '#core/text/fold.ts';

/** Asked of many things: whether each of these words is somewhere in its texts, in any order and writing. Signs alone find nothing. */
export function hasWords(words: string): (texts: readonly (string | null | undefined)[]) => boolean {
  const wanted = foldText(words).split(' ').filter(Boolean);
  return (texts) => {
    const folded = texts.flatMap((text) => (text ? [foldText(text)] : []));
    return wanted.length > 0 && wanted.every((word) => folded.some((text) => text.includes(word)));
  };
}
