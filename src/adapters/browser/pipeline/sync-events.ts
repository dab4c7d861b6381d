/** What sync tells the pipeline: a result was refused, or somebody answered a review elsewhere. */
import { failure } from '#core/errors.ts';
import type { Review } from '#core/job/review.ts';
import { replaceOptions } from '#core/job/batch-plan.ts';
import type { OutboxItem } from '#core/sync/outbox.types.ts';
import { notePublished } from '../calibration-store.ts';
import type { SyncRunnerOptions } from '../sync-runner.ts';
import { applyEvent, jobTables, touchBatch, type PipelineContext } from './apply.ts';
import { cancelJobs } from './commands.ts';
import { takeRemoteAnswer, type TakeAnswer } from './remote-answer.ts';

/** The server refused a result for good: its job is FAILED with the server's reason, and can be tried again. */
async function onParked(context: PipelineContext, item: OutboxItem): Promise<void> {
  const { db } = context;
  await db.transaction('rw', jobTables(db), async () => {
    // Somebody cancelled it elsewhere and the commit was quicker than that news: it ends as they wished (FAULT-9).
    if (item.failure?.code === 'cancelled') {
      await db.outbox.delete(item.key);
      await cancelJobs(context, [item.job_id]);
      return;
    }
    const why = item.failure ?? failure('server_error', `"${item.body.original_filename}" was refused by the server.`);
    const refused = failure(why.code, `"${item.body.original_filename}" could not be published: ${why.message}`, {
      subject: item.body.original_filename,
    });
    await applyEvent(context, item.job_id, {
      type: 'failed',
      failure: { ...refused, remedy: 'Press Retry to convert and publish it again.', retryable: true },
    });
    await db.outbox.delete(item.key);
  });
}

/** Somebody else published that track in the meantime: nothing is overwritten, the person is asked. */
async function onConflict(context: PipelineContext, item: OutboxItem): Promise<void> {
  const { db } = context;
  await db.transaction('rw', jobTables(db), async () => {
    const job = await applyEvent(context, item.job_id, { type: 'undone' }, { patch: { hold: true } });
    await db.outbox.delete(item.key);
    if (!job) return;
    const open = await db.reviews
      .where('batch_id')
      .equals(job.batch_id)
      .filter((one) => one.kind === 'replace' && one.resolved_at === null && one.group_id === job.group_id)
      .first();
    const file = {
      job_id: job.id,
      name: job.original_filename,
      title: job.match?.detected.title ?? null,
      disc: null,
      position: null,
      duration_ms: job.duration_ms,
      replaces: job.match?.track_id ?? null,
    };
    // More files are another question: an answer that was given to fewer must not count for this one (REVIEW-25).
    if (open) await db.reviews.update(open.id, { resolved_at: context.clock.now(), selected_option: 'withdrawn' });
    const ids = [...(open?.job_ids ?? []), job.id];
    const review: Review = {
      schema_version: 1,
      id: context.ids.next(),
      kind: 'replace',
      job_id: ids[0] ?? job.id,
      job_ids: ids,
      batch_id: job.batch_id,
      group_id: job.group_id,
      question:
        ids.length === 1
          ? `"${job.original_filename}": its track has audio in the catalog already. Replace it?`
          : `${ids.length} of these tracks have audio in the catalog already. Replace it?`,
      reasoning:
        item.failure?.message ??
        'Another file was published for this track in the meantime, so nothing was overwritten.',
      options: replaceOptions(),
      detected: { album: job.matched_album, artist: null, year: null, title: file.title },
      files: [...(open?.files ?? []), file],
      created_at: open?.created_at ?? context.clock.now(),
      resolved_at: null,
      resolved_by_user_id: null,
      selected_option: null,
    };
    await db.reviews.put(review);
    await touchBatch(db, job.batch_id);
  });
}

/** All that sync calls back for. `answer` takes a review's answer like one given here, in its giver's name. */
export function syncEvents(
  context: PipelineContext,
  answer: TakeAnswer,
  published: () => void = () => undefined,
): Pick<SyncRunnerOptions, 'onPublished' | 'onParked' | 'onConflict' | 'onRemoteAnswer' | 'onRemoteCancel'> {
  return {
    // Weak evidence for the local profile: where it cannot be noted nothing is lost.
    onPublished: (jobId) => {
      void notePublished(context.db, context.clock.now(), jobId).catch(() => undefined);
      published();
    },
    onParked: (item) => onParked(context, item),
    onConflict: (item) => onConflict(context, item),
    onRemoteCancel: async (jobIds) => void (await cancelJobs(context, jobIds)),
    onRemoteAnswer: (review, selected, by) => takeRemoteAnswer(context, answer, review, selected, by),
  };
}
