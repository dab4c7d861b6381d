/**
 * The lease of one upload: saves send what is new and bring news of what people did meanwhile; between saves the lease is
 * renewed. Once it is lost, the store takes no changes and nothing more is sent.
 */
import { AccessionError, type Failure } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import type { Result } from '#core/result.ts';
import type { Claim, WorkNews, WorkSaved } from '#core/sync/work-protocol.ts';
import type { WorkClient } from '../http/work-client.ts';
import { leaseOver, type LeasedJobStore } from './leased-store.ts';

/** Renewals within the time of a lease. */
const RENEWALS = 4;
/** A save that failed (the server is away) is tried again after this, milliseconds. */
const AGAIN_MS = 2_000;

export interface LeaseUsing {
  work: Pick<WorkClient, 'save' | 'renew'>;
  clock: Clock;
  /** Resolves after so many milliseconds, or when aborted. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export class Lease {
  readonly id: string;
  /** Aborted when the lease is lost. */
  readonly lost = new AbortController();
  readonly #claim: Claim;
  readonly #store: LeasedJobStore;
  readonly #using: LeaseUsing;
  readonly #onNews: (news: WorkNews) => void;
  #revision: number;
  #heardAt: number;
  #saving: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** Why nothing can be saved; trying again does not mend it. */
  #refusal: Failure | null = null;

  constructor(claim: Claim, store: LeasedJobStore, using: LeaseUsing, onNews: (news: WorkNews) => void) {
    this.id = claim.lease_id;
    this.#claim = claim;
    this.#store = store;
    this.#using = using;
    this.#onNews = onNews;
    this.#revision = claim.revision;
    this.#heardAt = using.clock.now();
  }

  /** Renews until it is closed. Resolves then. */
  async keepAlive(): Promise<void> {
    const every = this.#claim.lease_ms / RENEWALS;
    const { work, clock, wait } = this.#using;
    while (!this.#isClosed && !this.lost.signal.aborted) {
      await wait(every, this.lost.signal);
      if (this.#isClosed || this.lost.signal.aborted || clock.now() - this.#heardAt < every) continue;
      this.#hear(await work.renew(this.id));
      // Silent for longer than the lease: another worker has it by now.
      if (clock.now() - this.#heardAt > this.#claim.lease_ms) this.lose();
    }
  }

  /**
   * Stores what was reached; waits while the server cannot be reached. Saves come one after the other. `release`: the
   * upload is given back with it. Throws AccessionError `conflict` where the lease is over, else what the server refused it with.
   */
  save(release = false): Promise<void> {
    this.#saving = this.#saving.catch(() => undefined).then(() => this.#save(release));
    return this.#saving;
  }

  async #save(release: boolean): Promise<void> {
    // Given back, or done: nothing is left to be saved.
    if (this.#isClosed) return;
    if (this.#refusal) throw new AccessionError(this.#refusal);
    const { rows, ...unsaved } = this.#store.unsaved();
    // Sent again it is the very same: the server knows by that what it did already and could not answer.
    const save = { ...unsaved, revision: this.#revision, state: this.#store.state(), release };
    for (;;) {
      if (this.#isClosed) return;
      if (this.lost.signal.aborted) throw leaseOver();
      const answer = await this.#using.work.save(this.id, save);
      if (answer.ok) {
        this.#store.saved({ ...unsaved, rows });
        this.#revision = answer.value.revision;
        if (release || save.state === 'done') this.close();
        this.#hear(answer);
        return;
      }
      this.#hear(answer);
      if (!answer.failure.retryable && !this.lost.signal.aborted) {
        this.#refusal = answer.failure;
        throw new AccessionError(answer.failure);
      }
      await this.#using.wait(AGAIN_MS, this.lost.signal);
    }
  }

  /** No more renewals. */
  close(): void {
    this.#isClosed = true;
  }

  lose(): void {
    this.#store.end();
    this.lost.abort();
  }

  #hear(answer: Result<WorkSaved>): void {
    if (answer.ok) {
      this.#heardAt = this.#using.clock.now();
      this.#onNews(answer.value.news);
    } else if (answer.failure.code === 'conflict') this.lose();
  }
}
