/** Which words of a passage the question has, for showing them. */
import { eachWord, isEmptyTerm, termsOf } from '../text/words.ts';

export interface MarkedPart {
  text: string;
  marked: boolean;
}

/** The text in parts, in order; put together they are the text. */
export function markedParts(text: string, words: string): MarkedPart[] {
  const parts: MarkedPart[] = [];
  let from = 0;
  for (const { start, end } of markedPlaces(text, words)) {
    if (start > from) parts.push({ text: text.slice(from, start), marked: false });
    parts.push({ text: text.slice(start, end), marked: true });
    from = end;
  }
  if (from < text.length) parts.push({ text: text.slice(from), marked: false });
  return parts;
}

/** Where words of the question stand, in order. */
export function markedPlaces(text: string, words: string): { start: number; end: number }[] {
  const wanted = new Set<string>();
  eachWord(words, 0, words.length, (word) => {
    for (const term of termsOf(word)) if (!isEmptyTerm(term)) wanted.add(term);
  });
  const places: { start: number; end: number }[] = [];
  eachWord(text, 0, text.length, (word, start) => {
    if (termsOf(word).some((term) => wanted.has(term))) places.push({ start, end: start + word.length });
  });
  return places;
}

/** What a card of so many lines shows: from two lines above the first marked word, where that would be below its end. */
export function fromFirstMark(parts: readonly MarkedPart[], lines: number): readonly MarkedPart[] {
  const first = parts.findIndex(({ marked }) => marked);
  const before = parts
    .slice(0, Math.max(0, first))
    .map(({ text }) => text)
    .join('')
    .split('\n');
  if (before.length < lines) return parts;
  return [{ text: `…\n${before.slice(-3).join('\n')}`, marked: false }, ...parts.slice(first)];
}
