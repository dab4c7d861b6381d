/**
 * The outbox's rules as pure functions; src/core/run/publish.ts runs them.
 *
 *             start             uploaded             accepted
 *   waiting ---------> uploading --------> committing --------> done (row deleted, job COMPLETED)
 *     ^  ^                 |                   |
 *     |  +---- transient failure (next_at) ----+----> parked: refused; needs a person
 *     +------------------- retry --------------------------'
 *
 * Invariants: an item that is not parked is under way, has a finite next try, or the whole outbox is paused
 * for a reason that is on screen (SYNC-1). `key` and `body` never change (SYNC-2).
 */
import { failure, type Failure, type FailureCode } from '../errors.ts';
import { delayMs, RETRY_AFTER_CAP_MS, type Random } from './connection.ts';
import type { OutboxItem } from './outbox-item.ts';
import type { CommitResponse } from './protocol.ts';

export { newOutboxItem, prepareOutboxItems, replacementItem } from './outbox-item.ts';

/** Uploads that run at once. */
export const PARALLEL_UPLOADS = 3;
/** Uploads that may arrive with the wrong hash before a person is asked. */
export const MAX_MISMATCHES = 3;

export type OutboxEvent =
  | { type: 'start' }
  | { type: 'progress'; bytes: number }
  | { type: 'uploaded' }
  | { type: 'accepted'; response: CommitResponse }
  | { type: 'failed'; failure: Failure }
  /** The server does not take it because somebody cancelled the job there: it is never sent again. */
  | { type: 'cancelled'; failure: Failure }
  /** The work stopped without an answer (page closed, lock lost): nothing is known to be wrong. */
  | { type: 'interrupted' }
  /** The server answers again. */
  | { type: 'reconnected' }
  /** A person (or a new token) wants it tried now. */
  | { type: 'retry' }
  /** What it depends on was parked. */
  | { type: 'blocked'; by: OutboxItem };

export type OutboxEffect =
  | { type: 'publish'; item: OutboxItem; response: CommitResponse }
  | { type: 'conflict'; item: OutboxItem }
  | { type: 'parked'; item: OutboxItem }
  | { type: 'pause'; failure: Failure };

export interface OutboxStep {
  /** null: done, the row goes. */
  item: OutboxItem | null;
  effects: OutboxEffect[];
}

/** An event that does not fit the item's state (a late answer) changes nothing. */
export function transition(item: OutboxItem, event: OutboxEvent, context: { now: number; random: Random }): OutboxStep {
  const active = item.state === 'uploading' || item.state === 'committing';
  switch (event.type) {
    case 'start':
      return item.state === 'waiting' ? stay({ ...item, state: 'uploading', uploaded_bytes: 0 }) : stay(item);
    case 'progress':
      return item.state === 'uploading' ? stay({ ...item, uploaded_bytes: event.bytes }) : stay(item);
    case 'uploaded':
      if (item.state !== 'uploading') return stay(item);
      return stay({ ...item, state: 'committing', uploaded_bytes: item.blob_size, commit_sent: true });
    case 'accepted':
      // True whatever we believed: the server has it.
      return { item: null, effects: [{ type: 'publish', item, response: event.response }] };
    case 'failed':
      return active ? onFailure(item, event.failure, context) : stay(item);
    case 'cancelled':
      return active ? park({ ...item, commit_sent: false }, event.failure) : stay(item);
    case 'interrupted':
      return active ? stay({ ...item, state: 'waiting', next_at: context.now }) : stay(item);
    case 'reconnected':
      return item.state === 'waiting' && item.failure?.code === 'offline'
        ? stay({ ...item, next_at: context.now })
        : stay(item);
    case 'retry':
      if (active) return stay(item);
      return stay({ ...item, state: 'waiting', next_at: context.now, attempts: 0, mismatches: 0, failure: null });
    case 'blocked':
      return item.state === 'waiting' ? park(item, blockedBy(event.by)) : stay(item);
  }
}

/** Not the item's fault and over by itself: worth another try. Everything else that is refused needs a person. */
const TRANSIENT: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'offline',
  'server_error',
  'rate_limited',
  'internal',
  'storage_failed',
  'storage_full',
  'worker_died',
]);

function onFailure(item: OutboxItem, reason: Failure, context: { now: number; random: Random }): OutboxStep {
  if (reason.code === 'cancelled') return transition(item, { type: 'interrupted' }, context);
  if (reason.code === 'unauthorized' || reason.code === 'forbidden') {
    // Nothing is wrong with the item: the whole outbox waits for a token, and this one is due as soon as it runs again.
    const paused: OutboxItem = { ...item, state: 'waiting', next_at: context.now, failure: reason };
    return { item: paused, effects: [{ type: 'pause', failure: reason }] };
  }
  if (reason.code === 'hash_mismatch') {
    const mismatches = (item.mismatches ?? 0) + 1;
    const counted: OutboxItem = { ...item, mismatches, commit_sent: false };
    return mismatches < MAX_MISMATCHES
      ? retryLater({ ...counted, uploaded_bytes: 0 }, reason, context)
      : park(counted, reason);
  }
  if (TRANSIENT.has(reason.code)) return retryLater(item, reason, context);
  return park({ ...item, commit_sent: false }, reason);
}

function retryLater(item: OutboxItem, reason: Failure, context: { now: number; random: Random }): OutboxStep {
  const attempts = item.attempts + 1;
  const next_at = context.now + delayMs(reason.retryAfterMs, attempts, context.random);
  return stay({ ...item, state: 'waiting', attempts, next_at, failure: reason });
}

function park(item: OutboxItem, reason: Failure): OutboxStep {
  const parked: OutboxItem = { ...item, state: 'parked', attempts: item.attempts + 1, failure: reason };
  return { item: parked, effects: [{ type: reason.code === 'conflict' ? 'conflict' : 'parked', item: parked }] };
}

function blockedBy(by: OutboxItem): Failure {
  const name = by.body.original_filename;
  const why = by.failure === null ? '' : ` (${by.failure.message})`;
  return failure('rejected', `It waits for "${name}", which could not be published${why}.`, {
    subject: name,
    remedy: `Settle "${name}" first; this one then goes on by itself.`,
  });
}

function stay(item: OutboxItem): OutboxStep {
  return { item, effects: [] };
}

export type NextAction =
  | { type: 'run'; item: OutboxItem }
  /** Park this one too: `by`, which it depends on, is parked. */
  | { type: 'block'; item: OutboxItem; by: OutboxItem }
  /** Nothing is due before `until` (milliseconds since the epoch, never infinite). */
  | { type: 'wait'; until: number }
  /** Something is under way; its end brings the next decision. */
  | { type: 'busy' }
  | { type: 'paused'; reason: 'offline' | 'unauthorized' }
  | { type: 'idle' };

/** What to do now. Asked again after every change, so one answer at a time is enough. */
export function nextAction(
  items: readonly OutboxItem[],
  now: number,
  online: boolean,
  authorized: boolean,
): NextAction {
  const queue = [...items].sort(fifo);
  for (const item of queue) {
    const by =
      item.state === 'waiting' ? dependencies(item, queue).find((other) => other.state === 'parked') : undefined;
    if (by !== undefined) return { type: 'block', item, by };
  }
  const open = queue.filter((item) => item.state !== 'parked');
  if (open.length === 0) return { type: 'idle' };
  if (!authorized) return { type: 'paused', reason: 'unauthorized' };
  if (!online) return { type: 'paused', reason: 'offline' };

  const running = open.filter((item) => item.state !== 'waiting').length;
  const heads = headsOf(open).filter((item) => item.state === 'waiting' && dependencies(item, open).length === 0);
  const next = heads.reduce<OutboxItem | null>(
    (best, item) => (best === null || dueAt(item, now) < dueAt(best, now) ? item : best),
    null,
  );
  if (next === null || running >= PARALLEL_UPLOADS) return { type: 'busy' };
  const due = dueAt(next, now);
  return due <= now ? { type: 'run', item: next } : { type: 'wait', until: due };
}

/** The first of each entity. `open` is in FIFO order, unparked: a parked item steps aside for another file of its track. */
function headsOf(open: readonly OutboxItem[]): OutboxItem[] {
  const heads = new Map<string, OutboxItem>();
  for (const item of open) if (!heads.has(item.entity)) heads.set(item.entity, item);
  return [...heads.values()];
}

/** Only earlier items count: a circle, which only a damaged database could hold, then blocks nobody. */
function dependencies(item: OutboxItem, queue: readonly OutboxItem[]): OutboxItem[] {
  if (item.depends_on.length === 0) return [];
  return queue.filter((other) => item.depends_on.includes(other.key) && fifo(other, item) < 0);
}

/** A time further away than any delay we ever set is the work of a clock that was wrong: due now (SYNC-9). */
function dueAt(item: OutboxItem, now: number): number {
  return Number.isFinite(item.next_at) && item.next_at - now <= RETRY_AFTER_CAP_MS ? item.next_at : now;
}

function fifo(a: OutboxItem, b: OutboxItem): number {
  return a.created_at - b.created_at || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

/** Taking a decision back is possible until the server may have accepted it (SYNC-8). */
export function mayTakeBack(item: OutboxItem): boolean {
  return item.state !== 'committing' && item.commit_sent !== true;
}

/** Keys that a retry of `key` must free too: what it depends on and what depends on it, both all the way. */
export function retryKeys(items: readonly OutboxItem[], key: string): string[] {
  const byKey = new Map(items.map((item) => [item.key, item]));
  const found = new Set<string>();
  const visit = (at: string, next: (item: OutboxItem) => string[]): void => {
    const item = byKey.get(at);
    if (item === undefined) return;
    found.add(at);
    for (const other of next(item)) if (!found.has(other)) visit(other, next);
  };
  visit(key, (item) => item.depends_on);
  for (const at of [...found])
    visit(at, (item) => items.filter((other) => other.depends_on.includes(item.key)).map((other) => other.key));
  return [...found];
}
