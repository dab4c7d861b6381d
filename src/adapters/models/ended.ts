import type { CancelSignal } from '#core/agent/llm/provider.ts';
import { failure, type Failure } from '#core/errors.ts';
import { fail, type Result } from '#core/result.ts';
import type { Timers } from '../http/socket.ts';

/** The two ends of a question that do not come from the model: the person's, and the clock's. */
export class Ended {
  readonly promise: Promise<Result<never>>;
  over = false;
  readonly #timers: Timers;
  readonly #signal: CancelSignal | undefined;
  readonly #onAbort = (): void => this.#end(failure('cancelled', 'The question to the model was cancelled.'));
  #resolve: (result: Result<never>) => void = () => undefined;
  #timer: unknown = null;

  constructor(timers: Timers, signal: CancelSignal | undefined) {
    this.#timers = timers;
    this.#signal = signal;
    this.promise = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    if (signal?.aborted === true) this.#onAbort();
    signal?.addEventListener('abort', this.#onAbort);
  }

  /** Replaces the limit that ran before. */
  after(ms: number, sentence: string): void {
    if (this.#timer !== null) this.#timers.clear(this.#timer);
    this.#timer = this.#timers.set(() => this.#end(failure('model_timeout', sentence)), ms);
  }

  clear(): void {
    if (this.#timer !== null) this.#timers.clear(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  #end(why: Failure): void {
    this.over = true;
    this.#resolve(fail(why));
  }
}
