/** The outbox as rows: each change of an item, its job and its log is one change. */
import { applyEvent, touchBatch, type ApplyContext } from '../job/apply.ts';
import type { StepDraft } from '../job/job.ts';
import { failure } from '../errors.ts';
import type { Random } from '../sync/connection.ts';
import type { NewOutboxItem, OutboxItem } from '../sync/outbox-item.ts';
import {
  newOutboxItem,
  nextAction,
  PARALLEL_UPLOADS,
  retryKeys,
  transition,
  type NextAction,
  type OutboxEvent,
  type OutboxStep,
} from '../sync/outbox.ts';
import type { CommitResponse } from '../sync/protocol.ts';
import { cancelJobs } from './commands.ts';
import type { JobReader, JobRows, JobStore } from './job-store.ts';
import { laneOf, type RunDeps } from './ports.ts';
import { putQuestion } from './questions.ts';

export interface OutboxContext extends ApplyContext, Pick<RunDeps, 'lane'> {
  store: JobStore;
  random: Random;
}

/** So many of the first items are read before all are. */
const FIRST_ITEMS = 64;

/**
 * What the outbox does next, and the items that are under way, by what their rows say. A long outbox is read whole only
 * where its first items do not settle it: one is parked and others may depend on it, or none of the first may run yet.
 */
export async function nextOfOutbox(
  rows: Pick<JobReader, 'outbox'>,
  now: number,
  online: boolean,
  authorized: boolean,
): Promise<{ action: NextAction; active: OutboxItem[] }> {
  const active = await rows.outbox(['uploading', 'committing']);
  const parked = await rows.outbox(['parked'], 1);
  if (parked.length === 0) {
    const first = await rows.outbox(undefined, FIRST_ITEMS);
    const seen = new Map([...first, ...active].map((item) => [item.key, item]));
    const action = nextAction([...seen.values()], now, online, authorized);
    const settled = action.type === 'busy' ? active.length >= PARALLEL_UPLOADS : action.type !== 'wait';
    if (settled || first.length < FIRST_ITEMS) return { action, active };
  }
  return { action: nextAction(await rows.outbox(), now, online, authorized), active };
}

/** Puts an approved result into the outbox, behind everything that is there. `prepareOutboxItems` was awaited before. */
export async function enqueue(
  rows: JobRows,
  { clock, ids }: ApplyContext,
  body: NewOutboxItem['body'],
  key = ids.next(),
): Promise<OutboxItem> {
  const latest = (await rows.latestOutboxItem())?.created_at ?? null;
  const item = newOutboxItem({ key, body, now: clock.now(), epoch: 0, latest });
  await rows.putOutboxItem(item);
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
  return context.store.change(async (rows) => {
    const row = await rows.outboxItem(known.key);
    if (row === undefined && event.type !== 'accepted') return null;
    const before = row ?? known;
    const step = transition(before, event, { now: context.clock.now(), random: context.random });
    if (step.item === null) await rows.deleteOutboxItems([before.key]);
    else {
      await rows.putOutboxItem(step.item);
      await showInJob(rows, context, step.item);
    }
    for (const effect of step.effects) {
      if (effect.type === 'publish') await publishAccepted(rows, context, effect.item, effect.response);
      if (effect.type === 'parked') await refused(rows, context, effect.item);
      if (effect.type === 'conflict') await askAboutConflict(rows, context, effect.item);
    }
    return step;
  });
}

/** The job's row says what the item is doing; only a job that is on its way to the catalog is touched. */
async function showInJob(rows: JobRows, context: ApplyContext, item: OutboxItem): Promise<void> {
  const type = item.state === 'committing' ? 'publishing' : 'sending';
  const sent = item.blob_size > 0 ? item.uploaded_bytes / item.blob_size : 1;
  const share = item.state === 'uploading' || item.state === 'committing' ? Math.min(1, sent) : 0;
  const job = await rows.job(item.job_id);
  if (job?.phase !== 'waiting' && job?.phase !== 'publishing') return;
  if (job.phase !== (type === 'publishing' ? 'publishing' : 'waiting') || job.progress !== share)
    await applyEvent(rows, context, job.id, { type, share });
}

/** The end of a job: COMPLETED, published, and the log says where. */
async function publishAccepted(
  rows: JobRows,
  context: ApplyContext,
  item: OutboxItem,
  response: CommitResponse,
): Promise<void> {
  const { track_id, outcome, output_file_path, request_status } = response;
  const step: StepDraft = {
    step_type: 'Action',
    content: publishedSentence(outcome, output_file_path),
    metadata: {
      action: 'Publish',
      track_id,
      outcome,
      request_id: item.body.request_id,
      request_status,
      idempotency_key: item.key,
      attempts: item.attempts + 1,
    },
  };
  await applyEvent(rows, context, item.job_id, { type: 'published', output_file_path, track_id, step });
}

const OUTCOME: Record<CommitResponse['outcome'], string> = {
  created: 'Published',
  unchanged: 'The very same audio was in the catalog already',
  replaced: 'Replaced the former audio',
};

/** The line of the log. `path`: under the server's media directory. */
export function publishedSentence(outcome: CommitResponse['outcome'], path: string | null): string {
  return `${OUTCOME[outcome]} as "${path ?? ''}"; the track is available`;
}

/** The server has published a job's result, and its answer was lost on the way. False where that is known. */
export async function takePublished(
  rows: JobRows,
  context: ApplyContext,
  { job_id, track_id, output_file_path }: { job_id: string; track_id: string | null; output_file_path: string | null },
): Promise<boolean> {
  const content = publishedSentence('created', output_file_path);
  const step: StepDraft = { step_type: 'Action', content, metadata: { action: 'Publish', track_id } };
  const track = track_id === null ? {} : { track_id };
  const event = { type: 'published' as const, output_file_path, ...track, step };
  if ((await applyEvent(rows, context, job_id, event)) === null) return false;
  await rows.deleteOutboxItems((await rows.outboxOfJob(job_id)).map((item) => item.key));
  return true;
}

/** The server refused a result for good: its job is FAILED with the server's reason, and can be tried again. */
async function refused(rows: JobRows, context: OutboxContext, item: OutboxItem): Promise<void> {
  await rows.deleteOutboxItems([item.key]);
  // Somebody cancelled it at the server, and the commit was quicker than that news: it ends as they wished (FAULT-9).
  if (item.failure?.code === 'cancelled') {
    await cancelJobs(rows, context, [item.job_id]);
    return;
  }
  const name = item.body.original_filename;
  const why = item.failure ?? failure('server_error', `"${name}" was refused by the server.`);
  const refusal = failure(why.code, `"${name}" could not be published: ${why.message}`, { subject: name });
  const remedy = 'Press Retry to convert and publish it again.';
  await applyEvent(rows, context, item.job_id, { type: 'failed', failure: { ...refusal, remedy, retryable: true } });
}

/** Somebody else published that track in the meantime: nothing is overwritten, the person is asked. */
async function askAboutConflict(rows: JobRows, context: OutboxContext, item: OutboxItem): Promise<void> {
  const job = await applyEvent(rows, context, item.job_id, { type: 'undone' });
  await rows.deleteOutboxItems([item.key]);
  if (!job) return;
  const open =
    (await rows.reviewsOfBatch(job.batch_id)).find(
      (one) => one.kind === 'replace' && one.resolved_at === null && one.group_id === job.group_id,
    ) ?? null;
  // More files are another question: an answer that was given to fewer must not count for this one (REVIEW-25).
  if (open) await rows.putReview({ ...open, resolved_at: context.clock.now(), selected_option: 'withdrawn' });
  const draft = laneOf(context, job).conflictQuestion(job, open, item.failure);
  const about = [...(await rows.jobs(open?.job_ids ?? [])), job];
  await putQuestion(rows, context, about, draft, open?.created_at);
  await touchBatch(rows, job.batch_id);
}

/** After a crash or a change of holders nothing is under way, whatever the rows say. */
export async function recoverOutbox(context: OutboxContext): Promise<void> {
  for (const item of await context.store.outbox(['uploading', 'committing']))
    await applyOutboxEvent(context, item, { type: 'interrupted' });
}

/** Everything that waits is due now; parked items stay parked. Answers how many wait. */
export async function retryWaiting(context: OutboxContext, event: 'retry' | 'reconnected'): Promise<number> {
  const waiting = await context.store.outbox(['waiting']);
  for (const item of waiting) await applyOutboxEvent(context, item, { type: event });
  return waiting.length;
}

/** Takes parked items up again, with what they depend on and what depends on them. */
export async function retryParked(context: OutboxContext, key: string): Promise<number> {
  const items = await context.store.outbox();
  const keys = retryKeys(items, key);
  for (const item of items) if (keys.includes(item.key)) await applyOutboxEvent(context, item, { type: 'retry' });
  return keys.length;
}
