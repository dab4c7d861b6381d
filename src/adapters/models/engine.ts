import type { CompletionResponse, FinishReason, JsonSchema, Message } from '#core/agent/llm/provider.ts';
import { failure, type Failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { InferenceRequest } from './model-api.ts';

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
  /** The vector of one text; absent where it was not loaded for that. Never throws. */
  embed?(text: string): Promise<Result<number[]>>;
  close(): Promise<void>;
}

/** Chat templates of small models know three roles; what a tool said is sent as the user's. */
export function plainMessages(
  messages: readonly Message[],
): { role: 'system' | 'user' | 'assistant'; content: string }[] {
  return messages.map(({ role, content }) => ({ role: role === 'tool' ? 'user' : role, content }));
}

/** Blanks in a row from which a model is taken to pad for ever. */
const PADDING = /\s{48}$/;

/** How an answer ended. `finish` null: without saying why. */
export interface Ending {
  finish: FinishReason | null;
  tokens_in: number | null;
  tokens_out: number | null;
}

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

export function cancelledAnswer(model: string): Result<never> {
  return fail(failure('cancelled', `The question to "${model}" was cancelled.`));
}

/**
 * One answer of `ask`, which adds its pieces as they come, says how it ended, and ends soon after `interrupt`.
 * @param inWords what the library threw
 */
export async function collectAnswer(
  model: string,
  { onText, signal, interrupt }: { onText: (delta: string) => void; signal: AbortSignal; interrupt: () => void },
  ask: (answer: AnswerText) => Promise<Ending>,
  inWords: (thrown: unknown) => Failure,
): Promise<Result<CompletionResponse>> {
  const started = performance.now();
  const answer = new AnswerText(onText);
  const stopped = (): Result<never> | null => {
    if (signal.aborted) return cancelledAnswer(model);
    if (!answer.padded) return null;
    return fail(failure('model_schema', `"${model}" answered with blanks without end and was stopped.`));
  };
  signal.addEventListener('abort', interrupt);
  try {
    const { finish, ...tokens } = await ask(answer);
    return stopped() ?? answer.end(model, finish, { ...tokens, milliseconds: performance.now() - started });
  } catch (thrown) {
    return stopped() ?? fail(inWords(thrown));
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}

/** Characters of the longest text that the schema allows; Infinity where one has no limit. */
export function longestText(schema: JsonSchema): number {
  let longest = 0;
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('type' in part && part.type === 'string' && !('enum' in part)) {
      const most = 'maxLength' in part ? part.maxLength : null;
      longest = Math.max(longest, typeof most === 'number' ? most : Infinity);
    }
    Object.values(part).forEach(walk);
  };
  walk(schema);
  return longest;
}

/** Reads JSON as it comes and says when one of its texts grows longer than any may be. */
export class TextLimit {
  passed = false;
  readonly #limit: number;
  #inside = false;
  #escaped = false;
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** True from the piece on in which it happened. Keys count as texts: none is longer. */
  passedBy(piece: string): boolean {
    for (const char of piece) {
      if (!this.#inside) {
        this.#inside = char === '"';
        this.#length = 0;
      } else if (this.#escaped) {
        this.#escaped = false;
        this.#length += 1;
      } else if (char === '\\') {
        this.#escaped = true;
      } else if (char === '"') {
        this.#inside = false;
      } else {
        this.#length += 1;
      }
      // Enumerated answers and keys are short: a schema without texts sets no limit.
      if (this.#limit > 0 && this.#length > this.#limit) this.passed = true;
    }
    return this.passed;
  }
}
