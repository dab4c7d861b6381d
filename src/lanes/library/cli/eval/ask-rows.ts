/** Questions with the places of their answers, asked without a model. */
import * as v from 'valibot';
import { answerWithoutModel, assessWithoutModel } from '#lanes/library/core/ask/answer-without-model.ts';
import { composeAnswer } from '#lanes/library/core/ask/answer/compose.ts';
import { quotesAsSentences } from '#lanes/library/core/ask/answer/quotes-writer.ts';
import type { Assessment } from '#lanes/library/core/ask/evidence/assess.ts';
import type { RankedSentence } from '#lanes/library/core/ask/evidence/rank.ts';
import type { LibraryIndex } from '#lanes/library/core/search/library-index.ts';
import { currentLibrary } from '../current-library.ts';
import type { AskedRow } from './ask-figures.ts';

const place = v.pipe(v.number(), v.safeInteger());
const QuestionSchema = v.object({
  question: v.string(),
  corpus: v.nullable(v.string()),
  evidence: v.array(v.object({ start: place, end: place })),
  /** Of the answer itself, where the set says it. */
  answer_span: v.optional(v.nullable(v.tuple([place, place]))),
  answerable: v.boolean(),
});
type Question = v.InferOutput<typeof QuestionSchema>;

export const readQuestions = (text: string): Question[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => v.parse(QuestionSchema, JSON.parse(line)));

/** Every fourth answerable question is asked without its document as well. */
const LEFT_OUT = 4;

/** `data`: where the library of the corpus is kept. */
export async function askRows(questions: readonly Question[], corpus: string, data: string): Promise<AskedRow[]> {
  const index = await currentLibrary({ library: corpus, data, cancel: { aborted: false } });
  const rows: AskedRow[] = [];
  for (const [number, question] of questions.entries()) {
    const set = question.corpus?.split('/')[0] ?? '';
    const held = number % 2 === 1;
    const began = performance.now();
    const { assessment, evidence } = assessWithoutModel(index, question.question);
    const { status } = composeAnswer({ assessment, evidence, sentences: quotesAsSentences(assessment) });
    const ms = performance.now() - began;
    const kind = question.answerable ? 'answerable' : 'unanswerable';
    const at = question.answerable ? placeOf(index, question, assessment) : -1;
    rows.push({ set, kind, held, place: at, abstained: status === 'abstained', ms });
    if (set !== 'xquad' || number % LEFT_OUT > 1) continue;
    const from = performance.now();
    const without = answerWithoutModel(index, question.question, { allows: otherThan(index, question.corpus ?? '') });
    const left = { set, kind: 'left_out', held, place: -1, abstained: without.status === 'abstained' } as const;
    rows.push({ ...left, ms: performance.now() - from });
  }
  return rows;
}

const otherThan =
  (index: LibraryIndex, path: string) =>
  ({ segment, file }: { segment: number; file: number }): boolean =>
    index.parts[segment]?.segment.files[file]?.path !== path;

/** Which of the best quotes holds all of the answer, whether or not it is given. Places of the data are code points. */
function placeOf(index: LibraryIndex, { corpus, evidence, answer_span }: Question, { parts }: Assessment): number {
  const needed =
    answer_span === undefined || answer_span === null ? evidence : [{ start: answer_span[0], end: answer_span[1] }];
  // The parts of a question take turns.
  const quotes: RankedSentence[] = [];
  for (let at = 0; at < 3; at++)
    for (const { ranked } of parts) {
      const one = ranked[at];
      if (one !== undefined) quotes.push(one);
    }
  return quotes.findIndex(({ sentence }) => {
    if (sentence.evidence.path !== corpus) return false;
    const before = pointsBefore(index, corpus, sentence.start);
    const end = before + [...sentence.text].length;
    return needed.some((span) => before <= span.start && span.end <= end);
  });
}

/** How many code points of a file stand before a place of UTF-16 code units. */
function pointsBefore(index: LibraryIndex, path: string, at: number): number {
  for (const { kept, of } of index.files()) if (kept.path === path) return [...of.text(kept, 0, at)].length;
  return at;
}
