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
import { isRecord, type AgentTool } from '../tools/tool.ts';
import type { JsonSchema, ToolDefinition } from '../llm/provider.ts';
import type { LedDefinition, Step, WrittenForm } from './definition.ts';
import { entriesOf, formOf, lastOf } from './journal.ts';
import type { JournalEntry, Workflow } from './workflow.ts';
import { foundByCalls, lookForm, lookName, looksSoFar } from './written-looks.ts';

const Asked = v.object({
  kind: v.literal('ask'),
  system: v.nullable(v.string()),
  user: v.string(),
  /** Tokens of the answer at most. */
  max_tokens: v.pipe(v.number(), v.minValue(1)),
  /** How often the model may call a tool before it answers; absent: never. */
  looks: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
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

/** The form that it ends in, where no look has the answer. */
const FORM = 'answer';
/** Looks that any task may have. */
const MOST_LOOKS = 100;

const answerOf = (look: unknown): unknown => (isRecord(look) ? look['answer'] : undefined);

export interface Writing<Context> {
  read: WrittenForm['read'];
  json: JsonSchema | null;
  /** Characters of the answer at most. */
  most: number;
  /** Those that a call of this workflow may name. */
  tools: readonly AgentTool<Context>[];
  /** As the model is told of them, where it may call them. */
  offered?: readonly ToolDefinition[];
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
  { read, json, most, offered = [] }: Writing<Context>,
): Step<WrittenAction> {
  const end = (written: boolean, why: string): Step<WrittenAction> => ({ kind: 'act', action: { written }, why });
  if (task.kind === 'call') {
    if (lastOf(journal, 'tool_ended') !== null) return end(true, 'The tool answered.');
    const refused = lastOf(journal, 'tool_failed');
    if (refused !== null) return end(false, refused.failure.message);
    return { kind: 'call', tool: task.tool, input: task.input, by: 'code' };
  }
  const { system, user, max_tokens, looks = 0 } = task;
  const rounds = offered.length === 0 ? 0 : looks;
  const so = looksSoFar(journal, rounds);
  const form = so.end ?? formOf(journal, FORM);
  if (form?.kind === 'written') return end(true, 'The answer is written.');
  if (form !== null) return end(false, form.sentence);
  if (so.call !== null) return { kind: 'call', ...so.call, by: 'model' };
  const answer: WrittenForm = { system, user, read, json, most };
  const last = so.round > rounds;
  return {
    kind: 'write',
    form: {
      name: last ? FORM : lookName(so.round),
      instructions: '',
      brief: { question: '', sections: foundByCalls(journal) },
      answer: null,
      maxTokens: max_tokens,
      written: last ? answer : lookForm(answer, offered, rounds - so.round + 1),
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
  const byCode = entriesOf(journal, 'tool_started').find(({ by }) => by === 'code')?.call;
  const called = entriesOf(journal, 'tool_ended').find(({ call }) => call === byCode);
  if (called !== undefined) return { kind: 'answer', value: called.output };
  const refused = entriesOf(journal, 'tool_failed').find(({ call }) => call === byCode);
  if (refused !== undefined)
    return { kind: 'none', bound: 'tool', sentence: refused.failure.message, failure: refused.failure };
  const form = formOf(journal, FORM) ?? looksSoFar(journal, MOST_LOOKS).end;
  if (form?.kind === 'written')
    return { kind: 'answer', value: form.form === FORM ? form.value : answerOf(form.value) };
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
