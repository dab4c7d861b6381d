/**
 * The lease of a run, as its worker has it. While the server is away writes wait; once the lease is lost or left, nothing is
 * written any more.
 */
import { AccessionError, type Failure } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import type { Result } from '#core/result.ts';
import type { TakenRun } from '../core/shared/run-protocol.ts';
import type { RunClient } from './run-client.ts';

/** A write that failed (the server is away) is tried again after this, milliseconds. */
const AGAIN_MS = 2_000;
/** Renewals within the time of a lease. */
const RENEWALS = 4;

export interface HeldUsing {
  client: RunClient;
  clock: Clock;
  /** Resolves after so many milliseconds, or when aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** The run is to be cancelled. */
  onCancel(): void;
}

export class HeldRun {
  readonly taken: TakenRun;
  readonly #using: HeldUsing;
  readonly #over = new AbortController();
  #why: Failure | null = null;
  #heardAt: number;

  constructor(taken: TakenRun, using: HeldUsing) {
    this.taken = taken;
    this.#using = using;
    this.#heardAt = using.clock.now();
  }

  /** Why nothing is written any more; null: it is. */
  get why(): Failure | null {
    return this.#why;
  }

  /** Nothing is written from here on. */
  leave(why: Failure): void {
    this.#why ??= why;
    this.#over.abort();
  }

  /** No more renewals. */
  close(): void {
    this.#over.abort();
  }

  /** Renews until it is closed, left or lost. Resolves then. */
  async keepAlive(): Promise<void> {
    const { client, clock, wait } = this.#using;
    const every = this.taken.lease_ms / RENEWALS;
    while (!this.#over.signal.aborted) {
      await wait(every, this.#over.signal);
      if (this.#over.signal.aborted || clock.now() - this.#heardAt < every) continue;
      const heard = await client.renew(this.taken.lease_id);
      if (heard.ok) this.hear(heard.value);
      else if (isOver(heard.failure)) this.leave(heard.failure);
    }
  }

  hear({ cancel }: { cancel: boolean }): void {
    this.#heardAt = this.#using.clock.now();
    if (cancel) this.#using.onCancel();
  }

  /** Asked until it is answered. Throws AccessionError where it is refused, or the lease is over. */
  async asked<Value>(ask: (client: RunClient, lease: string) => Promise<Result<Value>>): Promise<Value> {
    for (;;) {
      if (this.#why !== null) throw new AccessionError(this.#why);
      const answer = await ask(this.#using.client, this.taken.lease_id);
      if (answer.ok) return answer.value;
      const { failure } = answer;
      if (isOver(failure)) this.leave(failure);
      if (!failure.retryable) throw new AccessionError(failure);
      await this.#using.wait(AGAIN_MS, this.#over.signal);
    }
  }
}

/** Of a run that was removed there is no lease, either. */
const isOver = ({ code }: Failure): boolean => code === 'conflict' || code === 'not_found';
