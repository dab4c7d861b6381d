import * as v from 'valibot';
import type { Answer } from '../answer/answer.types.ts';
import { AskOptionsSchema } from './options.ts';

/** Characters of a question. */
const MOST_QUESTION = 4000;

export const AskInputSchema = v.object({
  /** Only this is searched for. */
  question: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty('the question is empty'),
    v.maxLength(MOST_QUESTION, `the question is longer than ${MOST_QUESTION} characters`),
  ),
  /** How the answer is to be given: "as a table"; null: in sentences. */
  task: v.nullable(v.string()),
  /** The question before, where this one follows on from it. */
  after: v.exactOptional(v.nullable(v.pipe(v.string(), v.maxLength(MOST_QUESTION)))),
  options: AskOptionsSchema,
  /** What `auto` came to. */
  planner: v.picklist(['code', 'model']),
  writer: v.picklist(['quotes', 'choice', 'text']),
  /** Changes when anything in the library does. */
  library: v.string(),
  /** `rag_retrieve@1 calculator@1`. */
  tools: v.string(),
});
export type AskInput = v.InferOutput<typeof AskInputSchema>;

export const AskActionSchema = v.object({
  type: v.literal('Answer'),
  answer: v.custom<Answer>((value) => typeof value === 'object' && value !== null && 'answer_text' in value),
});
export interface AskAction {
  type: 'Answer';
  answer: Answer;
}
