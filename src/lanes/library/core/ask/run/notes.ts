/** What code writes into the journal of a run: found out once, read from there ever after. */
import * as v from 'valibot';
import { WANTS } from '../question/question.types.ts';

const SubQuestionSchema = v.object({
  id: v.string(),
  text: v.string(),
  wants: v.picklist(WANTS),
  terms: v.array(
    v.object({
      term: v.string(),
      word: v.string(),
      weight: v.number(),
      kind: v.picklist(['word', 'name', 'number']),
    }),
  ),
});
const RequestSchema = v.object({ name: v.string(), input: v.record(v.string(), v.unknown()) });
const StopIfSchema = v.object({
  confidence: v.exactOptional(v.number()),
  iter: v.exactOptional(v.number()),
  tokens: v.exactOptional(v.number()),
});
/** How much the library said that terms tell. */
const weights = v.record(v.string(), v.number());
const iter = v.pipe(v.number(), v.integer(), v.minValue(1));

export const NoteSchema = v.variant('step', [
  v.object({ step: v.literal('analysed'), subquestions: v.array(SubQuestionSchema), weights }),
  v.object({
    step: v.literal('planned'),
    iter,
    by: v.picklist(['code', 'model']),
    subquestions: v.array(SubQuestionSchema),
    weights,
    /** What a model named to be looked up beside them. */
    searched: v.array(v.string()),
    expanded_queries: v.array(v.string()),
    requested_tools: v.array(RequestSchema),
    stop_if: StopIfSchema,
    /** What a model wanted and did not get, a sentence each. */
    refused: v.array(v.string()),
    /** The model's short why. */
    rationale: v.nullable(v.string()),
    /** How sure the model says it is. */
    said: v.nullable(v.number()),
  }),
  v.object({
    step: v.literal('assessed'),
    iter,
    confidence: v.number(),
    sufficient: v.boolean(),
    added: v.number(),
    stop: v.nullable(
      v.object({
        bound: v.picklist(['sufficient', 'confidence', 'iterations', 'tokens', 'cost', 'nothing new']),
        sentence: v.string(),
      }),
    ),
  }),
  /** Sources that changed since they were found, by `source_id`. */
  v.object({ step: v.literal('changed'), source_ids: v.array(v.string()) }),
]);
export type Note = v.InferOutput<typeof NoteSchema>;
export type PlanNote = Extract<Note, { step: 'planned' }>;
