import { describe, expect, test } from 'vitest';
import type { WorkClient } from '#adapters/http/work-client.ts';
import { createLease } from '#adapters/work/lease.ts';
import { LeasedJobStore } from '#adapters/work/leased-store.ts';
import { runWorker } from '#adapters/work/run-worker.ts';
import { failure } from '#core/errors.ts';
import { addSteps } from '#core/job/apply.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { Claim, WorkSave, WorkSaved } from '#core/sync/work-protocol.ts';
import { countingIds, makeJob, testClock } from '../../fixtures/job.ts';

const NEWS = { cancelled: [], published: [], answers: [] };
const CLAIM: Claim = {
  lease_id: 'lease',
  lease_ms: 60_000,
  batch: {
    id: 'b',
    user_id: 'ann',
    user_name: 'Ann',
    label: 'Album',
    context_type: 'spontaneous',
    context_id: null,
    created_at: 0,
  },
  files: [],
  jobs: [],
  document: null,
  revision: 3,
  news: NEWS,
  held: [],
};
const away = () => fail(failure('offline', 'The server cannot be reached.'));

async function open(answers: Result<WorkSaved>[]) {
  const clock = testClock();
  const store = new LeasedJobStore(CLAIM, {}, clock);
  await store.change((rows) => rows.putJob(makeJob({ id: 'a', phase: 'queued' })));
  const sent: WorkSave[] = [];
  const work: Pick<WorkClient, 'save' | 'renew'> = {
    renew: () => Promise.resolve(answers.shift() ?? away()),
    save: (_lease, save) => {
      sent.push(save);
      return Promise.resolve(answers.shift() ?? away());
    },
  };
  const wait = (ms: number): Promise<void> => {
    clock.advance(ms);
    return Promise.resolve();
  };
  return { sent, store, clock, lease: createLease(CLAIM, store, { work, clock, wait }, () => undefined) };
}

describe('a worker and its server', () => {
  test('WORK-10 a save that was not answered is sent again, whole', async () => {
    const saved = ok({ revision: 4, lease_ms: 60_000, news: NEWS });
    const { lease: one, sent, store } = await open([away(), away(), saved]);
    await one.save();
    expect(sent.map(({ revision, jobs }) => [revision, jobs.length])).toEqual([
      [3, 1],
      [3, 1],
      [3, 1],
    ]);
    expect(store.unsaved().jobs).toEqual([]);
  });

  test('WORK-16 what is sent again is the same, whatever came meanwhile; that goes with the next save', async () => {
    const saved = { revision: 4, lease_ms: 60_000, news: NEWS };
    const { lease: one, sent, store, clock } = await open([away(), ok(saved), ok({ ...saved, revision: 5 })]);
    const saving = one.save();
    while (sent.length === 0) await Promise.resolve();
    await store.change(async (rows) => {
      await addSteps(rows, { clock, ids: countingIds() }, 'a', [{ step_type: 'Thought', content: 'later' }]);
      await rows.putJob(makeJob({ id: 'b', phase: 'queued' }));
    });
    await saving;
    expect(sent[1]).toEqual(sent[0]);
    await one.save();
    expect(sent[2]?.jobs.map(({ id }) => id)).toContain('b');
  });

  test('WORK-1, WORK-31 a lease that is over stops everything, at a save and at a renewal', async () => {
    const over = fail(failure('conflict', 'This lease is over.'));
    const { lease: one, store } = await open([over]);
    await expect(one.save()).rejects.toThrow('Another worker');
    expect(one.lost.signal.aborted).toBe(true);
    await expect(store.change((rows) => rows.deleteJobs(['a']))).rejects.toThrow('Another worker');
    expect(await store.job('a')).toBeDefined();
    const { lease: other } = await open([over]);
    await other.keepAlive();
    expect(other.lost.signal.aborted).toBe(true);
  });

  test('WORK-10 a save that the server refuses ends the work: nothing more is sent, whoever saves', async () => {
    const { lease: one, sent } = await open([fail(failure('invalid', 'The upload has no job "a".'))]);
    await expect(one.save()).rejects.toThrow('has no job');
    await expect(one.save()).rejects.toThrow('has no job');
    await expect(one.save(true)).rejects.toThrow('has no job');
    expect([sent.length, one.lost.signal.aborted]).toEqual([1, false]);
  });

  test('WORK-1 silent for longer than the lease it counts itself out', async () => {
    const { lease: one } = await open([]);
    await one.keepAlive();
    expect(one.lost.signal.aborted).toBe(true);
  });

  test('WORK-14 a server that is away is waited for; a token that it does not know ends the worker', async () => {
    const said: string[] = [];
    const answers: Result<Claim | null>[] = [away(), away(), ok(CLAIM), ok(null)];
    const worked: string[] = [];
    const using = {
      work: { claim: () => Promise.resolve(answers.shift() ?? fail(failure('unauthorized', 'Unknown token.'))) },
      wait: () => Promise.resolve(),
      say: (line: string) => void said.push(line),
      workOn: (claim: Claim) => Promise.resolve(void worked.push(claim.lease_id)),
    };
    const stop = new AbortController().signal;
    expect(await runWorker(using, { name: 'test', once: true }, stop)).toBeNull();
    expect(worked).toEqual(['lease']);
    expect(said).toEqual([
      'waiting for the server: The server cannot be reached.',
      'the server is back',
      'Album: 0 files of Ann',
      'Album: done for now',
    ]);
    expect((await runWorker(using, { name: 'test', once: false }, stop))?.code).toBe('unauthorized');
  });
});
