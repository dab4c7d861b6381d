import * as v from 'valibot';
import type { AgentTool } from '../../agent/tools/tool.ts';
import { wordTool } from '../../agent/tools/word-tool.ts';

const Words = v.strictObject({
  option: v.pipe(v.string(), v.description('The option that is right, by its handle')),
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  reasoning: v.pipe(v.string(), v.maxLength(600), v.description('Why, in one sentence')),
});
export const ChosenSchema = Words;

/** Ends the doubt. Only an option that was shown can be named. */
export const chooseOption: AgentTool<unknown, v.InferOutput<typeof Words>, v.InferOutput<typeof Words>> = wordTool(
  'choose_option',
  'Commit the answer: this option is right. Call it once, when the names and the catalog agree.',
  Words,
  { option: 'option' },
);

export const leaveToPerson = wordTool(
  'leave_to_person',
  'Leave the decision to a person, when several options are as likely or none is right.',
  v.strictObject({
    reasoning: v.pipe(v.string(), v.maxLength(600), v.description('What is uncertain, in one sentence')),
  }),
);
