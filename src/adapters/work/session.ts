/**
 * One upload under lease: its rows, and the line to the server. Each save sends what is new and hears what people did
 * meanwhile; between saves the lease is renewed. Once it is lost, everything here stops and nothing more is sent.
 */
import { AccessionError, failure } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import type { Claim, WorkNews, WorkSaved } from '#core/sync/work-protocol.ts';
import type { Result } from '#core/result.ts';
import type { WorkClient } from '../http/work-client.ts';
import type { WorkRows } from './rows.ts';

/** Renewals within the time of a lease. */
const RENEWALS = 4;
/** A save that failed (the server is away) is tried again after this, milliseconds. */
const AGAIN_MS = 2_000;

export interface SessionUsing {
  client: WorkClient;
  clock: Clock;
  /** Resolves after so many milliseconds, or when aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export class WorkSession {
  readonly claim: Claim;
  readonly rows: WorkRows;
  /** Aborted when the lease is lost, or the worker is to stop. */
  readonly lost = new AbortController();
  readonly #using: SessionUsing;
  readonly #onNews: (news: WorkNews) => void;
  #revision: number;
  #heard: number;
  #saving: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(claim: Claim, rows: WorkRows, using: SessionUsing, onNews: (news: WorkNews) => void) {
    this.claim = claim;
    this.rows = rows;
    this.#using = using;
    this.#onNews = onNews;
    this.#revision = claim.revision;
    this.#heard = using.clock.now();
  }

  /** Renews until the session is closed. Resolves then. */
  async keepAlive(): Promise<void> {
    const every = this.claim.lease_ms / RENEWALS;
    const { client, clock, wait } = this.#using;
    while (!this.#closed && !this.lost.signal.aborted) {
      await wait(every, this.lost.signal);
      if (this.#closed || this.lost.signal.aborted || clock.now() - this.#heard < every) continue;
      this.#hear(await client.renew(this.claim.lease_id));
      // Silent for longer than the lease: another worker has it by now.
      if (clock.now() - this.#heard > this.claim.lease_ms) this.lost.abort();
    }
  }

  /**
   * Writes down what was reached; waits while the server cannot be reached. Throws AccessionError `cancelled` where the
   * lease is over. Saves come one after the other.
   */
  save(release = false): Promise<void> {
    this.#saving = this.#saving.catch(() => undefined).then(() => this.#save(release));
    return this.#saving;
  }

  async #save(release: boolean): Promise<void> {
    // Given back or done: there is nothing more to tell.
    if (this.#closed) return;
    const told = this.rows.unsaved();
    // Sent again it is the very same: the server knows by that what it did already and could not say.
    const save = { ...told, revision: this.#revision, state: this.rows.state(), release };
    for (;;) {
      if (this.#closed) return;
      if (this.lost.signal.aborted) throw leaseLost();
      const answer = await this.#using.client.save(this.claim.lease_id, save);
      if (answer.ok) {
        this.rows.saved(told);
        this.#revision = answer.value.revision;
        if (release || save.state === 'done') this.close();
        this.#hear(answer);
        return;
      }
      this.#hear(answer);
      if (!answer.failure.retryable && !this.lost.signal.aborted) throw new AccessionError(answer.failure);
      await this.#using.wait(AGAIN_MS, this.lost.signal);
    }
  }

  /** No more renewals. */
  close(): void {
    this.#closed = true;
  }

  #hear(answer: Result<WorkSaved>): void {
    if (answer.ok) {
      this.#heard = this.#using.clock.now();
      this.#onNews(answer.value.news);
    } else if (answer.failure.code === 'conflict') this.lost.abort();
  }
}

export function leaseLost(): AccessionError {
  return new AccessionError(failure('cancelled', 'Another worker goes on with this upload.'));
}
