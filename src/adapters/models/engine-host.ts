/**
 * Who answers questions inside model.worker: holds one loaded model, answers one question after the other, and lets the
 * model go when another is wanted or it failed for good.
 */
import type { CompletionResponse } from '#core/agent/llm/provider.ts';
import { failure, toFailure, type FailureCode } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { cancelledAnswer, type Engine } from './engine.ts';
import type { InferenceApi, InferenceRequest, ModelChoice } from './model-api.ts';

/** After these the engine is of no use any more; the next question loads it anew. */
const FATAL: readonly FailureCode[] = ['gpu_lost', 'worker_died', 'model_damaged'];

export class EngineHost implements InferenceApi {
  readonly #open: (choice: ModelChoice) => Promise<Result<Engine>>;
  readonly #tickets = new Map<number, { stop: AbortController; done: Promise<unknown> }>();
  #held: { key: string; engine: Engine } | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(open: (choice: ModelChoice) => Promise<Result<Engine>>) {
    this.#open = open;
  }

  load(choice: ModelChoice): Promise<Result<{ contextLength: number }>> {
    return this.#inTurn(async () => {
      const engine = await this.#engine(choice);
      return engine.ok ? ok({ contextLength: engine.value.contextLength }) : engine;
    });
  }

  infer(
    ticket: number,
    choice: ModelChoice,
    request: InferenceRequest,
    onText: (delta: string) => void,
  ): Promise<Result<CompletionResponse>> {
    const stop = new AbortController();
    const done = this.#inTurn(async () => {
      if (stop.signal.aborted) return cancelledAnswer(choice.id);
      const engine = await this.#engine(choice);
      if (!engine.ok) return engine;
      const answer = await engine.value.answer(request, onText, stop.signal);
      if (!answer.ok && FATAL.includes(answer.failure.code)) await this.close();
      return answer;
    }).finally(() => this.#tickets.delete(ticket));
    this.#tickets.set(ticket, { stop, done });
    return done;
  }

  embed(choice: ModelChoice, text: string): Promise<Result<number[]>> {
    return this.#inTurn(async () => {
      const engine = await this.#engine(choice);
      if (!engine.ok) return engine;
      if (engine.value.embed === undefined)
        return fail(failure('model_error', `The model "${choice.id}" makes no vectors.`));
      const answer = await engine.value.embed(text);
      if (!answer.ok && FATAL.includes(answer.failure.code)) await this.close();
      return answer;
    });
  }

  async stop(ticket: number): Promise<void> {
    const running = this.#tickets.get(ticket);
    running?.stop.abort();
    // Sent when the answer is over: whoever asks knows then that the engine is free.
    await running?.done;
  }

  /** Lets the model go: its file may be deleted then. */
  async close(): Promise<void> {
    const held = this.#held;
    this.#held = null;
    await held?.engine.close().catch(() => undefined);
  }

  async #engine(choice: ModelChoice): Promise<Result<Engine>> {
    const key = JSON.stringify([choice.engine, choice.id, choice.contextLength, choice.embeds]);
    if (this.#held?.key === key) return ok(this.#held.engine);
    await this.close();
    const opened = await this.#open(choice);
    if (opened.ok) this.#held = { key, engine: opened.value };
    return opened;
  }

  #inTurn<T>(work: () => Promise<Result<T>>): Promise<Result<T>> {
    const mine = this.#turn.then(work).catch((thrown: unknown): Result<T> => {
      const { code, message } = toFailure(thrown);
      return fail(failure(code === 'internal' ? 'model_error' : code, message));
    });
    this.#turn = mine;
    return mine;
  }
}
