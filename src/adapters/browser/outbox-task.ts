/** One outbox item, from "uploading" to an answer: upload, commit, and what the answer means. */
import { failure, type Failure } from '#core/errors.ts';
import { bodySha } from '#core/sync/outbox-item.ts';
import type { OutboxItem } from '#core/sync/outbox.types.ts';
import type { CommitResponse } from '#core/sync/protocol.ts';
import type { CatalogClient } from '../http/catalog-client.ts';
import type { Uploader } from '../http/upload.ts';
import { applyOutboxEvent, type OutboxContext } from './outbox-store.ts';

export interface OutboxTaskOptions {
  context: OutboxContext;
  client: Pick<CatalogClient, 'commit'>;
  upload: Uploader;
  /** Ends the task; the item goes back to waiting. */
  abort: AbortController;
}

export type TaskEnd =
  | { type: 'published'; response: CommitResponse }
  | { type: 'failed'; failure: Failure }
  /** The decision was taken back in the meantime. */
  | { type: 'gone' };

const PROGRESS_EVERY_MS = 500;

/** Runs an item that was just set to `uploading`. Every outcome is stored before this answers. */
export async function runOutboxItem(options: OutboxTaskOptions, item: OutboxItem): Promise<TaskEnd> {
  const { context, abort } = options;
  const failed = async (reason: Failure): Promise<TaskEnd> => {
    const step = await applyOutboxEvent(context, item, { type: 'failed', failure: reason });
    return step === null ? { type: 'gone' } : { type: 'failed', failure: reason };
  };

  if (bodySha(item.body) !== item.body_sha) {
    return failed(
      failure(
        'invalid',
        `What was to be published for "${item.body.original_filename}" has changed since it was approved.`,
      ),
    );
  }
  // A commit whose answer was lost is asked for again first: if it was accepted, there is nothing to upload.
  if (item.commit_sent !== true) {
    const uploaded = await options.upload({
      sha256: item.blob_sha256,
      size: item.blob_size,
      name: item.body.original_filename,
      fresh: (item.mismatches ?? 0) > 0,
      onProgress: progressOf(context, item, abort),
      signal: abort.signal,
    });
    if (!uploaded.ok) return failed(uploaded.failure);
  }
  const committing = await applyOutboxEvent(context, item, { type: 'uploaded' });
  if (committing?.item?.state !== 'committing') return { type: 'gone' };
  const answer = await options.client.commit(item.body, item.key, abort.signal);
  if (!answer.ok) return failed(abort.signal.aborted ? answer.failure : asRefusal(answer.failure));
  await applyOutboxEvent(context, item, { type: 'accepted', response: answer.value });
  return { type: 'published', response: answer.value };
}

/**
 * What the server's refusal means here. It does not have the bytes (any more): they are here, so they are sent again.
 * `cancelled` is somebody's word about the job there, not the end of our own request: never tried again (SYNC-29).
 */
function asRefusal(reason: Failure): Failure {
  if (reason.code === 'blob_missing') return failure('hash_mismatch', reason.message);
  return reason.code === 'cancelled' ? failure('rejected', reason.message) : reason;
}

/** Stores progress now and then; a row that is gone stops the upload. */
function progressOf(context: OutboxContext, item: OutboxItem, abort: AbortController): (bytes: number) => void {
  let said = -Infinity;
  return (bytes) => {
    const now = context.clock.now();
    if (now - said < PROGRESS_EVERY_MS) return;
    said = now;
    applyOutboxEvent(context, item, { type: 'progress', bytes }).then(
      (step) => {
        if (step === null) abort.abort();
      },
      // The database is closed or another tab has taken over: the task's next write says so.
      () => undefined,
    );
  };
}
