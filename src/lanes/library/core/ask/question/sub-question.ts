import { isVerbLike } from '../check/verbs.ts';
import { termsIn, wantedBy } from './analyse.ts';
import type { QuestionPart } from './divide.ts';
import type { SubQuestion } from './question.types.ts';

/** What the words of the question before count in one that points back to it. */
const ABOUT_SHARE = 0.5;

/** A part of a question with what it asks for and its words. */
export function analyse(
  id: string,
  { text, about }: QuestionPart,
  weigh: (term: string) => number = () => 1,
): SubQuestion {
  const terms = termsIn(text, weigh);
  const known = new Set(terms.map(({ term }) => term));
  // Of whom it was said, not what.
  const around =
    about === null
      ? []
      : termsIn(about, weigh).filter(
          ({ term, word, kind }) => !known.has(term) && !(kind === 'word' && isVerbLike(word.toLowerCase(), '')),
        );
  // "what does it cost", "why is a new one needed": most likely of what was named last.
  const last = around.findLast(({ kind }) => kind === 'name') ?? around.findLast(({ kind }) => kind !== 'number');
  return {
    id,
    text,
    wants: wantedBy(text),
    terms: [...terms, ...around.map((one) => ({ ...one, weight: one.weight * (one === last ? 1 : ABOUT_SHARE) }))],
  };
}
