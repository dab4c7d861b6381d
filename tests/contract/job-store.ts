/** What every JobStore does (port in src/core/run/job-store.ts). */
import { describe, expect, test } from 'vitest';
import { addJob, addSteps, applyEvent, touchBatch } from '#core/job/apply.ts';
import type { ReasoningStep, StepDraft } from '#core/job/job.ts';
import { GroupSteps } from '#core/job/shared-steps.ts';
import type { JobReader, JobRows, JobStore } from '#core/run/job-store.ts';
import { newOutboxItem, prepareOutboxItems, type OutboxItem } from '#core/sync/outbox-item.ts';
import type { Remembered } from '#lanes/music/core/learning/rows.ts';
import type { MusicJob, MusicReview, MusicTypes } from '#lanes/music/core/types.ts';
import { countingIds, makeBatch, makeJob, testClock } from '../fixtures/job.ts';

type Store = JobStore<MusicTypes>;
type Rows = JobRows<MusicTypes>;

const REASON = { kind: 'title', label: 'title 1.00', tone: 'good' } as const;
const HASH = 'a'.repeat(64);
const context = () => ({ clock: testClock(), ids: countingIds() });

export function jobIn(phase: MusicJob['phase'], patch: Partial<MusicJob> & { id: string }): MusicJob {
  const evidence = { file_id: patch.id, path: `${patch.id}.flac`, duration_ms: 1000, tags: {} };
  return makeJob({ phase, evidence, ...patch });
}

export function question(id: string, job_ids: string[], patch: Partial<MusicReview> = {}): MusicReview {
  return {
    ...{ schema_version: 1, id, kind: 'track', job_id: job_ids[0] ?? '', job_ids, batch_id: 'b1', group_id: null },
    ...{ question: 'Is it this one?', reasoning: 'its length is off', options: [], files: [] },
    ...{ detected: { album: null, artist: null, year: null, title: null }, created_at: 1 },
    ...{ resolved_at: null, resolved_by_user_id: null, selected_option: null },
    ...patch,
  };
}

export function waiting(key: string, job_id: string, created_at: number, patch: Partial<OutboxItem> = {}): OutboxItem {
  const output = { sha256: HASH, size: 10, duration_ms: 1000, original_sha256: HASH };
  const match = { match_confidence: 1, match_source: 'AGENT' as const, request_id: null };
  const body = { job_id, track_id: `tr-${job_id}`, original_filename: `${job_id}.flac`, ...output, ...match };
  return { ...newOutboxItem({ key, body, now: created_at, epoch: 0 }), ...patch };
}

const remembered: Remembered = {
  ...{ sha256: HASH, at: 5, kind: 'none', track_id: null, refused: ['track:tr1'], catalog_id: null, track: null },
};

const SEARCHES: StepDraft[] = [
  { step_type: 'ToolCall', content: 'search_catalog({"query":"x"})' },
  { step_type: 'ToolResult', content: '2 candidates', metadata: { found: 2 } },
  { step_type: 'ToolCall', content: 'search_catalog({"query":"y"})' },
];

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id).sort();

/** Everything that there is of job `a`, its batch and what hangs off it. */
async function allOf(rows: JobReader<MusicTypes>) {
  return {
    job: (await rows.job('a'))?.phase,
    steps: (await rows.steps('a')).map((step) => step.content),
    batch: (await rows.batch('b1'))?.revision,
    review: (await rows.review('r1'))?.selected_option,
    outbox: (await rows.outbox()).map((item) => item.key),
    remembered: await rows.lanes.music.remembered([HASH]),
  };
}

async function writeAll(rows: Rows, to: ReturnType<typeof context>): Promise<void> {
  await rows.putBatch(makeBatch({ revision: 3 }));
  await addJob(rows, to, jobIn('queued', { id: 'a' }), [{ step_type: 'Context', content: 'dropped' }]);
  await applyEvent(rows, to, 'a', { type: 'probe' }, [{ step_type: 'Thought', content: 'its turn' }]);
  await rows.putReview(question('r1', ['a'], { selected_option: 'none', resolved_at: 4 }));
  await rows.putOutboxItem(waiting('k1', 'a', 1));
  await rows.lanes.music.remember(remembered);
}

const ALL = {
  ...{ job: 'probing', steps: ['dropped', 'its turn'], batch: 3, review: 'none', outbox: ['k1'] },
  remembered: [remembered],
};

const CASES: Record<string, (store: Store) => Promise<void>> = {
  'JOB-1 a change writes job, log, batch, question, outbox and what the lane keeps, and answers': async (store) => {
    const to = context();
    const answered = await store.change(async (rows) => {
      await writeAll(rows, to);
      return 'answer';
    });
    expect(answered).toBe('answer');
    expect(await allOf(store)).toEqual(ALL);
    await store.kept();
  },

  'JOB-1 within a change what it has written is read': async (store) => {
    await store.change(async (rows) => {
      await writeAll(rows, context());
      expect(await allOf(rows)).toEqual(ALL);
      await rows.deleteJobs(['a']);
      expect(await rows.job('a')).toBeUndefined();
      expect(await rows.lastStep('a')).toBe(0);
    });
  },

  'JOB-1 a change that fails takes back everything, also what it has deleted, and nobody saw any of it': async (
    store,
  ) => {
    const to = context();
    await store.change((rows) => writeAll(rows, to));
    const looks: Promise<MusicJob | undefined>[] = [];
    const broken = store.change(async (rows) => {
      await applyEvent(rows, to, 'a', { type: 'unprobed', why: 'no codec' });
      await rows.putBatch(makeBatch({ revision: 9 }));
      await rows.deleteReviews(['r1']);
      await rows.deleteOutboxItems(['k1']);
      await rows.putOutboxItem(waiting('k2', 'a', 2));
      await rows.lanes.music.forget(HASH);
      await rows.deleteJobs(['a']);
      await addJob(rows, to, jobIn('queued', { id: 'new' }), []);
      throw new Error('broken off');
    });
    setImmediate(() => looks.push(store.job('a')));
    await expect(broken).rejects.toThrow('broken off');
    await expect.poll(() => looks.length).toBe(1);
    expect((await Promise.all(looks)).map((job) => job?.phase)).toEqual(['probing']);
    expect(await allOf(store)).toEqual(ALL);
    expect(await store.job('new')).toBeUndefined();
    // The next one is not held up by it.
    expect(await store.change((rows) => applyEvent(rows, to, 'a', { type: 'unprobed', why: 'x' }))).not.toBeNull();
  },

  'JOB-2 an event that does not fit the stored row writes nothing': async (store) => {
    const to = context();
    await store.change((rows) => writeAll(rows, to));
    const before = await store.job('a');
    const answered = await store.change(async (rows) => [
      await applyEvent(rows, to, 'a', { type: 'converting' }, [{ step_type: 'Thought', content: 'never' }]),
      await applyEvent(rows, to, 'nobody', { type: 'probe' }),
    ]);
    expect(answered).toEqual([null, null]);
    expect(await store.job('a')).toEqual(before);
    expect(await allOf(store)).toEqual(ALL);
  },

  'JOB-1 changes come one after the other, however many are asked for at once': async (store) => {
    const to = context();
    await store.change((rows) => writeAll(rows, to));
    const steps = Array.from({ length: 12 }, (_, at) => ({ step_type: 'Thought' as const, content: `thought ${at}` }));
    await Promise.all(
      steps.map((step) =>
        store.change(async (rows) => {
          await touchBatch(rows, 'b1');
          await addSteps(rows, to, 'a', [step]);
        }),
      ),
    );
    expect((await store.batch('b1'))?.revision).toBe(15);
    const log = await store.steps('a');
    expect(log.map((step) => step.step_number)).toEqual(Array.from({ length: 14 }, (_, at) => at + 1));
    expect(log.slice(2).map((step) => step.content)).toEqual(steps.map((step) => step.content));
  },

  'a log is in the order of its numbers, of one job alone, and goes on where it ended': async (store) => {
    const to = context();
    const elsewhere = (step_number: number): ReasoningStep => ({
      ...{ id: `e${step_number}`, job_id: 'a', step_number, timestamp: 1, step_type: 'Context' },
      ...{ content: `from elsewhere ${step_number}`, metadata: {}, duration_ms: null },
    });
    await store.change(async (rows) => {
      await addJob(rows, to, jobIn('queued', { id: 'a' }), []);
      await addJob(rows, to, jobIn('queued', { id: 'b' }), [{ step_type: 'Context', content: 'of another' }]);
      await rows.putSteps(Array.from({ length: 11 }, (_, at) => elsewhere(at + 1)));
      expect(await rows.lastStep('a')).toBe(11);
      await addSteps(rows, to, 'a', [{ step_type: 'Action', content: 'here' }]);
    });
    const log = await store.steps('a');
    expect(log.map((step) => step.step_number)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
    expect(log.at(-1)).toMatchObject({ content: 'here', metadata: {}, duration_ms: null });
    expect((await store.steps('b')).map((step) => step.step_number)).toEqual([1]);
    expect(await store.steps('nobody')).toEqual([]);
  },

  'JOB-39 steps of a whole group are kept with its first job and shown in their place in the log of each': async (
    store,
  ) => {
    const to = context();
    const [together, both] = [new GroupSteps(SEARCHES), ['a', 'b']];
    await store.change(async (rows) => {
      for (const id of both) await addJob(rows, to, jobIn('queued', { id }), [{ step_type: 'Context', content: id }]);
      for (const id of both)
        await applyEvent(
          rows,
          to,
          id,
          { type: 'probe' },
          [{ step_type: 'Thought', content: `own of ${id}` }],
          together,
        );
    });
    // Also where the first of them is read, and where nothing is: both in a change of their own.
    await store.change(async (rows) => {
      for (const id of both) {
        expect(await rows.lastStep(id)).toBe(5);
        await addSteps(rows, to, id, [{ step_type: 'Action', content: 'and then' }]);
      }
    });
    for (const id of both) {
      const log = await store.steps(id);
      expect(log.map(({ step_number, content }) => `${step_number} ${content}`)).toEqual([
        `1 ${id}`,
        ...['2 search_catalog({"query":"x"})', '3 2 candidates', '4 search_catalog({"query":"y"})'],
        ...[`5 own of ${id}`, '6 and then'],
      ]);
      expect(new Set(log.map((step) => step.job_id))).toEqual(new Set([id]));
      expect(log[2]?.metadata).toEqual({ found: 2 });
    }
    const ids = (await Promise.all(both.map((id) => store.steps(id)))).flat().map((step) => step.id);
    expect(new Set(ids).size).toBe(ids.length);
  },

  'JOB-40 where the job with the steps of its group is deleted, the others keep them': async (store) => {
    const to = context();
    const together = new GroupSteps(SEARCHES);
    await store.change(async (rows) => {
      for (const id of ['a', 'b', 'c']) {
        await addJob(rows, to, jobIn('queued', { id }), [{ step_type: 'Context', content: id }]);
        await applyEvent(rows, to, id, { type: 'probe' }, [], together);
        await addSteps(rows, to, id, [{ step_type: 'Action', content: 'and then' }]);
      }
    });
    const before = await Promise.all(['b', 'c'].map((id) => store.steps(id)));
    for (const gone of [['a'], ['b']]) {
      await store.change((rows) => rows.deleteJobs(gone));
      expect(await store.steps('c')).toEqual(before[1]);
      expect(await store.steps('b')).toEqual(gone.includes('b') ? [] : before[0]);
    }
    await store.change(async (rows) => {
      await addSteps(rows, to, 'c', [{ step_type: 'Action', content: 'last' }]);
      expect(await rows.lastStep('c')).toBe(6);
    });
  },

  'jobs are found by id, batch, status, phase, content and track': async (store) => {
    const to = context();
    await store.change(async (rows) => {
      for (const job of [
        jobIn('queued', { id: 'a', sha256: HASH }),
        jobIn('grouping', { id: 'b', sha256: HASH }),
        jobIn('review', { id: 'c', batch_id: 'b2' }),
        jobIn('approved', { id: 'd', matched_track_id: 'tr1' }),
        jobIn('published', { id: 'e', matched_track_id: 'tr1' }),
        jobIn('failed', { id: 'f', matched_track_id: 'tr2' }),
      ])
        await addJob(rows, to, job, []);
    });
    expect((await store.jobs(['e', 'nobody', 'a'])).map((job) => job.id)).toEqual(['e', 'a']);
    expect(await store.job('nobody')).toBeUndefined();
    expect(idsOf(await store.jobsOfBatch('b1'))).toEqual(['a', 'b', 'd', 'e', 'f']);
    expect(idsOf(await store.jobsIn('PENDING', 'PROCESSING', 'PENDING'))).toEqual(['a', 'b']);
    expect(idsOf(await store.jobsIn())).toEqual([]);
    expect((await store.firstIn('grouping'))?.id).toBe('b');
    expect(await store.firstIn('thinking')).toBeUndefined();
    expect(idsOf(await store.jobsOfContent(HASH))).toEqual(['a', 'b']);
    expect(idsOf(await store.jobsMatchedTo(['tr1']))).toEqual(['d', 'e']);
    expect(idsOf(await store.jobsMatchedTo(['tr2', 'tr1', 'tr3']))).toEqual(['d', 'e', 'f']);
    expect(await store.jobsMatchedTo([])).toEqual([]);
    // By what they are now, not by what they were.
    await store.change((rows) => applyEvent(rows, to, 'a', { type: 'probe' }));
    expect(await store.jobsIn('PENDING')).toEqual([]);
    expect((await store.firstIn('probing'))?.id).toBe('a');
  },

  'batches are listed by their state, the oldest first': async (store) => {
    await store.change(async (rows) => {
      for (const [id, created_at] of Object.entries({ b1: 30, b2: 10, b3: 20 }))
        await rows.putBatch(makeBatch({ id, created_at, state: id === 'b3' ? 'staging' : 'staged' }));
    });
    expect((await store.batches('staged')).map((batch) => batch.id)).toEqual(['b2', 'b1']);
    expect((await store.batches('staging')).map((batch) => batch.id)).toEqual(['b3']);
    expect(await store.batch('nothing')).toBeUndefined();
  },

  'questions are found by batch and by job, each once, and by what they are about now': async (store) => {
    await store.change(async (rows) => {
      await rows.putReview(question('r1', ['a', 'b']));
      await rows.putReview(question('r2', ['b']));
      await rows.putReview(question('r3', ['c'], { batch_id: 'b2' }));
    });
    expect(idsOf(await store.reviewsOfBatch('b1'))).toEqual(['r1', 'r2']);
    expect(idsOf(await store.reviewsOfJobs(['a', 'b']))).toEqual(['r1', 'r2']);
    expect(idsOf(await store.reviewsOfJobs(['a', 'c']))).toEqual(['r1', 'r3']);
    expect(await store.reviewsOfJobs([])).toEqual([]);
    expect(await store.review('nothing')).toBeUndefined();
    await store.change(async (rows) => {
      await rows.putReview(question('r1', ['a']));
      await rows.deleteReviews(['r3', 'nothing']);
    });
    expect(idsOf(await store.reviewsOfJobs(['b', 'c']))).toEqual(['r2']);
  },

  'the outbox is a queue: the oldest first, by state, the latest at its end': async (store) => {
    await store.change(async (rows) => {
      await rows.putOutboxItem(waiting('k3', 'c', 30, { state: 'parked' }));
      await rows.putOutboxItem(waiting('k1', 'a', 10));
      await rows.putOutboxItem(waiting('k2', 'b', 20, { state: 'uploading' }));
      await rows.putOutboxItem(waiting('k4', 'a', 40));
    });
    const keys = (items: readonly OutboxItem[]): string[] => items.map((item) => item.key);
    expect(keys(await store.outbox())).toEqual(['k1', 'k2', 'k3', 'k4']);
    expect(keys(await store.outbox(undefined, 2))).toEqual(['k1', 'k2']);
    expect(keys(await store.outbox(['waiting', 'uploading']))).toEqual(['k1', 'k2', 'k4']);
    expect(keys(await store.outbox(['waiting', 'parked'], 2))).toEqual(['k1', 'k3']);
    expect(keys(await store.outbox(['committing']))).toEqual([]);
    expect(keys(await store.outboxOfJob('a')).sort()).toEqual(['k1', 'k4']);
    expect((await store.latestOutboxItem())?.key).toBe('k4');
    await store.change((rows) => rows.deleteOutboxItems(['k4', 'nothing']));
    expect((await store.latestOutboxItem())?.key).toBe('k3');
    expect(await store.outboxItem('k4')).toBeUndefined();
    expect(await store.outboxItem('k1')).toMatchObject({ job_id: 'a', state: 'waiting', body: { track_id: 'tr-a' } });
  },

  'jobs are deleted with their logs, and nothing else is': async (store) => {
    const to = context();
    await store.change(async (rows) => {
      await writeAll(rows, to);
      await addJob(rows, to, jobIn('queued', { id: 'b' }), [{ step_type: 'Context', content: 'stays' }]);
      await rows.deleteJobs(['a', 'nobody']);
    });
    expect(await allOf(store)).toEqual({ ...ALL, job: undefined, steps: [] });
    expect((await store.steps('b')).map((step) => step.content)).toEqual(['stays']);
  },

  'a row is read as it was written': async (store) => {
    const job = jobIn('waiting', { id: 'a', sha256: HASH, hold: true, reasons: [REASON] });
    const item = waiting('k1', 'a', 7, { commit_sent: true, failure: null });
    await store.change(async (rows) => {
      await addJob(rows, context(), job, []);
      await rows.putReview(question('r1', ['a'], { stands: true }));
      await rows.putOutboxItem(item);
    });
    expect(await store.job('a')).toEqual(job);
    expect(await store.review('r1')).toEqual(question('r1', ['a'], { stands: true }));
    // A holder of the work marks what it writes.
    expect(await store.outboxItem('k1')).toEqual({ ...item, epoch: expect.any(Number) });
  },
};

/** Runs the conformance suite; each case gets a store of its own, with no rows but perhaps the batch `b1`. */
export function jobStoreContract(
  name: string,
  open: () => Promise<{ store: Store; close?: () => Promise<void> }>,
): void {
  describe(`${name} keeps the JobStore contract`, () => {
    for (const [what, run] of Object.entries(CASES)) {
      test(what, async () => {
        await prepareOutboxItems();
        const { store, close } = await open();
        try {
          await run(store);
        } finally {
          await close?.();
        }
      });
    }
  });
}
