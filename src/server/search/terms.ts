/** How text becomes terms of the search index. The same on both sides: what is indexed and what is asked. */
import { foldText } from '#core/text/fold.ts';
import { words } from '#core/text/word-score.ts';

/** Every distinct term under which the texts are to be found. */
export function terms(...texts: string[]): string[] {
  return [...new Set(texts.flatMap(words))];
}

/** By what names are compared and put in order. A name of signs alone stands for itself. */
export function orderKey(...texts: string[]): string {
  return texts
    .map((text) => foldText(text) || text.toLowerCase())
    .join(' ')
    .slice(0, 400);
}
