/** Whether a model calls a tool when it is offered one: a small request, and what is known from then on. */
import type { CancelSignal } from '../../cancel.ts';
import { failure, type Failure } from '../../errors.ts';
import { ok, fail, type Result } from '../../result.ts';
import { isRecord } from '../tools/tool.ts';
import type { LlmProvider, Message, ToolDefinition } from './provider.ts';
import { standIn } from './stand-in.ts';

const LETTERS = ['A', 'B', 'C'];
const QUESTION: readonly Message[] = [
  { role: 'system', content: 'You answer by calling the tool "choose", and write nothing else.' },
  { role: 'user', content: 'Which of these is a fruit?\nA) a stone\nB) an apple\nC) a river\nCall "choose".' },
];
const TOOL: ToolDefinition = {
  name: 'choose',
  description: 'Takes the letter of the answer.',
  parameters: {
    type: 'object',
    properties: { choice: { type: 'string', enum: LETTERS } },
    required: ['choice'],
    additionalProperties: false,
  },
};
/** A model that thinks first needs room for it. */
const ANSWER_TOKENS = 300;

/** A refusal of tools, an empty answer or one that ran out of room: the model had its chance and made no call. */
const MADE_NONE: readonly Failure['code'][] = ['model_schema', 'model_empty'];

/**
 * One request with one tool. True: it made a call with arguments that fit; false: it did not. Fails where that cannot be
 * told (not reached, cut, cancelled). Never throws.
 */
export async function probeTools(
  complete: LlmProvider['complete'],
  { timeoutMs, signal }: { timeoutMs: number; signal?: CancelSignal | undefined },
): Promise<Result<boolean>> {
  const asked = { maxTokens: ANSWER_TOKENS, temperature: 0, seed: 1, timeoutMs, signal };
  const answer = await complete(QUESTION, [TOOL], asked);
  if (signal?.aborted) return fail(failure('cancelled', 'The question to the model was cancelled.'));
  if (!answer.ok) return MADE_NONE.includes(answer.failure.code) ? ok(false) : answer;
  const { tool_calls: calls = [] } = answer.value.message;
  return ok(calls.some(({ name, arguments: args }) => name === TOOL.name && isRecord(args) && fits(args['choice'])));
}

const fits = (choice: unknown): boolean => typeof choice === 'string' && LETTERS.includes(choice);

/** The provider with what a probe found out about its model; as it is where nothing was. */
export function asProven(provider: LlmProvider, calls: boolean | null): LlmProvider {
  if (calls === null) return provider;
  return standIn(provider, {
    proven: calls,
    get capabilities() {
      return { ...provider.capabilities, nativeTools: calls };
    },
  });
}
