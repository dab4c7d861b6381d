import { createSHA256, type IHasher } from 'hash-wasm';
import * as v from 'valibot';
import { CommitRequestSchema, type CommitRequest } from './protocol.ts';
import type { Failure } from '../errors.ts';

/**
 * One approved result on its way to the catalog. FIFO per entity (the track).
 *
 *   waiting -> uploading -> committing -> done (row deleted, job COMPLETED)
 *      ^           |            |
 *      +-- retry (nextAt) ------+      parked: needs a person; shown, never silently dropped
 */
export interface OutboxItem {
  schema_version: 1;
  /** Idempotency key; also the row's key. */
  key: string;
  job_id: string;
  /** FIFO within the same entity: `track:<id>`. */
  entity: string;
  /** What is sent to POST /v1/ingestion/commits. */
  body: CommitRequest;
  /** SHA-256 of the JSON of `body`. */
  body_sha: string;
  blob_sha256: string;
  blob_size: number;
  depends_on: string[];
  state: 'waiting' | 'uploading' | 'committing' | 'parked';
  attempts: number;
  /** Not before this time. Never null while `waiting`: an item is never forgotten. */
  next_at: number;
  created_at: number;
  uploaded_bytes: number;
  /** Uploads that the server found not to have the promised hash, in a row; absent means none. */
  mismatches?: number;
  /**
   * A commit was sent and its answer never arrived: it may have been accepted. Until a definite answer
   * comes, the item cannot be taken back.
   */
  commit_sent?: boolean;
  failure: Failure | null;
  epoch: number;
}

let hasher: IHasher | null = null;

/**
 * To be awaited once before the first item is made. Not where an item is made: that is inside an IndexedDB
 * transaction, which would end at a foreign await. And not at the top of this module: a worker whose modules
 * await loses the messages that arrive in the meantime.
 */
export async function prepareOutboxItems(): Promise<void> {
  hasher ??= await createSHA256();
}

export interface NewOutboxItem {
  /** Idempotency key, new and unique. */
  key: string;
  body: v.InferInput<typeof CommitRequestSchema>;
  /** Milliseconds since the epoch. */
  now: number;
  /** Lock epoch of the writer. */
  epoch: number;
  /** Keys of items that must be accepted before this one. */
  depends_on?: string[] | undefined;
  /**
   * `created_at` of the youngest item in the outbox: the new one comes after it even when the clock was
   * turned back in between.
   */
  latest?: number | null;
}

/**
 * One approved, converted and verified result, ready to be stored in the outbox.
 * Throws a ValiError when the body is not one that the server would take (a programming error).
 */
export function newOutboxItem(input: NewOutboxItem): OutboxItem {
  const name = input.body.original_filename.trim().slice(0, 2000);
  const body = v.parse(CommitRequestSchema, { ...input.body, original_filename: name === '' ? 'unnamed' : name });
  const created_at =
    input.latest === undefined || input.latest === null ? input.now : Math.max(input.now, input.latest + 1);
  return {
    schema_version: 1,
    key: input.key,
    job_id: body.job_id,
    entity: `track:${body.track_id}`,
    body,
    body_sha: bodySha(body),
    blob_sha256: body.sha256,
    blob_size: body.size,
    depends_on: input.depends_on ?? [],
    state: 'waiting',
    attempts: 0,
    next_at: input.now,
    created_at,
    uploaded_bytes: 0,
    mismatches: 0,
    commit_sent: false,
    failure: null,
    epoch: input.epoch,
  };
}

/** The person chose to replace the audio that is there: a new item with a new key, since a body never changes. */
export function replacementItem(item: OutboxItem, next: { key: string; now: number; epoch: number }): OutboxItem {
  return newOutboxItem({ ...next, body: { ...item.body, replace: true }, depends_on: item.depends_on });
}

/** Lower-case hex SHA-256 of what is sent; fields in the schema's order, so that a stored body hashes the same. */
export function bodySha(body: CommitRequest): string {
  if (hasher === null) throw new Error('prepareOutboxItems() was not awaited');
  return hasher
    .init()
    .update(JSON.stringify(v.parse(CommitRequestSchema, body)))
    .digest('hex');
}
