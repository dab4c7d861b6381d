import { describe, expect, it } from 'vitest';
import { createMirror } from '#adapters/browser/sync/mirror.ts';
import { readMirrorState } from '#adapters/browser/meta.ts';
import { readLog } from '#adapters/browser/step-rows.ts';
import { failure } from '#core/errors.ts';
import { addSteps, applyEvent } from '#core/job/apply.ts';
import { GroupSteps } from '#core/job/shared-steps.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { MirrorRequestSchema, type MirrorRequest, type MirrorResponse } from '#core/sync/protocol.ts';
import * as v from 'valibot';
import type { MusicReview } from '#lanes/music/core/types.ts';
import { countingIds, makeJob } from '../../fixtures/job.ts';
import { trackOption } from '../../fixtures/match.ts';
import { musicStation } from '../../fixtures/music-station.ts';
import { openDb, turnedTime } from './world.ts';

function review(id: string, patch: Partial<MusicReview> = {}): MusicReview {
  return {
    schema_version: 1,
    id,
    kind: 'album',
    job_id: 'j1',
    job_ids: ['j1'],
    batch_id: 'b1',
    group_id: null,
    question: 'Which album?',
    reasoning: 'why',
    options: [{ id: 'album:1', label: 'Thriller', confidence: 0.8, reasons: [] }],
    detected: { album: null, artist: null, year: null, title: null },
    files: [],
    created_at: 1,
    resolved_at: null,
    resolved_by_user_id: null,
    selected_option: null,
    ...patch,
  };
}

/** The server's side: newer `updated_at` wins, steps by id. */
function setUp(bounds?: { jobs: number; steps: number }[]) {
  const db = openDb();
  const time = turnedTime();
  const ids = countingIds();
  const requests: MirrorRequest[] = [];
  const remote: [string, string, string | null][] = [];
  const server = {
    jobs: new Map<string, MirrorRequest['jobs'][number]>(),
    steps: new Set<string>(),
    resolved: [] as MirrorResponse['resolved_reviews'],
  };
  type Refused = Result<MirrorResponse> | null;
  let refuse: ((body: MirrorRequest) => Refused | Promise<Refused>) | null = null;
  const mirror = createMirror({
    db,
    clock: time,
    ...(bounds ? { bounds } : {}),
    client: {
      mirror: async (body) => {
        expect(v.is(MirrorRequestSchema, body)).toBe(true);
        requests.push(body);
        const refused = await refuse?.(body);
        if (refused) return refused;
        for (const job of body.jobs) server.jobs.set(job.id, job);
        for (const { step } of body.steps) server.steps.add(step.id);
        return ok({ resolved_reviews: server.resolved });
      },
    },
    onRemoteAnswer: (id, option, by) => void remote.push([id, option, by]),
  });
  const store = musicStation(db, { clock: time, ids }).store();
  const steps = (jobId: string, count: number) =>
    store.change((rows) =>
      addSteps(
        rows,
        { clock: time, ids },
        jobId,
        Array.from({ length: count }, (_, n) => ({ step_type: 'Context' as const, content: `${n}` })),
      ),
    );
  const put = async (id: string, patch: Partial<Parameters<typeof makeJob>[0]> = {}, count = 0) => {
    await db.jobs.put(makeJob({ id, updated_at: time.now(), ...patch }));
    await steps(id, count);
    time.pass(1);
  };
  return {
    db,
    time,
    ids,
    store,
    mirror,
    requests,
    remote,
    server,
    put,
    steps,
    refuse: (how: typeof refuse) => (refuse = how),
  };
}

describe('SYNC-19 the mirror', () => {
  it('sends what changed with its steps and reviews, once', async () => {
    const { db, mirror, requests, put, server, steps, time } = setUp();
    await db.reviews.put(review('r1'));
    await put('j1', { phase: 'review', context_type: 'DOWNLOAD_REQUEST' }, 3);
    await put('j2', {}, 1);
    expect(await mirror.push(false)).toEqual({ ok: true, value: { jobs: 2, steps: 4, refused: [] } });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.jobs[0]).toMatchObject({
      ...{ id: 'j1', status: 'AWAITING_REVIEW', context_type: 'download_request' },
    });
    expect(requests[0]?.reviews.map((one) => one.id)).toEqual(['r1']);
    expect(await mirror.push(false)).toEqual({ ok: true, value: { jobs: 0, steps: 0, refused: [] } });
    // Only the new steps go with the next change.
    await steps('j1', 2);
    await db.jobs.put(makeJob({ id: 'j1', updated_at: time.now(), phase: 'approved' }));
    time.pass(1);
    expect(await mirror.push(false)).toMatchObject({ value: { jobs: 1, steps: 2 } });
    expect(server.jobs.get('j1')?.status).toBe('CONVERTING');
  });

  it('JOB-42 what was done for twelve files together is stored and sent once, and read in the log of each', async () => {
    const { db, mirror, requests, put, store, time, ids } = setUp();
    const files = Array.from({ length: 12 }, (_, at) => `j${at + 10}`);
    for (const id of files) await put(id, { phase: 'probing' }, 1);
    const drafts = Array.from({ length: 60 }, (_, n) => ({ step_type: 'ToolCall' as const, content: `search ${n}` }));
    await store.change(async (rows) => {
      const together = new GroupSteps(drafts);
      const using = { clock: time, ids };
      for (const id of files) await applyEvent(rows, using, id, { type: 'unprobed', why: 'own' }, [], together);
    });
    time.pass(1);
    expect(await mirror.push(false)).toMatchObject({ value: { jobs: 12, steps: 12 + 60 + 11 + 12 } });
    expect(await db.steps.count()).toBe(12 + 60 + 11 + 12);
    expect(requests).toHaveLength(1);
    for (const id of files) {
      const log = await store.steps(id);
      expect(log.map(({ step_number }) => step_number)).toEqual(Array.from({ length: 62 }, (_, at) => at + 1));
      expect(log.slice(1, -1).map(({ content }) => content)).toEqual(drafts.map(({ content }) => content));
    }
    // A page that follows a log reads on behind the last step that it knows.
    expect((await readLog(db, 'j20', 61)).map(({ content }) => content)).toEqual(['own']);
    expect(await readLog(db, 'j20', 1, 1)).toHaveLength(60);
  });

  it('REVIEW-25, REVIEW-38 a question about several files goes with the track that `accept` takes for each', async () => {
    const { db, mirror, requests, put } = setUp();
    await put('j1');
    const files: MusicReview['files'] = [0, 1, 2, 3, 4].map((n) => ({
      job_id: `j${n}`,
      name: `${n}.mp3`,
      title: null,
      disc: null,
      position: null,
      duration_ms: 1,
      proposed: trackOption(`t${n}`),
    }));
    const options = ['accept', 'each'].map((id) => ({ id, label: id, confidence: 0.7, reasons: [] }));
    await db.reviews.put(review('r1', { kind: 'tracks', files, options }));
    await mirror.push(false);
    const [accept, each] = requests[0]?.reviews[0]?.options ?? [];
    expect(accept?.tracks?.map(({ job_id, name, track_id, title }) => [job_id, name, track_id, title])).toEqual(
      [0, 1, 2, 3, 4].map((n) => [`j${n}`, `${n}.mp3`, `t${n}`, `Title t${n}`]),
    );
    expect(each).toEqual({ id: 'each', label: 'each', confidence: 0.7 });
  });

  it('sends bounded chunks, also of one job with many steps, and loses none', async () => {
    const { mirror, requests, put, server } = setUp([{ jobs: 2, steps: 4 }]);
    for (let n = 0; n < 5; n += 1) await put(`j${n}`, {}, n === 2 ? 11 : 1);
    expect(await mirror.push(false)).toMatchObject({ ok: true, value: { refused: [] } });
    expect(server.steps.size).toBe(15);
    expect(server.jobs.size).toBe(5);
    for (const { jobs, steps } of requests) {
      expect(jobs.length).toBeLessThanOrEqual(2);
      expect(steps.length).toBeLessThanOrEqual(4);
    }
  });

  it('jobs of one millisecond are all sent, and one that may still change in this millisecond goes next time', async () => {
    const { db, mirror, server, time } = setUp([{ jobs: 2, steps: 10 }]);
    for (let n = 0; n < 5; n += 1) await db.jobs.put(makeJob({ id: `j${n}`, updated_at: time.now() }));
    await mirror.push(false);
    expect(server.jobs.size).toBe(0);
    time.pass(1);
    await mirror.push(false);
    expect([...server.jobs.keys()]).toEqual(['j0', 'j1', 'j2', 'j3', 'j4']);
  });

  it('a failure keeps the cursor; the next push sends the same again', async () => {
    const { mirror, put, refuse, server } = setUp([{ jobs: 1, steps: 10 }]);
    await put('j1', {}, 1);
    await put('j2', {}, 1);
    refuse((body) => (body.jobs[0]?.id === 'j2' ? fail(failure('offline', 'gone')) : null));
    expect(await mirror.push(false)).toMatchObject({ ok: false, failure: { code: 'offline' } });
    refuse(null);
    expect(await mirror.push(false)).toMatchObject({ value: { jobs: 1, steps: 1 } });
    expect([...server.jobs.keys()]).toEqual(['j1', 'j2']);
  });

  it('SYNC-45 a request that is too large is cut smaller; a job that is never taken is left out, the others go on', async () => {
    const { mirror, put, refuse, server } = setUp();
    await put('j1', {}, 5);
    await put('poison', {}, 3);
    await put('j3', {}, 5);
    refuse((body) => {
      if (body.jobs.some((job) => job.id === 'poison')) return fail(failure('invalid', 'no'));
      return body.steps.length > 4 ? fail(failure('too_large', 'too much')) : null;
    });
    const result = await mirror.push(false);
    expect(result).toMatchObject({ ok: true, value: { refused: ['poison'] } });
    expect([...server.jobs.keys()]).toEqual(['j1', 'j3']);
    expect(server.steps.size).toBe(10);
  });

  it('SYNC-17 after a reset everything is sent again', async () => {
    const { mirror, put } = setUp();
    await put('j1', {}, 2);
    await mirror.push(false);
    await mirror.reset();
    expect(await mirror.push(false)).toMatchObject({ value: { jobs: 1, steps: 2 } });
  });

  it('SYNC-36 what was under way when the server was put back does not count as sent', async () => {
    const { mirror, put, refuse, server } = setUp();
    await put('j1', {}, 2);
    await mirror.push(false);
    await put('j2', {}, 1);
    const resets: Promise<void>[] = [];
    refuse(() => {
      if (resets.length === 0) {
        server.jobs.clear();
        server.steps.clear();
        resets.push(mirror.reset());
      }
      return null;
    });
    await mirror.push(false);
    await Promise.all(resets);
    await mirror.push(false);
    expect([...server.jobs.keys()].sort()).toEqual(['j1', 'j2']);
    expect(server.steps.size).toBe(3);
  });

  it('SYNC-9, SYNC-40 jobs dated in the future by a wrong clock are sent once, and so is everything after', async () => {
    const { db, mirror, put, server, time } = setUp([{ jobs: 2, steps: 10 }]);
    time.jump(365 * 86_400_000);
    for (const id of ['f1', 'f2', 'f3']) await put(id);
    await mirror.push(false);
    time.jump(-365 * 86_400_000);
    await put('j1');
    expect(await mirror.push(false)).toMatchObject({ value: { jobs: 4 } });
    expect(await mirror.push(false)).toMatchObject({ value: { jobs: 0 } });
    await db.jobs.put(makeJob({ id: 'f2', updated_at: time.now(), phase: 'published' }));
    time.pass(1);
    expect(await mirror.push(false)).toMatchObject({ value: { jobs: 1 } });
    expect(server.jobs.get('f2')?.status).toBe('COMPLETED');
    expect((await readMirrorState(db)).updated_at).toBeLessThan(time.now());
  });

  it('SYNC-66 a server that is put back is found also after the clock was turned back, jobs of its future included', async () => {
    const { mirror, put, server, time, refuse } = setUp();
    const marks = new Set<string>();
    refuse(({ after, jobs }) => {
      if (after !== undefined && !marks.has(after)) return fail(failure('not_found', 'It was put back.'));
      for (const job of jobs) server.jobs.set(job.id, job);
      const mark = String(marks.size).padStart(24, '0');
      marks.add(mark);
      return ok({ resolved_reviews: [], mark });
    });
    const hour = 3_600_000;
    time.jump(10 * hour);
    await put('future');
    time.jump(-9 * hour);
    await put('now');
    await mirror.push(false);
    // All of it is gone there, and the cursor lies in the future here.
    marks.clear();
    server.jobs.clear();
    time.jump(-hour / 2);
    await put('later');
    await mirror.push(false);
    expect([...server.jobs.keys()].sort()).toEqual(['future', 'later', 'now']);
  });

  it('SYNC-67 what changed while the clock was behind is sent, though nothing could be sent before it was right again', async () => {
    const { mirror, put, server, time } = setUp();
    const hour = 3_600_000;
    time.jump(2 * hour);
    await put('before', {}, 1);
    await mirror.push(false);
    time.jump(-hour);
    await put('meanwhile', {}, 2);
    await mirror.noteClock();
    time.jump(hour);
    await put('after', {}, 1);
    await mirror.push(false);
    expect([...server.jobs.keys()].sort()).toEqual(['after', 'before', 'meanwhile']);
    expect(server.steps.size).toBe(4);
    // While it is right, noting it changes nothing.
    await mirror.noteClock();
    expect(await mirror.push(false)).toMatchObject({ value: { jobs: 0 } });
  });

  it('SYNC-90 a report that is answered after the clock was seen to be behind does not put the cursor back into the future', async () => {
    const { mirror, put, refuse, server, time } = setUp();
    const hour = 3_600_000;
    time.jump(2 * hour);
    await put('before');
    await mirror.push(false);
    await put('sent');
    // The clock is set back, and something is done, while the server has not answered yet.
    refuse(async () => {
      refuse(null);
      time.jump(-hour);
      await put('meanwhile');
      await mirror.noteClock();
      time.jump(hour);
      return null;
    });
    await mirror.push(false);
    expect([...server.jobs.keys()].sort()).toEqual(['before', 'meanwhile', 'sent']);
  });

  it('forgets the step counts of finished jobs', async () => {
    const { db, mirror, put } = setUp();
    await put('j1', {}, 2);
    await put('j2', { phase: 'published' }, 2);
    await mirror.push(false);
    expect((await readMirrorState(db)).steps).toEqual({ j1: 2 });
  });
});

describe('SYNC-20 answers given elsewhere', () => {
  const elsewhere = { id: 'r1', selected_option: 'album:1', resolved_by_user_id: 'bob', resolved_at: 5 };

  it('are asked for with the open reviews, and passed on with who answered', async () => {
    const { db, mirror, requests, remote, server } = setUp();
    await db.reviews.bulkPut([review('r1'), review('r2', { resolved_at: 3, selected_option: 'none' })]);
    server.resolved = [elsewhere, { ...elsewhere, id: 'unknown' }];
    await mirror.push(false);
    expect(requests).toEqual([]);
    await mirror.push(true);
    expect(requests[0]?.reviews.map((one) => one.id)).toEqual(['r1']);
    expect(remote).toEqual([['r1', 'album:1', 'bob']]);
  });

  it('the same answer from both sides is no news; a different first answer is told', async () => {
    const { db, mirror, remote, server, put } = setUp();
    await db.reviews.put(review('r1', { resolved_at: 4, selected_option: 'album:1' }));
    server.resolved = [elsewhere];
    await put('j1');
    await mirror.push(false);
    expect(remote).toEqual([]);
    await db.reviews.update('r1', { selected_option: 'none' });
    await put('j1');
    await mirror.push(false);
    expect(remote).toEqual([['r1', 'album:1', 'bob']]);
  });
});
