/**
 * A workflow that ends in a written answer: a text, or JSON of whatever form its reader takes. Beside the choice and the
 * deciding tool it is the third way for a workflow to end, for every lane.
 *
 *   AGENT-93 it has the bounds, repairs, retries, seed and journal of every model call; where none can be had, it ends with
 *            the reason and without an answer
 *   AGENT-94 what is a tool's and not a model's has the same workflow: one call, in the journal before and after
 */
import * as v from 'valibot';
import type { Failure } from '../../errors.ts';
import type { AgentTool } from '../tools/tool.ts';
import type { JsonSchema } from '../llm/provider.ts';
import type { LedDefinition, Step, WrittenForm } from './definition.ts';
import { entriesOf, formOf, lastOf } from './journal.ts';
import type { JournalEntry, Workflow } from './workflow.ts';

const Asked = v.object({
  kind: v.literal('ask'),
  system: v.nullable(v.string()),
  user: v.string(),
  /** Tokens of the answer at most. */
  max_tokens: v.pipe(v.number(), v.minValue(1)),
});
const Called = v.object({ kind: v.literal('call'), tool: v.string(), input: v.record(v.string(), v.unknown()) });

export const WrittenInputSchema = v.object({
  /** What it is about, for the trace: one line. */
  about: v.string(),
  do: v.variant('kind', [Asked, Called]),
});
export type WrittenInput = v.InferOutput<typeof WrittenInputSchema>;

const WrittenActionSchema = v.object({ written: v.boolean() });
export type WrittenAction = v.InferOutput<typeof WrittenActionSchema>;
export type WrittenWorkflow = Workflow<WrittenInput, WrittenAction>;

/** The one form of such a workflow. */
const FORM = 'answer';

export interface Writing<Context> {
  read: WrittenForm['read'];
  json: JsonSchema | null;
  /** Characters of the answer at most. */
  most: number;
  /** Those that a call of this workflow may name. */
  tools: readonly AgentTool<Context>[];
}

export function writtenAnswer<Context>(writing: Writing<Context>): LedDefinition<WrittenInput, WrittenAction, Context> {
  return {
    name: 'written',
    version: 1,
    input: WrittenInputSchema,
    action: WrittenActionSchema,
    tools: writing.tools,
    opens: ({ about }) => ({ content: about, data: {} }),
    next: (input, journal) => nextStep(input, journal, writing),
  };
}

function nextStep<Context>(
  { do: task }: WrittenInput,
  journal: readonly JournalEntry[],
  { read, json, most }: Writing<Context>,
): Step<WrittenAction> {
  const end = (written: boolean, why: string): Step<WrittenAction> => ({ kind: 'act', action: { written }, why });
  if (task.kind === 'call') {
    if (lastOf(journal, 'tool_ended') !== null) return end(true, 'The tool answered.');
    const refused = lastOf(journal, 'tool_failed');
    if (refused !== null) return end(false, refused.failure.message);
    return { kind: 'call', tool: task.tool, input: task.input, by: 'code' };
  }
  const form = formOf(journal, FORM);
  if (form?.kind === 'written') return end(true, 'The answer is written.');
  if (form !== null) return end(false, form.sentence);
  const { system, user, max_tokens } = task;
  return {
    kind: 'write',
    form: {
      name: FORM,
      instructions: '',
      brief: { question: '', sections: [] },
      answer: null,
      maxTokens: max_tokens,
      written: { system, user, read, json, most },
    },
  };
}

/** What came of it: `open` while it is not known, and where it was stopped from outside. */
export type WrittenOutcome =
  | { kind: 'open' }
  | { kind: 'answer'; value: unknown }
  /** `bound`: what stopped it; `failure`: of the model or the tool, where that is why. */
  | { kind: 'none'; bound: string; sentence: string; failure: Failure | null };

/** From the journal alone. */
export function writtenOutcome(journal: readonly JournalEntry[]): WrittenOutcome {
  const called = lastOf(journal, 'tool_ended');
  if (called !== null) return { kind: 'answer', value: called.output };
  const refused = lastOf(journal, 'tool_failed');
  if (refused !== null)
    return { kind: 'none', bound: 'tool', sentence: refused.failure.message, failure: refused.failure };
  const form = formOf(journal, FORM);
  if (form?.kind === 'written') return { kind: 'answer', value: form.value };
  if (form !== null) {
    const failure = form.bound === 'model' ? (lastOf(journal, 'model_failed')?.failure ?? null) : null;
    return { kind: 'none', bound: form.bound, sentence: form.sentence, failure };
  }
  const broken = lastOf(journal, 'error');
  if (broken === null) return { kind: 'open' };
  return { kind: 'none', bound: 'error', sentence: broken.failure.message, failure: broken.failure };
}

/** Model calls that were begun. */
export const callsIn = (journal: readonly JournalEntry[]): number => entriesOf(journal, 'model_started').length;
