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

export type Lease = ReturnType<typeof createLease>;

export function createLease(
  claim: Claim,
  store: LeasedJobStore,
  { work, clock, wait }: LeaseUsing,
  onNews: (news: WorkNews) => void,
) {
  const { lease_id: id, lease_ms } = claim;
  /** Aborted when the lease is lost. */
  const lost = new AbortController();
  let { revision } = claim;
  let heardAt = clock.now();
  let saving: Promise<void> = Promise.resolve();
  let isClosed = false;
  /** Why nothing can be saved; trying again does not mend it. */
  let refusal: Failure | null = null;

  /** Renews until it is closed. Resolves then. */
  async function keepAlive(): Promise<void> {
    const every = lease_ms / RENEWALS;
    while (!isClosed && !lost.signal.aborted) {
      await wait(every, lost.signal);
      if (isClosed || lost.signal.aborted || clock.now() - heardAt < every) continue;
      hear(await work.renew(id));
      // Silent for longer than the lease: another worker has it by now.
      if (clock.now() - heardAt > lease_ms) lose();
    }
  }

  /**
   * Stores what was reached; waits while the server cannot be reached. Saves come one after the other. `release`: the
   * upload is given back with it. Throws AccessionError `conflict` where the lease is over, else what the server refused it with.
   */
  function save(release = false): Promise<void> {
    saving = saving.catch(() => undefined).then(() => saveNow(release));
    return saving;
  }

  async function saveNow(release: boolean): Promise<void> {
    // Given back, or done: nothing is left to be saved.
    if (isClosed) return;
    if (refusal) throw new AccessionError(refusal);
    const { rows, ...unsaved } = store.unsaved();
    // Sent again it is the very same: the server knows by that what it did already and could not answer.
    const sent = { ...unsaved, revision, state: store.state(), release };
    for (;;) {
      if (isClosed) return;
      if (lost.signal.aborted) throw leaseOver();
      const answer = await work.save(id, sent);
      if (answer.ok) {
        store.saved({ ...unsaved, rows });
        revision = answer.value.revision;
        if (release || sent.state === 'done') close();
        hear(answer);
        return;
      }
      hear(answer);
      if (!answer.failure.retryable && !lost.signal.aborted) {
        refusal = answer.failure;
        throw new AccessionError(answer.failure);
      }
      await wait(AGAIN_MS, lost.signal);
    }
  }

  /** No more renewals. */
  function close(): void {
    isClosed = true;
  }

  function lose(): void {
    store.end();
    lost.abort();
  }

  function hear(answer: Result<WorkSaved>): void {
    if (answer.ok) {
      heardAt = clock.now();
      onNews(answer.value.news);
    } else if (answer.failure.code === 'conflict') lose();
  }

  return { id, lost, keepAlive, save, close, lose };
}
