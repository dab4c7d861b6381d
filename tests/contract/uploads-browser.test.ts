import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { heldBlobs } from '#adapters/browser/uploads/held-blobs.ts';
import { readUploadsState, writeUploadsRest } from '#adapters/browser/uploads/state.ts';
import { writeSetting } from '#adapters/browser/settings.ts';
import { fail } from '#core/result.ts';
import { failure } from '#core/errors.ts';
import type { MirroredJob } from '#core/sync/protocol.ts';
import type { Claim } from '#core/sync/work-protocol.ts';
import { LEASE_MS } from '#server/work/lease.ts';
import { makeJob } from '../fixtures/job.ts';
import { SMALL_CATALOG, testServer, TOKEN, type TestServer } from '../fixtures/server.ts';
import { testBrowser, type TestBrowser } from '../fixtures/uploads-browser.ts';

const POLL = { timeout: 120_000, interval: 20 };

let server: TestServer;
let browser: TestBrowser;
beforeEach(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
  browser = await testBrowser(server.url, TOKEN);
});
afterEach(async () => {
  await browser.close();
  await server.end();
});

const TRACK = '01 - Drive - 271.flac';
const OTHER = '02 - Try Not to Breathe - 230.flac';

async function upload(...names: string[]): Promise<string[]> {
  const form = new FormData();
  for (const name of names)
    form.append('files', new Blob(['fLaC', new Uint8Array([0, 0, 0, 34]), name.repeat(20)]), name);
  const answer = await server.raw('POST', '/v1/ingestion/upload', form);
  return ((await answer.json()) as { job_ids: string[] }).job_ids;
}

const job = async (id = '') => (await server.api<MirroredJob>('GET', `/v1/ingestion/jobs/${id}`)).body;
const statuses = async (ids: string[]) => Promise.all(ids.map(async (id) => (await job(id)).status));
const claim = async () =>
  (await server.api<{ claim: Claim | null }>('POST', '/v1/ingestion/claims', { worker: 'another' })).body.claim;
const workedOn = async () => (await readUploadsState(browser.db)).current?.progress?.doing;
const blobsHere = async () => {
  const names: string[] = [];
  for await (const { sha256 } of browser.blobs.list()) names.push(sha256);
  return names;
};

describe('a connected browser and files that were sent to the server', () => {
  test('WORK-21, WORK-34, WORK-35 claims them, works on them as the headless worker does, publishes, asks, and keeps nothing', async () => {
    const page = await browser.open();
    const ids = await upload(TRACK, OTHER, 'mystery.flac');
    page.worker.wanted();
    await expect.poll(() => statuses(ids), POLL).toEqual(['COMPLETED', 'COMPLETED', 'AWAITING_REVIEW']);
    const audio = await server.raw('GET', '/v1/catalog/tracks/tr_a1/audio');
    expect(new TextDecoder().decode((await audio.arrayBuffer()).slice(0, 4))).toBe('OggS');
    // The question is the server's: its answer is taken up by whoever claims the upload next.
    const answered = await server.api('POST', `/v1/ingestion/review/${ids[2] ?? ''}`, { track_id: 'tr_a3' });
    expect(answered.status).toBe(200);
    page.worker.wanted();
    await expect.poll(() => statuses(ids), POLL).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED']);
    await expect.poll(async () => (await readUploadsState(browser.db)).current, POLL).toBeNull();
    await expect.poll(blobsHere, POLL).toEqual([]);
    expect((await heldBlobs(browser.db)).size).toBe(0);
    expect(await browser.db.jobs.count()).toBe(0);
    expect(await server.store.db.selectFrom('work_files').selectAll().execute()).toEqual([]);
    expect(browser.errors).toEqual([]);
  });

  test('WORK-22 switched off in the middle it stops and gives the upload back; the next one goes on from there', async () => {
    browser.setConvert(() => new Promise(() => undefined));
    const page = await browser.open();
    const [id] = await upload(TRACK);
    await expect.poll(workedOn, POLL).toBe('converting');
    expect(await claim()).toBeNull();
    await writeSetting(browser.db, 'work_on_uploads', false);
    page.worker.poke();
    await expect.poll(async () => (await readUploadsState(browser.db)).current, POLL).toBeNull();
    await expect.poll(blobsHere, POLL).toEqual([]);
    expect((await readUploadsState(browser.db)).why_not).toBe('off');
    const next = await claim();
    expect(next?.document).toContain('tr_a1');
    expect(next?.files.map((file) => file.id)).toEqual([id]);
  });

  test('WORK-23 vanished with its lease, it says so when it is back, frees what was left, and publishes once', async () => {
    browser.setConvert(() => new Promise(() => undefined));
    const killed = await browser.open();
    const [id] = await upload(TRACK);
    await expect.poll(workedOn, POLL).toBe('converting');
    await killed.vanish();
    expect(await claim()).toBeNull();
    expect(await blobsHere()).toHaveLength(1);
    browser.setConvert(null);
    await browser.open();
    await expect.poll(async () => (await job(id)).status, POLL).toBe('COMPLETED');
    await expect.poll(blobsHere, POLL).toEqual([]);
    const { body } = await server.api<{ reasoning_steps: { content: string }[] }>(
      'GET',
      `/v1/ingestion/jobs/${id ?? ''}`,
    );
    expect(body.reasoning_steps.filter(({ content }) => content.startsWith('Published'))).toHaveLength(1);
  });

  test('WORK-23 vanished for good, its lease is over after a minute, and another worker has what it saved', async () => {
    browser.setConvert(() => new Promise(() => undefined));
    const killed = await browser.open();
    await upload(TRACK);
    await expect.poll(workedOn, POLL).toBe('converting');
    await killed.vanish();
    server.time.now += LEASE_MS + 1;
    expect((await claim())?.document).toContain('tr_a1');
  });

  test("WORK-24, WORK-36, WORK-37 the person's own files go first, and so do a pause, a rest and a server that is away", async () => {
    const { db } = browser;
    await db.jobs.put(makeJob({ id: 'own', status: 'PENDING', phase: 'queued' }));
    const page = await browser.open();
    const ids = await upload(TRACK);
    const whyNot = async () => (await readUploadsState(db)).why_not;
    await expect.poll(whyNot, POLL).toBe('busy');
    await db.meta.put({ key: 'pipeline', value: { paused: true } });
    page.worker.poke();
    await expect.poll(whyNot, POLL).toBe('paused');
    await writeUploadsRest(db, Date.now() + 60_000);
    page.worker.poke();
    await expect.poll(whyNot, POLL).toBe('resting');
    // A clock that was wrong by a year.
    await writeUploadsRest(db, Date.now() + 365 * 86_400_000);
    await db.meta.delete('pipeline');
    await db.jobs.clear();
    expect(await statuses(ids)).toEqual(['PENDING']);
    page.worker.poke();
    await expect.poll(() => statuses(ids), POLL).toEqual(['COMPLETED']);
  });

  test('WORK-25, WORK-33 without room it leaves the upload to others, as it was; so it does when its disk is full in the middle', async () => {
    browser.setFree(100);
    await browser.open();
    const [id] = await upload(TRACK);
    const trouble = async () => (await readUploadsState(browser.db)).last?.trouble;
    await expect.poll(trouble, POLL).toContain('too little space');
    const next = await claim();
    expect(next?.document).toBeNull();
    await server.api('DELETE', `/v1/ingestion/claims/${next?.lease_id ?? ''}`);
    browser.setFree(null);
    browser.setConvert(() => Promise.resolve(fail(failure('storage_full', 'There is no space left.'))));
    await writeUploadsRest(browser.db, 0);
    await expect.poll(trouble, POLL).toContain('no space left');
    expect((await job(id)).status).toBe('CONVERTING');
    expect((await claim())?.document).toContain('tr_a1');
  });
});
