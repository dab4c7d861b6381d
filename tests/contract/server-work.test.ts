import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MirroredJob } from '#core/sync/protocol.ts';
import type { Claim, UploadAnswer, WorkSave, WorkSaved } from '#core/sync/work-protocol.ts';
import { LEASE_MS, MOST_LOST } from '#server/work/lease.ts';
import { commitOf, SMALL_CATALOG, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { job, review, step } from '../fixtures/mirrored.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.end());

type As = { Authorization: string };
const as = (token: string): As => ({ Authorization: `Bearer ${token}` });

/** Somebody new, as the server lets people in. */
async function invited(role: string): Promise<As> {
  const made = await server.api<{ secret: string }>('POST', '/v1/invites', { name: role, role });
  const { secret } = made.body;
  const { body } = await server.api<{ token: string }>('POST', '/v1/invites/accept', { secret }, { Authorization: '' });
  return as(body.token);
}

/** A worker's token, made by this person (the admin when nobody is named). */
async function workerOf(person = {}): Promise<As> {
  const wish = { label: 'a worker', scope: 'Work' };
  return as((await server.api<{ token: string }>('POST', '/v1/tokens', wish, person)).body.token);
}

/** The first bytes of a FLAC file, and something behind them. */
const flac = (text = 'one'): Blob => new Blob(['fLaC', new Uint8Array([0, 0, 0, 34]), text.repeat(40)]);
const AUDIO = { durationMs: 255_000 };

async function upload(files: [string, Blob][], fields: Record<string, string> = {}, headers = {}) {
  const form = new FormData();
  for (const [name, text] of Object.entries(fields)) form.set(name, text);
  for (const [name, blob] of files) form.append('files', blob, name);
  const response = await server.raw('POST', '/v1/ingestion/upload', form, headers);
  const body = (await response.json()) as UploadAnswer & ErrorAnswer;
  return { status: response.status, headers: response.headers, body };
}

async function claim(headers = {}, former_lease?: string): Promise<Claim | null> {
  const { body } = await server.api<{ claim: Claim | null }>(
    'POST',
    '/v1/ingestion/claims',
    { worker: 'a test', former_lease },
    headers,
  );
  return body.claim;
}

async function claimed(headers = {}): Promise<Claim> {
  const found = await claim(headers);
  if (!found) throw new Error('nothing was to be claimed');
  return found;
}

function save(lease: Claim, rest: Partial<WorkSave>, headers = {}) {
  const body = {
    revision: lease.revision,
    state: 'ready',
    document: '{}',
    jobs: [],
    steps: [],
    reviews: [],
    ...rest,
  };
  return server.api<WorkSaved & ErrorAnswer>('PUT', `/v1/ingestion/claims/${lease.lease_id}`, body, headers);
}

const jobOf = async (id: string) =>
  (await server.api<MirroredJob & { reasoning_steps: { content: string }[] }>('GET', `/v1/ingestion/jobs/${id}`)).body;

describe('an upload', () => {
  test('API-30, API-69, API-70 becomes a job a file, each with its type by content; covers have none', async () => {
    const { status, body } = await upload([
      ['01 - Hunter.flac', flac()],
      ['cover.jpg', new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70, 0])])],
      ['../../etc/passwd.mp3', flac('two')],
    ]);
    expect(status).toBe(201);
    expect(body.job_ids).toHaveLength(2);
    expect(body.jobs.map((job) => job.status)).toEqual(['PENDING', 'PENDING']);
    const lease = await claimed();
    expect(lease.files.map((file) => file.path).every((path) => !path.includes('..'))).toBe(true);
    expect(lease.files).toHaveLength(3);
    const file = lease.files.find((one) => one.id === body.job_ids[0]);
    const bytes = await server.raw('GET', `/v1/ingestion/claims/${lease.lease_id}/files/${file?.id ?? ''}`);
    expect(await bytes.text()).toBe(await flac().text());
  });

  test('API-53 has jobs that are listed by it, and by the archive that they came out of', async () => {
    const { body } = await upload([
      ['a.flac', flac()],
      ['b.flac', flac('two')],
    ]);
    const { body: other } = await upload([['c.flac', flac('three')]]);
    const [parent = '', child = ''] = body.job_ids;
    await server.store.write((tx) =>
      tx.updateTable('ingestion_jobs').set({ parent_job_id: parent }).where('id', '=', child).execute(),
    );
    const listed = async (query: string) =>
      (await server.api<{ items: MirroredJob[] }>('GET', `/v1/ingestion/jobs?${query}`)).body.items
        .map(({ id }) => id)
        .sort();
    expect(await listed(`batch_id=${body.batch_id}`)).toEqual([parent, child].sort());
    expect(await listed(`batch_id=${other.batch_id}`)).toEqual(other.job_ids);
    expect(await listed(`parent_job_id=${parent}`)).toEqual([child]);
    expect(await listed(`parent_job_id=${parent}&batch_id=${other.batch_id}`)).toEqual([]);
    await server.addToken('the-token-of-bob', 'bob', 'EditCatalog');
    const bobs = await server.api(
      'GET',
      `/v1/ingestion/jobs?batch_id=${body.batch_id}`,
      undefined,
      as('the-token-of-bob'),
    );
    expect(bobs.body).toMatchObject({ items: [] });
  });

  test('API-31 a file that is no sound FAILED at once and names itself; the others go on', async () => {
    const { body } = await upload([
      ['song.mp3', new Blob(['<!doctype html><html><body>Not found</body></html>'])],
      ['02.flac', flac()],
    ]);
    const [bad, good] = body.jobs;
    expect(bad).toMatchObject({
      status: 'FAILED',
      original_filename: 'song.mp3',
    });
    expect(bad?.error_message).toContain('"song.mp3"');
    expect(good?.status).toBe('PENDING');
  });

  test('API-32, API-71 nothing is kept of one that is too large, cut off or empty', async () => {
    const large = await upload([
      ['01.flac', flac()],
      ['02.flac', new Blob([new Uint8Array(10 * 1024 * 1024 + 1)])],
    ]);
    expect(large.status).toBe(413);
    expect(large.body.error.message).toContain('"02.flac"');
    expect((await upload([])).status).toBe(422);
    const cut = '--x\r\nContent-Disposition: form-data; name="files"; filename="a.flac"\r\n\r\nfLaC and then';
    const type = { 'Content-Type': 'multipart/form-data; boundary=x' };
    expect((await server.raw('POST', '/v1/ingestion/upload', cut, type)).status).toBe(400);
    expect(await claim()).toBeNull();
    const left: string[] = [];
    for await (const { id } of server.deps.originals.list()) left.push(id);
    expect(left).toEqual([]);
  });

  test('API-33 sent twice under one key it is taken once', async () => {
    const key = { 'Idempotency-Key': 'the-same' };
    const first = await upload([['01.flac', flac()]], {}, key);
    const second = await upload([['01.flac', flac()]], {}, key);
    expect(first.body.job_ids).toHaveLength(1);
    expect(second.body.job_ids).toEqual(first.body.job_ids);
    expect((await upload([['01.flac', flac('other')]], {}, key)).status).toBe(422);
    await claimed();
    expect(await claim()).toBeNull();
  });

  test('API-34 the request that it fulfils must be pending', async () => {
    const wrong = await upload([['01.flac', flac()]], {
      context_type: 'download_request',
      context_id: 'nothing',
    });
    expect(wrong.status).toBe(422);
    expect((await upload([['01.flac', flac()]], { context_type: 'DOWNLOAD' })).status).toBe(400);
  });
});

describe('a lease', () => {
  test('WORK-41: who has none is told so before what they send is read', async () => {
    const answer = await server.raw('PUT', '/v1/ingestion/claims/not-a-lease', 'not even JSON', {
      'Content-Type': 'application/json',
    });
    expect(answer.status).toBe(409);
  });

  test('WORK-1, WORK-31 is held by one; a silent one ends, and the next goes on from what was saved', async () => {
    const { body } = await upload([['01.flac', flac()]]);
    const first = await claimed();
    expect(await claim()).toBeNull();
    expect((await save(first, { document: '{"at":1}' })).body.revision).toBe(1);
    server.time.now += LEASE_MS + 1;
    const second = await claimed();
    expect(second).toMatchObject({ document: '{"at":1}', revision: 1 });
    const late = await save({ ...first, revision: 1 }, { document: '{"at":2}' });
    expect(late.status).toBe(409);
    expect((await server.api('POST', `/v1/ingestion/claims/${first.lease_id}/renew`, {})).status).toBe(409);
    expect((await jobOf(body.job_ids[0] ?? '')).status).toBe('PENDING');
  });

  test('WORK-2 renewed it stays; two saves of one revision are not both taken', async () => {
    await upload([['01.flac', flac()]]);
    const lease = await claimed();
    for (let round = 0; round < 3; round++) {
      server.time.now += LEASE_MS - 1;
      const renewed = await server.api('POST', `/v1/ingestion/claims/${lease.lease_id}/renew`, {});
      expect(renewed.status).toBe(200);
      expect(await claim()).toBeNull();
    }
    expect((await save(lease, {})).status).toBe(200);
    expect((await save(lease, { document: '{"other":1}' })).status).toBe(409);
  });

  test('WORK-3 an upload at which every worker falls silent is given up, and says so', async () => {
    const { body } = await upload([['01.flac', flac()]]);
    for (let round = 0; round < MOST_LOST; round++) {
      await claimed();
      server.time.now += LEASE_MS + 1;
    }
    expect(await claim()).toBeNull();
    const job = await jobOf(body.job_ids[0] ?? '');
    expect(job.status).toBe('FAILED');
    expect(job.error_message).toContain('stopped without a word');
  });

  test('WORK-19 given back it is free at once, as it was saved last; the one who had it is told', async () => {
    await upload([['01.flac', flac()]]);
    const first = await claimed();
    await save(first, { document: '{"at":1}' });
    const at = `/v1/ingestion/claims/${first.lease_id}`;
    expect((await server.api('DELETE', at)).status).toBe(204);
    expect((await server.api('DELETE', at)).status).toBe(409);
    expect(await claimed()).toMatchObject({ document: '{"at":1}', revision: 1, batch: { user_name: 'Admin' } });
    expect((await save({ ...first, revision: 1 }, {})).status).toBe(409);
  });

  test('WORK-20 a worker that forgot what it was at says so, and need not wait; it counts as a silence', async () => {
    const { body } = await upload([['01.flac', flac()]]);
    let former: string | undefined;
    for (let round = 0; round < MOST_LOST; round++) {
      const again = await claim(undefined, former);
      expect(again?.lease_id).not.toBe(former);
      former = again?.lease_id;
    }
    expect(await claim()).toBeNull();
    await server.addToken('the-token-of-bob', 'bob', 'EditCatalog');
    expect(await claim(as('the-token-of-bob'), former)).toBeNull();
    expect(await claim()).toBeNull();
    expect(await claim(undefined, former)).toBeNull();
    expect((await jobOf(body.job_ids[0] ?? '')).error_message).toContain('stopped without a word');
  });

  test('WORK-16 a save whose answer was lost is the same when it comes again; another one under its number is refused', async () => {
    await upload([['01.flac', flac()]]);
    const lease = await claimed();
    const first = await save(lease, { document: '{"a":1}' });
    const again = await save(lease, { document: '{"a":1}' });
    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
    expect((await save(lease, { document: '{"a":2}' })).status).toBe(409);
    expect((await save({ ...lease, revision: first.body.revision }, {})).status).toBe(200);
  });

  test('WORK-18 a lease from a clock that was far ahead holds nobody up', async () => {
    await upload([['01.flac', flac()]]);
    server.time.now += 365 * 86_400_000;
    await claimed();
    expect(await claim()).toBeNull();
    server.time.now -= 365 * 86_400_000;
    expect(await claim()).not.toBeNull();
  });

  test('WORK-3 an upload that goes on between silences is not given up', async () => {
    const { body } = await upload([
      ['01.flac', flac()],
      ['02.flac', flac('two')],
    ]);
    for (let round = 0; round < MOST_LOST + 2; round++) {
      const lease = await claimed();
      const job = await jobOf(body.job_ids[0] ?? '');
      const { reasoning_steps: _steps, ...row } = job;
      const status = round === 3 ? ('FAILED' as const) : job.status;
      expect((await save(lease, { jobs: [{ ...row, status }] })).status).toBe(200);
      server.time.now += LEASE_MS + 1;
    }
    expect(await claim()).not.toBeNull();
  });

  test("WORK-4 an admin's worker takes everybody's uploads, anybody else's its owner's alone", async () => {
    const [alice, bob] = [await invited('editor'), await invited('editor')];
    const [bobsWorker, worker] = [await workerOf(bob), await workerOf()];
    await upload([['01.flac', flac()]], {}, alice);
    expect(await claim(bob)).toBeNull();
    expect(await claim(bobsWorker)).toBeNull();
    const lease = await claimed(worker);
    for (const other of [bob, bobsWorker]) {
      const file = `/v1/ingestion/claims/${lease.lease_id}/files/${lease.files[0]?.id ?? ''}`;
      expect((await server.raw('GET', file, null, other)).status).toBe(404);
      expect((await save(lease, {}, other)).status).toBe(404);
    }
    await upload([['02.flac', flac('two')]], {}, bob);
    expect((await claimed(bobsWorker)).files).toHaveLength(1);
  });

  test('WORK-4 the worker of an admin who is none any more takes that person’s uploads alone', async () => {
    const eve = await invited('admin');
    const worker = await workerOf(eve);
    await upload([['01.flac', flac()]]);
    const { body } = await server.api<{ user_id: string }>('GET', '/v1/me', undefined, eve);
    await server.api('PATCH', `/v1/users/${body.user_id}`, { role: 'editor' });
    expect(await claim(worker)).toBeNull();
    expect(await claim()).not.toBeNull();
  });
});

describe('what belongs to somebody else', () => {
  test('API-17 nothing of another upload is written through a lease, and none of its ids is told', async () => {
    const [alice, bob] = [await invited('editor'), await invited('editor')];
    const hers = job('hers', { status: 'CONVERTING', matched_track_id: 'tr_h1' });
    const mirror = { jobs: [hers], steps: [step('hers', 1)], reviews: [review('her-question', ['hers'])] };
    expect((await server.api('PUT', '/v1/ingestion/mirror', mirror, alice)).status).toBe(200);
    const { body } = await upload([['01.flac', flac()]], {}, bob);
    const [own = ''] = body.job_ids;
    const lease = await claimed(bob);
    expect(lease.held).toEqual([{ track_id: 'tr_h1', job_id: expect.not.stringContaining('hers') }]);
    const status = async (rest: Partial<WorkSave>) => (await save(lease, rest, bob)).status;
    expect(await status({ jobs: [hers] })).toBe(409);
    expect(await status({ steps: [step('hers', 2)] })).toBe(422);
    expect(await status({ steps: [step('nobody', 1)] })).toBe(422);
    expect(await status({ steps: [{ ...step('hers', 1), job_id: own }] })).toBe(409);
    expect(await status({ reviews: [review('her-question', [own])] })).toBe(409);
    expect(await status({ reviews: [review('mine', [own, 'hers'])] })).toBe(422);
    expect(await status({ reviews: [review('mine', ['hers'])] })).toBe(422);
    const { db } = server.store;
    const steps = db.selectFrom('ingestion_steps').select('id').where('job_id', '=', 'hers');
    expect(await steps.execute()).toEqual([{ id: 'hers-1' }]);
    const { body: me } = await server.api<{ user_id: string }>('GET', '/v1/me', undefined, alice);
    expect(await db.selectFrom('ingestion_reviews').select(['id', 'user_id', 'job_id']).execute()).toEqual([
      { id: 'her-question', user_id: me.user_id, job_id: 'hers' },
    ]);
    expect(await status({ steps: [step(own, 1)], reviews: [review('mine', [own])] })).toBe(200);
  });
});

describe('cancelling', () => {
  test('API-35, API-72 ends a job as FAILED with "cancelled"; its worker hears it, and nothing is published', async () => {
    await server.importCatalog(SMALL_CATALOG);
    const { body } = await upload([['01.flac', flac()]]);
    const [id = ''] = body.job_ids;
    const lease = await claimed();
    expect((await server.api('DELETE', `/v1/ingestion/jobs/${id}`)).status).toBe(200);
    expect(await jobOf(id)).toMatchObject({
      status: 'FAILED',
      error_message: 'cancelled',
    });
    const [job] = lease.jobs;
    if (!job) throw new Error('the claim has no job');
    const saved = await save(lease, {
      jobs: [{ ...job, status: 'PROCESSING', updated_at: job.updated_at + 9e12 }],
    });
    expect(saved.body.news.cancelled).toEqual([id]);
    expect((await jobOf(id)).status).toBe('FAILED');
    const file = vorbisFile(AUDIO);
    await server.upload(file);
    const commit = commitOf(file, 'tr_h1', {
      job_id: id,
      lease_id: lease.lease_id,
    });
    const refused = await server.api<ErrorAnswer>('POST', '/v1/ingestion/commits', commit, { 'Idempotency-Key': 'k' });
    expect([refused.status, refused.body.error.code]).toEqual([422, 'cancelled']);
    const again = await server.api<ErrorAnswer>('DELETE', `/v1/ingestion/jobs/${id}`);
    expect(again.status).toBe(409);
    expect((await server.api('DELETE', '/v1/ingestion/jobs/nothing')).status).toBe(404);
  });
});

describe('a question', () => {
  const open = async (id: string) => {
    const row = server.store.db.selectFrom('ingestion_reviews').select('resolved_at').where('id', '=', id);
    return (await row.executeTakeFirst())?.resolved_at === null;
  };

  test('API-35, ANSWER-6 of a cancelled job does not open again by what arrives late', async () => {
    const { body } = await upload([['01.flac', flac()]]);
    const [id = ''] = body.job_ids;
    const lease = await claimed();
    const [first] = lease.jobs;
    if (!first) throw new Error('the claim has no job');
    const asks = { jobs: [{ ...first, status: 'AWAITING_REVIEW' as const }], reviews: [review('q', [id])] };
    expect((await save(lease, asks)).status).toBe(200);
    expect(await open('q')).toBe(true);
    await server.api('DELETE', `/v1/ingestion/jobs/${id}`);
    expect(await open('q')).toBe(false);
    expect((await save({ ...lease, revision: 1 }, asks)).status).toBe(200);
    expect(await open('q')).toBe(false);
  });

  test('WORK-3 of an upload that was given up is closed', async () => {
    const { body } = await upload([['01.flac', flac()]]);
    const [id = ''] = body.job_ids;
    const lease = await claimed();
    expect((await save(lease, { reviews: [review('q', [id])] })).status).toBe(200);
    for (let round = 0; round < MOST_LOST; round++) {
      server.time.now += LEASE_MS + 1;
      await claim();
    }
    expect((await jobOf(id)).status).toBe('FAILED');
    expect(await open('q')).toBe(false);
  });
});

describe('publishing', () => {
  test("WORK-5, WORK-29 only the holder of the lease publishes an upload's job, for whoever sent it", async () => {
    await server.importCatalog(SMALL_CATALOG);
    const worker = await workerOf();
    const { body } = await upload([['01.flac', flac()]], {}, await invited('editor'));
    const [job_id = ''] = body.job_ids;
    const lease = await claimed(worker);
    const file = vorbisFile(AUDIO);
    await server.upload(file);
    const send = (rest: object, key: string) =>
      server.api<ErrorAnswer>('POST', '/v1/ingestion/commits', commitOf(file, 'tr_h1', { job_id, ...rest }), {
        ...worker,
        'Idempotency-Key': key,
      });
    expect((await send({}, 'none')).status).toBe(409);
    // Beside its leases a worker's token publishes and replaces nothing, whatever job it names.
    expect((await send({ job_id: 'no-upload', replace: true }, 'beside')).status).toBe(403);
    expect((await send({ lease_id: 'another' }, 'wrong')).status).toBe(409);
    expect((await send({ lease_id: lease.lease_id }, 'right')).status).toBe(200);
    expect(await jobOf(job_id)).toMatchObject({
      status: 'COMPLETED',
      matched_track_id: 'tr_h1',
    });
    const saved = await save(lease, { state: 'done' }, worker);
    expect(saved.body.news.published.map((one) => one.job_id)).toEqual([job_id]);
    for await (const left of server.deps.originals.list()) throw new Error(`${left.id} was left`);
  });
});
