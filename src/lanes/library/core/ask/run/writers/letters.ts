/** The passages that a model is shown, each under a letter. */
import * as v from 'valibot';
import type { Form } from '#core/agent/workflow/definition.ts';
import { plainText } from '../../answer/plain-text.ts';
import type { Assessment } from '../../evidence/assess.ts';
import type { RankedSentence } from '../../evidence/rank.ts';

/** Letters of one form. */
const MOST_LETTERS = 20;
/** Sentences for each part. */
const MOST_OF_PART = 8;
/** The last ones. */
const MOST_CALCULATIONS = 4;

export interface Lettered {
  letter: string;
  part: string;
  ranked: RankedSentence;
}

/** The passages that a model may choose from, best of each part first. Pure: the same for the same assessment. */
export function letters({ parts, calculations }: Assessment): Lettered[] {
  const open = parts.filter(({ answered }) => answered);
  const each = Math.max(2, Math.min(MOST_OF_PART, Math.floor(MOST_LETTERS / Math.max(1, open.length))));
  const found: Omit<Lettered, 'letter'>[] = [];
  for (const { question, ranked } of open)
    for (const one of ranked.slice(0, each))
      if (found.length < MOST_LETTERS && !found.some(({ ranked: other }) => other.sentence === one.sentence))
        found.push({ part: question.id, ranked: one });
  const [first] = open;
  if (first !== undefined)
    for (const one of calculations.slice(-MOST_CALCULATIONS))
      if (!found.some(({ ranked }) => ranked.sentence.evidence === one.sentence.evidence))
        found.push({ part: first.question.id, ranked: one });
  return found.map((one, at) => ({ ...one, letter: String.fromCharCode(65 + at) }));
}

const rowsOf = (lettered: readonly Lettered[]) =>
  lettered.map(({ letter, ranked: { sentence } }) => ({
    letter,
    text: plainText(sentence.text),
    under: sentence.heading,
    source: sentence.evidence.title,
  }));

/** What every writer is told. */
export function briefOf(question: string, task: string | null, assessment: Assessment, ask: string): Form['brief'] {
  const parts = assessment.parts.flatMap(({ question: { text }, answered }) => (answered ? [{ part: text }] : []));
  return {
    question: ask,
    sections: [
      { heading: 'Question', rows: [{ question, ...(task === null ? {} : { form_of_the_answer: task }) }] },
      { heading: 'Parts', rows: parts },
      { heading: 'Passages', rows: rowsOf(letters(assessment)) },
    ],
  };
}

/** A model's short reason: it stays in the transcript. */
export const why = { type: 'string', maxLength: 120 };
/** How sure a model is, in tenths: a grammar would let a weak model write the digits of a number for ever. */
export const tenths = { type: 'number', enum: [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0] };
export const letterList = (count: number) => ({
  type: 'array',
  items: { type: 'string', enum: Array.from({ length: count }, (_, at) => String.fromCharCode(65 + at)) },
});
export const share = v.exactOptional(v.pipe(v.number(), v.minValue(0), v.maxValue(1)));
