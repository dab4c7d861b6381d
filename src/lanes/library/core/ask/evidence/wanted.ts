/** Whether a sentence has what a question asks for. */
import type { SubQuestion } from '../question/question.types.ts';
import { quantitiesOf } from '../words/quantities.ts';
import { tokensOf } from '../words/tokens.ts';

const REASON =
  /\b(?:because|since|due to|owing to|caused?|causes|causing|reasons?|so that|in order to|as a result|results? (?:in|from)|led to|leads to|therefore|thus|hence|thanks to|explains?|in an? (?:attempt|effort)|for fear|to avoid|to prevent|to (?!the\b|a\b|an\b|\d)\p{Ll}+)\b/iu;
const PLACE =
  /\b(?:in|at|on|near|from|to|behind|beside|under|above|between|within|north|south|east|west)\s+(?:the\s+)?\p{L}/iu;
const MANY =
  /\b(?:no|none|some|several|many|few|most|all|both|every|each|once|twice|half|dozens?|hundreds|thousands|millions)\b/i;

/** 1 it has, 0 it has not, 0.5 nobody can say from its words. What the question itself says does not count. */
export function holdsWanted({ wants, text: question, terms }: SubQuestion, text: string): number {
  switch (wants) {
    case 'person':
      return hasNewName(question, text) ? 1 : 0;
    case 'time':
      return timesIn(question, text)
        ? 1
        : /\b(?:when|after|before|until|during|since|always|never|daily|every|at all times|once|now|today|ago|century|decade)\b/i.test(
              text,
            )
          ? 0.6
          : 0;
    case 'number':
      return amountsIn(question, text) ? 1 : MANY.test(text) ? 0.5 : 0;
    case 'place':
      return hasNewName(question, text) ? 1 : PLACE.test(text) ? 0.7 : 0;
    case 'reason':
      return REASON.test(text) ? 1 : 0.3;
    case 'manner':
      return /\b(?:by|through|with|via|using|so|thus)\b/i.test(text) ? 0.7 : 0.5;
    case 'choice':
    case 'yes or no':
    case 'thing':
      void terms;
      return 0.5;
  }
}

const amountsIn = (question: string, text: string): boolean => {
  const said = new Set(quantitiesIn(question).map((one) => `${one.kind} ${one.value}`));
  return quantitiesIn(text).some((one) => one.kind !== 'ordinal' && !said.has(`${one.kind} ${one.value}`));
};

const timesIn = (question: string, text: string): boolean => {
  const said = new Set(quantitiesIn(question).map((one) => one.text));
  return quantitiesIn(text).some(
    (one) => !said.has(one.text) && (one.kind === 'date' || one.kind === 'time' || one.unit?.dimension === 'time'),
  );
};

const quantitiesIn = (text: string): ReturnType<typeof quantitiesOf> => {
  let known = kept.get(text);
  if (known === undefined) {
    if (kept.size > 20_000) kept.clear();
    kept.set(text, (known = quantitiesOf(tokensOf(text), text)));
  }
  return known;
};
const kept = new Map<string, ReturnType<typeof quantitiesOf>>();

/** A word with a capital that the question has not, and that no sentence begins with. */
function hasNewName(question: string, text: string): boolean {
  const said = question.toLowerCase();
  for (const { 0: name, index } of text.matchAll(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}]+/gu)) {
    const begins = /(?:^|[.!?:]\s*["“*_]*)$/u.test(text.slice(0, index));
    const isFull = /^\s+\p{Lu}\p{Ll}/u.test(text.slice(index + name.length));
    if ((!begins || isFull) && !said.includes(name.toLowerCase())) return true;
  }
  return false;
}
