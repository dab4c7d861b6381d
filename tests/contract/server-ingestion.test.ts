import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MirroredJob, MirrorRequest, MirrorResponse, Step } from '#core/sync/protocol.ts';
import { commitOf, SMALL_CATALOG, testServer, TOKEN, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { ADVICE, FAILED_ADVICE, job, review, step, type MirroredReview } from '../fixtures/mirrored.ts';
import { connectTo, hangUp, updates } from '../fixtures/sockets.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
});
afterEach(async () => {
  hangUp();
  await server.end();
});

/** Two steps of `of`, from its second on, in the log of a job. */
function sameAs(job_id: string, step_number: number, of: string): MirrorRequest['steps'][number] {
  const { step: row } = step(job_id, step_number, 'of its group');
  const same_as = { job_id: of, step_number: 2, count: 2 };
  return { job_id, step: { ...row, id: `${job_id}-${step_number}-same`, same_as } };
}
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

interface List<T> {
  items: T[];
  next_cursor: string | null;
}

const mirror = (request: Partial<MirrorRequest>) =>
  server.api<MirrorResponse & ErrorAnswer>('PUT', '/v1/ingestion/mirror', {
    jobs: [],
    steps: [],
    reviews: [],
    ...request,
  });
const answer = (jobId: string, selected_option: string, token = TOKEN) =>
  server.api<MirroredReview & ErrorAnswer>(
    'POST',
    `/v1/ingestion/review/${jobId}`,
    { selected_option },
    { Authorization: `Bearer ${token}` },
  );
const open = async (): Promise<MirroredReview[]> =>
  (await server.api<List<MirroredReview>>('GET', '/v1/ingestion/review')).body.items;

test('SYNC-73 when a workstation last named a job is kept to the minute, and nobody else says it', async () => {
  const heard = async (id: string) =>
    (await server.api<{ heard_at: number | null }>('GET', `/v1/ingestion/jobs/${id}`)).body.heard_at;
  const minute = (at: number): number => at - (at % 60_000);
  await mirror({ jobs: [job('j1', { heard_at: 5 })] });
  expect(await heard('j1')).toBe(minute(server.time.now));
  server.time.now += 400_000;
  await mirror({ jobs: [job('j2')] });
  expect(await heard('j1')).toBe(minute(server.time.now - 400_000));
  // The same state again: it is alive.
  await mirror({ jobs: [job('j1')] });
  expect(await heard('j1')).toBe(minute(server.time.now));
});

describe('the mirror', () => {
  test('MIRROR-1: jobs and their reasoning are read back as they were told', async () => {
    expect((await mirror({ jobs: [job('j1')], steps: [step('j1', 1), step('j1', 2, 'Matched')] })).body).toMatchObject({
      resolved_reviews: [],
    });
    const { body } = await server.api<MirroredJob>('GET', '/v1/ingestion/jobs/j1');
    expect(body).toMatchObject({
      ...job('j1'),
      user_id: 'admin',
      reasoning_steps: [
        { step_type: 'ToolCall', content: 'search_catalog({...})', metadata: { found: 3 } },
        { step_number: 2, content: 'Matched' },
      ],
    });
    expect((await server.api('GET', '/v1/ingestion/jobs/x')).status).toBe(404);
  });

  test('API-85, SOCKET-1: steps of a whole group come once, and are in their place in the log of each of its jobs', async () => {
    const heard = await connectTo(server);
    const said = {
      jobs: [job('j1'), job('j2')],
      steps: [...[1, 2, 3].map((n) => step('j1', n)), sameAs('j2', 2, 'j1')],
    };
    const later = { step: { ...step('j2', 4).step, content: 'Matched' }, job_id: 'j2' };
    expect((await mirror({ ...said, steps: [...said.steps, step('j2', 1, 'Read'), later] })).status).toBe(200);
    const log = async (id: string, token = TOKEN) =>
      (await server.api<{ reasoning_steps: Step[] }>('GET', `/v1/ingestion/jobs/${id}`, undefined, bearer(token))).body
        .reasoning_steps;
    expect((await log('j2')).map((one) => [one.step_number, one.content, one.metadata])).toEqual([
      [1, 'Read', { found: 3 }],
      [2, 'search_catalog({...})', { found: 3 }],
      [3, 'search_catalog({...})', { found: 3 }],
      [4, 'Matched', { found: 3 }],
    ]);
    expect(await log('j1')).toHaveLength(3);
    // The update about the second job says what is the last of its log by then.
    await expect.poll(() => updates(heard).length).toBe(6);
    const told = updates(heard).filter((one) => one.job_id === 'j2');
    expect(told.map((one) => one.latest_step?.step_number)).toEqual([3, 1, 4]);
    expect(JSON.stringify([await log('j2'), told])).not.toContain('same_as');
    // What the server itself adds goes behind them.
    await mirror({ jobs: [job('j3')], steps: [sameAs('j3', 1, 'j1')] });
    await server.api('DELETE', '/v1/ingestion/jobs/j3');
    expect((await log('j3')).map((one) => one.step_number)).toEqual([1, 2, 3]);
  });

  test('API-86: a row that names steps of another person, or of no job, shows none of them', async () => {
    await server.addToken('the-token-of-bob', 'bob', 'EditCatalog');
    await mirror({ jobs: [job('j1')], steps: [1, 2, 3].map((n) => step('j1', n, 'a secret of the admin')) });
    const of = bearer('the-token-of-bob');
    const request = { jobs: [job('b1')], steps: [sameAs('b1', 1, 'j1'), sameAs('b1', 3, 'nobody')], reviews: [] };
    expect((await server.api('PUT', '/v1/ingestion/mirror', request, of)).status).toBe(200);
    const { body } = await server.api<{ reasoning_steps: Step[] }>('GET', '/v1/ingestion/jobs/b1', undefined, of);
    expect(body.reasoning_steps.map(({ content }) => content)).toEqual(['of its group', 'of its group']);
  });

  test('MIRROR-4: a report names the one before; a server that was put back and does not have that says so', async () => {
    const take = async (after?: string) => {
      const report = { jobs: [], steps: [], reviews: [], ...(after === undefined ? {} : { after }) };
      return server.api<{ mark: string } & ErrorAnswer>('PUT', '/v1/ingestion/mirror', report);
    };
    const known = async (mark: string, token = TOKEN) =>
      (
        await server.api<{ known: boolean }>('GET', `/v1/ingestion/mirror?after=${mark}`, undefined, {
          Authorization: `Bearer ${token}`,
        })
      ).body.known;
    const first = (await take()).body.mark;
    const second = (await take(first)).body.mark;
    // The answer may have been lost: the same again.
    const again = (await take(first)).body.mark;
    expect([await known(first), await known(second), await known(again)]).toEqual([true, true, true]);
    const third = (await take(second)).body.mark;
    expect([await known(first), await known(second), await known(third)]).toEqual([false, true, true]);
    await server.addToken('the-token-of-vera', 'vera', 'EditCatalog');
    expect(await known(third, 'the-token-of-vera')).toBe(false);
    // What was put back does not have it.
    await server.store.write((tx) => tx.deleteFrom('mirror_marks').where('mark', '=', third).execute());
    const refused = await take(third);
    expect([refused.status, refused.body.error.code]).toEqual([410, 'not_found']);
  });
  test('MIRROR-1: told twice it is the same; what is older does not cover what is newer', async () => {
    await mirror({ jobs: [job('j1', { status: 'CONVERTING', updated_at: 3000 })], steps: [step('j1', 1)] });
    await mirror({ jobs: [job('j1', { status: 'PROCESSING', updated_at: 2000 })], steps: [step('j1', 1)] });
    const { body } = await server.api<{ status: string; reasoning_steps: unknown[] }>('GET', '/v1/ingestion/jobs/j1');
    expect([body.status, body.reasoning_steps.length]).toEqual(['CONVERTING', 1]);
  });

  test('MIRROR-2: a published job stays COMPLETED whatever comes late', async () => {
    const file = vorbisFile({ durationMs: 255_000 });
    await mirror({ jobs: [job('j1')] });
    await server.upload(file);
    await server.api('POST', '/v1/ingestion/commits', commitOf(file, 'tr_h1', { job_id: 'j1' }), {
      'Idempotency-Key': 'a',
    });
    await mirror({ jobs: [job('j1', { status: 'CONVERTING', updated_at: 9000, original_filename: 'renamed.flac' })] });
    expect((await server.api('GET', '/v1/ingestion/jobs/j1')).body).toMatchObject({
      status: 'COMPLETED',
      matched_track_id: 'tr_h1',
      output_file_path: expect.stringContaining('Hunter'),
      original_filename: 'renamed.flac',
    });
  });

  test('SYNC-68: a job that was cancelled here and had ended as a duplicate there is said until it is cancelled there', async () => {
    await mirror({ jobs: [job('j1')] });
    expect((await server.api('DELETE', '/v1/ingestion/jobs/j1')).status).toBe(200);
    const duplicate = job('j1', { status: 'COMPLETED', output_file_path: null, updated_at: server.time.now + 1 });
    for (let again = 0; again < 2; again += 1)
      expect((await mirror({ jobs: [duplicate] })).body).toMatchObject({ cancelled_jobs: ['j1'] });
    const ended = { status: 'FAILED', error_message: 'cancelled', updated_at: server.time.now + 2 } as const;
    expect((await mirror({ jobs: [job('j1', ended)] })).body).not.toHaveProperty('cancelled_jobs');
    expect((await server.api('GET', '/v1/ingestion/jobs/j1')).body).toMatchObject({
      ...{ status: 'FAILED', error_message: 'cancelled' },
    });
  });

  test('FAULT-3: a server that was put back says of which published results it knows no commit', async () => {
    const file = vorbisFile({ durationMs: 255_000 });
    await server.upload(file);
    const key = { 'Idempotency-Key': 'once' };
    const body = commitOf(file, 'tr_h1', { job_id: 'j1' });
    expect((await server.api('POST', '/v1/ingestion/commits', body, key)).status).toBe(200);
    const done = { status: 'COMPLETED', matched_track_id: 'tr_h1', output_file_path: 'here.ogg' } as const;
    // A duplicate has no file of its own; what was committed here is not lost.
    const jobs = [job('j1', done), job('j2', done), job('j3', { ...done, output_file_path: null })];
    expect((await mirror({ jobs })).body).toMatchObject({ resolved_reviews: [], lost_jobs: ['j2'] });
  });

  test('MIRROR-3: a user lists their own jobs, newest first, page by page, by status', async () => {
    await server.addToken('the-token-of-bob', 'bob', 'EditCatalog Admin');
    await mirror({
      jobs: [1, 2, 3].map((at) => job(`j${at}`, { created_at: at, status: at === 2 ? 'FAILED' : 'PENDING' })),
    });
    const first = (await server.api<List<MirroredJob>>('GET', '/v1/ingestion/jobs?limit=2')).body;
    expect(first.items.map((one) => one.id)).toEqual(['j3', 'j2']);
    const rest = (
      await server.api<List<MirroredJob>>('GET', `/v1/ingestion/jobs?limit=2&cursor=${first.next_cursor ?? ''}`)
    ).body;
    expect([rest.items.map((one) => one.id), rest.next_cursor]).toEqual([['j1'], null]);
    const failed = (await server.api<List<MirroredJob>>('GET', '/v1/ingestion/jobs?status=FAILED')).body;
    expect(failed.items.map((one) => one.id)).toEqual(['j2']);
    expect((await server.api('GET', '/v1/ingestion/jobs?status=DONE')).status).toBe(400);
    const bobs = await server.api<List<MirroredJob>>('GET', '/v1/ingestion/jobs', undefined, {
      Authorization: 'Bearer the-token-of-bob',
    });
    expect(bobs.body.items).toEqual([]);
    const taken = await server.api(
      'PUT',
      '/v1/ingestion/mirror',
      { jobs: [job('j1')], steps: [], reviews: [] },
      { Authorization: 'Bearer the-token-of-bob' },
    );
    expect(taken.status).toBe(409);
  });

  test('MIRROR-1: steps of a job that nobody told of are refused, with everything beside them', async () => {
    expect((await mirror({ jobs: [job('j1')], steps: [step('j2', 1)] })).status).toBe(422);
    expect((await server.api('GET', '/v1/ingestion/jobs/j1')).status).toBe(404);
  });
});

describe('reviews', () => {
  beforeEach(async () => {
    await mirror({ jobs: [job('j1'), job('j2')], reviews: [review('r1', ['j1', 'j2'])] });
  });

  test('API-77: a question is listed with what the agent says of it, and why it could not be asked', async () => {
    const asked = [review('r1', ['j1', 'j2'], { advice: ADVICE }), review('r3', ['j3'], { advice: FAILED_ADVICE })];
    await mirror({ jobs: [job('j3')], reviews: asked });
    expect((await open()).map(({ advice }) => advice)).toEqual([ADVICE, FAILED_ADVICE]);
    // A program from before says nothing of it.
    await mirror({ reviews: [review('r4', ['j3'])] });
    expect((await open()).at(-1)).toMatchObject({ id: 'r4', advice: null });
  });

  test('ANSWER-1: an open question is listed, and answered once through any of its jobs', async () => {
    expect(await open()).toMatchObject([
      {
        job_id: 'j1',
        job_ids: ['j1', 'j2'],
        question: 'Which album is this?',
        options: [{ id: 'album:al_homogenic' }, {}],
      },
    ]);
    const first = await answer('j2', 'album:al_homogenic');
    expect([first.status, first.body.selected_option, first.body.resolved_by_user_id]).toEqual([
      200,
      'album:al_homogenic',
      'admin',
    ]);
    expect(await open()).toEqual([]);
  });

  test('MATCH-113 an answer row by row names an album and tracks of the catalog, or is refused with what is not there', async () => {
    for (const [said, why] of [
      ['rows:album=al_nothing&j1=ask', 'no album "al_nothing"'],
      ['rows:album=al_homogenic&j1=track:tr_nothing', 'no track "tr_nothing"'],
      ['rows:album=al_homogenic&j1=perhaps', 'cannot be read'],
    ] as const) {
      const { status, body } = await answer('j1', said);
      expect([status, body.error.message]).toEqual([422, expect.stringContaining(why)]);
    }
    const given = await answer('j1', 'rows:album=al_homogenic&j1=ask');
    expect([given.status, given.body.selected_option]).toEqual([200, 'rows:album=al_homogenic&j1=ask']);
    expect(await open()).toEqual([]);
  });

  test('ANSWER-2: the first answer wins; the same again is agreed to, another one is told the winner', async () => {
    await server.addToken('the-token-of-bob', 'bob', 'EditCatalog Admin');
    await answer('j1', 'album:al_homogenic');
    expect((await answer('j1', 'album:al_homogenic', 'the-token-of-bob')).status).toBe(200);
    const late = await answer('j1', 'none', 'the-token-of-bob');
    expect([late.status, late.body.error['winner']]).toMatchObject([
      409,
      { selected_option: 'album:al_homogenic', resolved_by_user_id: 'admin' },
    ]);
  });

  test('ANSWER-3: an answer is an option, none, cancelled, or an entry that exists', async () => {
    expect((await answer('j1', 'something')).status).toBe(422);
    expect((await answer('j1', 'track:tr_nope')).status).toBe(422);
    expect((await answer('j9', 'none')).status).toBe(404);
    expect((await answer('j1', '')).status).toBe(400);
    // One track is no answer for two files.
    expect((await answer('j1', 'track:tr_h1')).status).toBe(422);
    await mirror({ jobs: [job('j3')], reviews: [review('r3', ['j3'])] });
    expect((await answer('j3', 'track:tr_h1')).status).toBe(200);
  });

  test('ANSWER-3 REVIEW-21: a question about several files takes `accept` or `each`, where it offers them', async () => {
    expect((await answer('j1', 'accept')).status).toBe(422);
    const options = [
      { id: 'accept', label: 'These tracks', confidence: 0.6 },
      { id: 'each', label: 'Ask one by one', confidence: 0 },
    ];
    await mirror({ jobs: [job('j3'), job('j4')], reviews: [review('r2', ['j3', 'j4'], { options })] });
    expect((await answer('j4', 'track:tr_h1')).status).toBe(422);
    expect((await answer('j4', 'accept')).body).toMatchObject({ selected_option: 'accept', job_ids: ['j3', 'j4'] });
    expect((await mirror({ reviews: [review('r2', ['j3', 'j4'], { options })] })).body).toMatchObject({
      resolved_reviews: [{ id: 'r2', selected_option: 'accept' }],
    });
  });

  test('ANSWER-5 REVIEW-25, REVIEW-38: the listed question says what `accept` takes; an answer to one that was replaced is 409', async () => {
    const tracks = [
      {
        job_id: 'j3',
        name: 'a.mp3',
        track_id: 'tr_h1',
        title: 'Hunter',
        album_id: 'al_homogenic',
        album: 'Homogenic',
        duration_ms: null,
      },
    ];
    const options = [{ id: 'accept', label: 'These tracks', confidence: 0.6, tracks }];
    const withdrawn = { resolved_at: 3, selected_option: 'withdrawn' };
    await mirror({ jobs: [job('j3'), job('j4')], reviews: [review('r2', ['j3', 'j4'], { options, ...withdrawn })] });
    await mirror({ reviews: [review('r5', ['j3', 'j4'], { options })] });
    expect((await open()).find(({ id }) => id === 'r5')?.options).toMatchObject(options);
    const late = (review_id: string) =>
      server.api<MirroredReview & ErrorAnswer>('POST', '/v1/ingestion/review/j3', {
        selected_option: 'accept',
        review_id,
      });
    expect(await late('r2')).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(await late('r5')).toMatchObject({ status: 200, body: { id: 'r5', selected_option: 'accept' } });
  });

  test('ANSWER-4, ANSWER-6: the workstation is told of an answer given here until it has taken it over', async () => {
    await answer('j1', 'album:al_homogenic');
    const told = {
      resolved_reviews: [
        expect.objectContaining({ id: 'r1', selected_option: 'album:al_homogenic', resolved_by_user_id: 'admin' }),
      ],
    };
    expect((await mirror({ reviews: [review('r1', ['j1', 'j2'])] })).body).toMatchObject(told);
    const own = review('r1', ['j1', 'j2'], {
      selected_option: 'album:al_automatic',
      resolved_at: 1,
      resolved_by_user_id: 'admin',
    });
    expect((await mirror({ reviews: [own] })).body).toMatchObject(told);
    const taken = { ...own, selected_option: 'album:al_homogenic' };
    expect((await mirror({ reviews: [taken] })).body).toMatchObject({ resolved_reviews: [] });
    // What was sent earlier and arrives later opens nothing: an undo asks anew, under another id.
    expect((await mirror({ reviews: [review('r1', ['j1', 'j2'])] })).body).toMatchObject({ resolved_reviews: [] });
    expect(await open()).toEqual([]);
    await mirror({ reviews: [review('r1-again', ['j1', 'j2'])] });
    expect(await open()).toHaveLength(1);
  });

  test('ANSWER-1: what the workstation answered itself is closed here as well', async () => {
    await mirror({
      reviews: [review('r1', ['j1', 'j2'], { selected_option: 'none', resolved_at: 5, resolved_by_user_id: 'admin' })],
    });
    expect(await open()).toEqual([]);
    expect((await answer('j1', 'album:al_homogenic')).status).toBe(409);
  });
});
