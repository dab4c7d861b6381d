import { describe, expect, test } from 'vitest';
import { LeasedJobStore } from '#adapters/work/leased-store.ts';
import { takeEnds } from '#adapters/work/news.ts';
import { addSteps, applyEvent } from '#core/job/apply.ts';
import { GroupSteps } from '#core/job/shared-steps.ts';
import { archiveStatus } from '#core/job/work.ts';
import type { Batch } from '#core/job/job.ts';
import type { Claim } from '#core/sync/work-protocol.ts';
import { countingIds, makeBatch, makeJob, testClock } from '../../fixtures/job.ts';
import { job } from '../../fixtures/mirrored.ts';
import { NO_NEWS, uploadBench } from '../../fixtures/upload-bench.ts';

const using = { clock: testClock(), ids: countingIds() };

/** Rows of an upload whose files' jobs the server has made. */
async function storeOf(batch: Batch, ...jobs: Parameters<typeof makeJob>[0][]): Promise<LeasedJobStore> {
  const claim: Claim = { ...uploadBench({ files: [] }).claim, jobs: jobs.map(({ id }) => job(id)) };
  const store = new LeasedJobStore({ ...claim, batch: { ...claim.batch, id: batch.id } }, {}, using.clock);
  await store.change(async (rows) => {
    await rows.putBatch(batch);
    for (const row of jobs) await rows.putJob(makeJob(row));
  });
  return store;
}

const log = (store: LeasedJobStore, id: string, content: string): Promise<void> =>
  store.change((rows) => addSteps(rows, using, id, [{ step_type: 'Action', content }]));

describe('the rows of an upload', () => {
  test('WORK-10 what was not saved stays to be saved; what is read back is what was written', async () => {
    const store = await storeOf(makeBatch(), { id: 'a', phase: 'queued' });
    const first = store.unsaved();
    await store.change((rows) => applyEvent(rows, using, 'a', { type: 'probe' }));
    await log(store, 'a', 'came while the save was under way');
    store.saved(first);
    expect(store.unsaved().steps.map(({ step }) => step.content)).toEqual(['came while the save was under way']);
    expect(store.unsaved().jobs.map((one) => one.status)).toEqual(['PROCESSING']);
    const { claim } = uploadBench({ files: [], claim: { document: store.unsaved().document } });
    const again = new LeasedJobStore({ ...claim, batch: { ...claim.batch, id: 'b1' } }, {}, using.clock);
    expect(await again.job('a')).toEqual(await store.job('a'));
    await log(again, 'a', 'next');
    expect(again.unsaved().steps[0]?.step.step_number).toBe(3);
  });

  test('JOB-41 who goes on with an upload numbers on behind the steps of its group', async () => {
    const store = await storeOf(makeBatch(), { id: 'a', phase: 'queued' }, { id: 'b', phase: 'queued' });
    const together = new GroupSteps(['x', 'y', 'z'].map((content) => ({ step_type: 'Context', content })));
    await store.change(async (rows) => {
      for (const id of ['a', 'b']) await applyEvent(rows, using, id, { type: 'probe' }, [], together);
    });
    expect(store.unsaved().steps).toHaveLength(3 + 1);
    const { claim } = uploadBench({ files: [], claim: { document: store.unsaved().document } });
    const again = new LeasedJobStore({ ...claim, batch: { ...claim.batch, id: 'b1' } }, {}, using.clock);
    for (const id of ['a', 'b']) await log(again, id, 'next');
    // The server has made the first step of each.
    expect(again.unsaved().steps.map(({ step }) => step.step_number)).toEqual([5, 5]);
  });

  test('WORK-11 cancelled and published jobs are taken over whatever the worker was at', async () => {
    const store = await storeOf(makeBatch(), { id: 'a', phase: 'converting' }, { id: 'b', phase: 'waiting' });
    const lane = () => {
      throw new Error('no lane is asked');
    };
    const published = [{ job_id: 'b', track_id: 't', output_file_path: 'x.ogg' }];
    const news = { ...NO_NEWS, cancelled: ['a'], published };
    expect(await takeEnds({ ...using, store, lane }, news)).toBe(2);
    expect(await store.job('a')).toMatchObject({ status: 'FAILED', phase: 'cancelled', error_message: 'cancelled' });
    expect(await store.job('b')).toMatchObject({ status: 'COMPLETED', output_file_path: 'x.ogg' });
    expect(await takeEnds({ ...using, store, lane }, news)).toBe(0);
    expect(store.state()).toBe('done');
  });

  test('FAULT-13 an upload that is still being taken in is not done, whatever became of the first files', async () => {
    const store = await storeOf(makeBatch({ state: 'staging' }), { id: 'a', phase: 'failed' });
    expect(store.state()).toBe('ready');
    expect((await storeOf(makeBatch({ state: 'staging' }))).state()).toBe('ready');
    await store.change((rows) => rows.putBatch(makeBatch()));
    expect(store.state()).toBe('done');
  });

  test('WORK-12 an archive is as far as what came out of it', () => {
    const open = { unpacked: true, error: null };
    const of = (...statuses: ('PROCESSING' | 'AWAITING_REVIEW' | 'CONVERTING' | 'COMPLETED' | 'FAILED')[]) =>
      archiveStatus(
        open,
        statuses.map((status) => ({ status })),
      ).status;
    expect(of('COMPLETED', 'PROCESSING')).toBe('PROCESSING');
    expect(of('AWAITING_REVIEW', 'CONVERTING')).toBe('CONVERTING');
    expect(of('COMPLETED', 'AWAITING_REVIEW')).toBe('AWAITING_REVIEW');
    expect(of('COMPLETED', 'FAILED')).toBe('COMPLETED');
    expect(of('FAILED', 'FAILED')).toBe('FAILED');
    expect(archiveStatus(open, []).error).toContain('no audio');
    expect(archiveStatus({ unpacked: true, error: 'cancelled' }, [{ status: 'COMPLETED' }]).error).toBe('cancelled');
    expect(archiveStatus({ unpacked: false, error: null }, []).status).toBe('PROCESSING');
  });
});
