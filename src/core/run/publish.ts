/** Sends what waits in the outbox: upload, commit, and what the answer means. A few items at a time. */
import { CancelSource, type CancelSignal } from '../cancel.ts';
import { failure, type Failure } from '../errors.ts';
import type { Result } from '../result.ts';
import { bodySha, type OutboxItem } from '../sync/outbox-item.ts';
import type { CommitRequest, CommitResponse } from '../sync/protocol.ts';
import { applyOutboxEvent, nextOfOutbox, type OutboxContext } from './outbox.ts';

export interface PublishPorts {
  /** POST /v1/ingestion/commits under this idempotency key. */
  commit(body: CommitRequest, key: string, signal: CancelSignal): Promise<Result<CommitResponse>>;
  upload(wanted: {
    sha256: string;
    size: number;
    name: string;
    /** What is there under this hash is not what was promised: begin again. */
    fresh: boolean;
    onProgress(bytes: number): void;
    signal: CancelSignal;
  }): Promise<Result<unknown>>;
}

/** What is known of the way to the server. */
export interface Link {
  online: boolean;
  /** The server takes the token that is there. */
  authorized: boolean;
}

export type PublishEnd =
  | { type: 'published'; response: CommitResponse }
  | { type: 'failed'; failure: Failure }
  /** The decision was taken back in the meantime. */
  | { type: 'gone' };

const PROGRESS_EVERY_MS = 500;

export class Publisher {
  readonly #context: OutboxContext;
  readonly #ports: PublishPorts;
  /** Called at the end of each item; `run` resolves after it. */
  readonly #ended: (item: OutboxItem, end: PublishEnd) => void;
  /** Keeps hold of an item's run. */
  readonly #track: (run: Promise<void>) => void;
  readonly #running = new Map<string, CancelSource>();
  #isStopped = false;

  constructor(
    context: OutboxContext,
    ports: PublishPorts,
    ended: (item: OutboxItem, end: PublishEnd) => void,
    track: (run: Promise<void>) => void,
  ) {
    this.#context = context;
    this.#ports = ports;
    this.#ended = ended;
    this.#track = track;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /**
   * Begins what may begin. `link`: asked before each item, since the end of one may say that no other can be sent. Answers
   * until when nothing else is due (milliseconds since the epoch), null: nobody knows.
   */
  async pump(link: () => Link): Promise<number | null> {
    const { store, clock } = this.#context;
    for (;;) {
      if (this.#isStopped) return null;
      const { online, authorized } = link();
      const { action, active } = await nextOfOutbox(store, clock.now(), online, authorized);
      // Under way, says the row, but nobody works on it: a write failed in between.
      const orphan = active.find((item) => !this.#running.has(item.key));
      if (orphan !== undefined) {
        const why = failure('internal', `Publishing "${orphan.body.original_filename}" broke off on this device.`);
        await applyOutboxEvent(this.#context, orphan, { type: 'failed', failure: why });
        continue;
      }
      if (action.type === 'run') await this.#begin(action.item);
      else if (action.type === 'block')
        await applyOutboxEvent(this.#context, action.item, { type: 'blocked', by: action.by });
      else return action.type === 'wait' ? action.until : null;
    }
  }

  /** What is under way ends, for good; its items go back to waiting. */
  stop(): void {
    this.#isStopped = true;
    for (const abort of this.#running.values()) abort.abort();
  }

  async #begin(item: OutboxItem): Promise<void> {
    const started = (await applyOutboxEvent(this.#context, item, { type: 'start' }))?.item;
    if (started?.state !== 'uploading') return;
    if (this.#isStopped) {
      await applyOutboxEvent(this.#context, started, { type: 'interrupted' });
      return;
    }
    const abort = new CancelSource();
    this.#running.set(item.key, abort);
    this.#track(this.#run(started, abort));
  }

  async #run(item: OutboxItem, abort: CancelSource): Promise<void> {
    try {
      this.#ended(item, await publishItem(this.#context, this.#ports, item, abort));
    } finally {
      this.#running.delete(item.key);
    }
  }
}

/** Runs an item that was just set to `uploading`. Every outcome is stored before this answers. */
async function publishItem(
  context: OutboxContext,
  ports: PublishPorts,
  item: OutboxItem,
  signal: CancelSource,
): Promise<PublishEnd> {
  const failed = async (reason: Failure, type: 'failed' | 'cancelled' = 'failed'): Promise<PublishEnd> => {
    const step = await applyOutboxEvent(context, item, { type, failure: reason });
    return step === null ? { type: 'gone' } : { type: 'failed', failure: reason };
  };
  const name = item.body.original_filename;
  if (bodySha(item.body) !== item.body_sha)
    return failed(failure('invalid', `What was to be published for "${name}" has changed since it was approved.`));
  // A commit whose answer was lost is asked for again first: if it was accepted, there is nothing to upload.
  if (item.commit_sent !== true) {
    const uploaded = await ports.upload({
      sha256: item.blob_sha256,
      size: item.blob_size,
      name,
      fresh: (item.mismatches ?? 0) > 0,
      onProgress: progressOf(context, item, signal),
      signal,
    });
    if (!uploaded.ok) return failed(uploaded.failure);
  }
  const committing = await applyOutboxEvent(context, item, { type: 'uploaded' });
  if (committing?.item?.state !== 'committing') return { type: 'gone' };
  await context.store.kept();
  const answer = await ports.commit(item.body, item.key, signal);
  if (!answer.ok) {
    if (signal.aborted) return failed(answer.failure);
    // Somebody's word about the job there, not the end of our own request (SYNC-29, FAULT-9).
    if (answer.failure.code === 'cancelled') return failed(answer.failure, 'cancelled');
    return failed(asRefusal(answer.failure));
  }
  await applyOutboxEvent(context, item, { type: 'accepted', response: answer.value });
  return { type: 'published', response: answer.value };
}

/** A server that does not have the bytes (any more): they are here, so they are sent again. */
function asRefusal(reason: Failure): Failure {
  return reason.code === 'blob_missing' ? failure('hash_mismatch', reason.message) : reason;
}

/** Stores progress now and then; a row that is gone stops the upload. */
function progressOf(context: OutboxContext, item: OutboxItem, abort: CancelSource): (bytes: number) => void {
  let written = -Infinity;
  return (bytes) => {
    const now = context.clock.now();
    if (now - written < PROGRESS_EVERY_MS) return;
    written = now;
    applyOutboxEvent(context, item, { type: 'progress', bytes }).then(
      (step) => {
        if (step === null) abort.abort();
      },
      // The database is closed or another tab has taken over: the next write of the run says so.
      () => undefined,
    );
  };
}
