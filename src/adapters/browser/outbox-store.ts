/** The outbox in IndexedDB: each change of an item, its job and its log is one transaction. */
import type { Job } from '#core/job/job.ts';
import {
  mayTakeBack,
  newOutboxItem,
  nextAction,
  PARALLEL_UPLOADS,
  retryKeys,
  transition,
  type NextAction,
  type OutboxEvent,
  type OutboxStep,
} from '#core/sync/outbox.ts';
import type { Random } from '#core/sync/backoff.ts';
import type { NewOutboxItem } from '#core/sync/outbox-item.ts';
import type { OutboxItem } from '#core/sync/outbox.types.ts';
import type { CommitResponse } from '#core/sync/protocol.ts';
import { countOfAny, rowsOfAny } from './any-of.ts';
import type { AccessionDb } from './db.ts';
import { assertEpoch, jobTables, type PipelineContext } from './pipeline/apply.ts';
import { appendSteps } from './steps.ts';

export interface OutboxContext extends PipelineContext {
  random: Random;
  /** Of the lock holder; a write of an earlier holder throws. */
  epoch: number;
  /** Inside the transaction that parks the item, over `jobTables(db)`: Dexie calls only. */
  onParked(item: OutboxItem): Promise<void>;
  /** As `onParked`, for a track that has audio already. It may delete the row. */
  onConflict(item: OutboxItem): Promise<void>;
}

/** So many of the first items are looked at before all are. */
const IN_SIGHT = 64;

/**
 * What the outbox does next, and the items that are under way, by what their rows say. A long outbox is read whole only where its first
 * items do not settle it: one is parked and others may depend on it, or none of the first may run yet.
 */
export async function nextOfOutbox(
  db: AccessionDb,
  now: number,
  online: boolean,
  authorized: boolean,
): Promise<{ action: NextAction; active: OutboxItem[] }> {
  const [active, parked] = await Promise.all([
    rowsOfAny(db.outbox, 'state', ['uploading', 'committing']),
    countOfAny(db.outbox, 'state', ['parked']),
  ]);
  if (parked === 0) {
    const first = await db.outbox.orderBy('created_at').limit(IN_SIGHT).toArray();
    const seen = new Map([...first, ...active].map((item) => [item.key, item]));
    const action = nextAction([...seen.values()], now, online, authorized);
    const settled = action.type === 'busy' ? active.length >= PARALLEL_UPLOADS : action.type !== 'wait';
    if (settled || first.length < IN_SIGHT) return { action, active };
  }
  return { action: nextAction(await db.outbox.toArray(), now, online, authorized), active };
}

/**
 * Puts an approved result into the outbox, behind everything that is there. Inside the caller's transaction
 * when there is one over `outbox`: it awaits nothing but Dexie.
 */
export async function enqueueOutbox(db: AccessionDb, input: Omit<NewOutboxItem, 'latest'>): Promise<OutboxItem> {
  const last = await db.outbox.orderBy('created_at').last();
  const item = newOutboxItem({ ...input, latest: last?.created_at ?? null });
  await db.outbox.add(item);
  return item;
}

/**
 * Applies one event to one item, with everything that follows from it. Answers null when the row is gone (the
 * decision was taken back); an `accepted` one is published all the same, because the server has it.
 */
export async function applyOutboxEvent(
  context: OutboxContext,
  known: OutboxItem,
  event: OutboxEvent,
): Promise<OutboxStep | null> {
  const { db } = context;
  return db.transaction('rw', jobTables(db), async () => {
    await assertEpoch(db, context.epoch);
    const row = await db.outbox.get(known.key);
    if (row === undefined && event.type !== 'accepted') return null;
    const before = row ?? known;
    const step = transition(before, event, { now: context.clock.now(), random: context.random });
    if (step.item === null) await db.outbox.delete(before.key);
    else {
      await db.outbox.put({ ...step.item, epoch: context.epoch });
      await showInJob(db, step.item);
    }
    for (const effect of step.effects) {
      if (effect.type === 'publish') await publishAccepted(context, effect.item, effect.response);
      if (effect.type === 'parked') await context.onParked(effect.item);
      if (effect.type === 'conflict') await context.onConflict(effect.item);
    }
    return step;
  });
}

/**
 * The end of a job: COMPLETED, published, and the log says where. Inside the caller's transaction over
 * `jobTables(db)`, together with the deletion of the outbox row.
 */
export async function publishAccepted(
  context: PipelineContext,
  item: OutboxItem,
  response: CommitResponse,
): Promise<void> {
  const { db, clock, ids } = context;
  const job = await db.jobs.get(item.job_id);
  if (job === undefined) return;
  const now = clock.now();
  const patch: Partial<Job> = {
    status: 'COMPLETED',
    phase: 'published',
    sync: 'published',
    output_file_path: response.output_file_path,
    completed_at: now,
    // Later than every earlier state, even if the clock was turned back: the mirror's newer state wins.
    updated_at: Math.max(now, job.updated_at + 1),
    progress: 1,
    failure: null,
    error_message: null,
  };
  await db.jobs.update(job.id, patch);
  await appendSteps(db, ids, now, job.id, [
    {
      step_type: 'Action',
      content: `${OUTCOME[response.outcome]} as "${response.output_file_path}"; the track is available`,
      metadata: {
        action: 'Publish',
        track_id: response.track_id,
        outcome: response.outcome,
        request_id: item.body.request_id,
        request_status: response.request_status,
        idempotency_key: item.key,
        attempts: item.attempts + 1,
      },
    },
  ]);
}

const OUTCOME: Record<CommitResponse['outcome'], string> = {
  created: 'Published',
  unchanged: 'The very same audio was in the catalog already',
  replaced: 'Replaced the former audio',
};

/** After a crash or a change of tabs nothing is under way, whatever the rows say. */
export async function recoverOutbox(context: OutboxContext): Promise<void> {
  const active = await rowsOfAny(context.db.outbox, 'state', ['uploading', 'committing']);
  for (const item of active) await applyOutboxEvent(context, item, { type: 'interrupted' });
}

/** Everything that waits is due now; parked items stay parked. Answers how many wait. */
export async function retryWaiting(context: OutboxContext, event: 'retry' | 'reconnected'): Promise<number> {
  const waiting = await context.db.outbox.where('state').equals('waiting').toArray();
  for (const item of waiting) await applyOutboxEvent(context, item, { type: event });
  return waiting.length;
}

/** Takes parked items up again, with what they depend on and what depends on them. */
export async function retryParked(context: OutboxContext, key: string): Promise<number> {
  const items = await context.db.outbox.toArray();
  const keys = retryKeys(items, key);
  for (const item of items) if (keys.includes(item.key)) await applyOutboxEvent(context, item, { type: 'retry' });
  return keys.length;
}

/**
 * Takes a job's waiting results back, inside the caller's transaction over `outbox`. False, and nothing is
 * removed, while the server may have accepted one (SYNC-8).
 */
export async function discardOutbox(db: AccessionDb, jobId: string): Promise<boolean> {
  const items = await db.outbox.where('job_id').equals(jobId).toArray();
  if (!items.every(mayTakeBack)) return false;
  await db.outbox.bulkDelete(items.map((item) => item.key));
  return true;
}

/** The job's row says what the item is doing; only a job that is on its way to the catalog is touched. */
async function showInJob(db: AccessionDb, item: OutboxItem): Promise<void> {
  const phase = item.state === 'committing' ? 'publishing' : 'waiting';
  const share = item.blob_size > 0 ? item.uploaded_bytes / item.blob_size : 1;
  const progress = item.state === 'uploading' || item.state === 'committing' ? Math.min(1, share) : 0;
  const job = await db.jobs.get(item.job_id);
  if (job?.status !== 'CONVERTING' || (job.phase !== 'waiting' && job.phase !== 'publishing')) return;
  if (job.phase !== phase || job.progress !== progress) await db.jobs.update(job.id, { phase, progress });
}
