import type { CompletionResponse, FinishReason, Message } from '#core/agent/llm/message.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { InferenceRequest } from './inference.ts';

/** A model with its weights in memory. */
export interface Engine {
  /** Tokens of prompt and answer together. */
  readonly contextLength: number;
  /** One at a time. Never throws; stops soon after `signal` says so. */
  answer(
    request: InferenceRequest,
    onText: (delta: string) => void,
    signal: AbortSignal,
  ): Promise<Result<CompletionResponse>>;
  close(): Promise<void>;
}

/** Chat templates of small models know three roles; what a tool said is told by the user. */
export function plainMessages(
  messages: readonly Message[],
): { role: 'system' | 'user' | 'assistant'; content: string }[] {
  return messages.map(({ role, content }) => ({ role: role === 'tool' ? 'user' : role, content }));
}

/** Blanks in a row from which a model is taken to pad for ever. */
const PADDING = /\s{48}$/;

/** Collects an answer piece by piece. */
export class AnswerText {
  text = '';
  readonly #onText: (delta: string) => void;

  constructor(onText: (delta: string) => void) {
    this.#onText = onText;
  }

  add(delta: string): void {
    if (delta === '') return;
    this.text += delta;
    this.#onText(delta);
  }

  /** True when nothing but blanks has come for long. */
  get padded(): boolean {
    return PADDING.test(this.text);
  }

  /** `finish` null: the stream ended without saying why. */
  end(
    model: string,
    finish: FinishReason | null,
    usage: { tokens_in: number | null; tokens_out: number | null; milliseconds: number },
  ): Result<CompletionResponse> {
    if (finish === null) return fail(failure('model_cut', `The answer of "${model}" broke off.`));
    if (this.text.trim() === '' && finish === 'stop')
      return fail(failure('model_empty', `"${model}" answered nothing.`));
    return ok({ message: { role: 'assistant', content: this.text }, finish_reason: finish, usage });
  }
}

export function paddingFailure(model: string): Result<never> {
  return fail(failure('model_schema', `"${model}" answered with blanks without end and was stopped.`));
}

export function cancelledAnswer(model: string): Result<never> {
  return fail(failure('cancelled', `The question to "${model}" was cancelled.`));
}
