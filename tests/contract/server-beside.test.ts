/** Large requests that a process of their own does, on both stores. */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { leaseOf } from '../../scripts/bench/server/hostile-saves.ts';
import { besideProcesses, type Beside } from '#server/beside/beside.ts';
import type { Claim } from '#core/sync/work-protocol.ts';
import { LEASE_MS } from '#server/work/lease.ts';
import { job, step } from '../fixtures/mirrored.ts';
import { testServer, TOKEN, type ErrorAnswer } from '../fixtures/server.ts';
import { testDatabase } from '../fixtures/test-store.ts';

/** A server whose large requests processes do; `processes`: how many it began. @param heapMb what one may have, megabytes */
async function serverWithProcesses(heapMb?: () => number) {
  const data = await mkdtemp(join(tmpdir(), 'accession-beside-'));
  const databaseUrl = await testDatabase(data);
  const begun = { processes: 0 };
  const server = await testServer({
    data,
    wrap: ({ store, clock }) => {
      const beside = besideProcesses({ data, databaseUrl }, { store, clock }, heapMb);
      const counted: Beside = (...order) => {
        begun.processes += 1;
        return beside(...order);
      };
      return { beside: counted };
    },
  });
  onTestFinished(async () => {
    await server.end();
    await rm(data, { recursive: true, force: true });
  });
  return { server, begun };
}

describe('large requests in a process of their own', () => {
  test('API-140 it ends with its server, and not with Ctrl-C in the terminal that both are in', async () => {
    const child = fork(fileURLToPath(new URL('../../src/server/beside-process.main.ts', import.meta.url)), [], {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const by = { user_id: 'admin', scopes: ['Admin'] };
    const place = { data: '/nowhere', databaseUrl: null, bytes: 40, key: null, lease: null };
    child.send({ order: { task: 'import', method: 'POST', path: '/v1/catalog/import', by, ...place } });
    child.stdin?.end('{"artists":[],"albums":[],"tracks":[]}');
    expect(await once(child, 'message')).toEqual(['ready', undefined]);
    child.kill('SIGINT');
    child.kill('SIGTERM');
    const ended = once(child, 'exit');
    child.disconnect();
    // Of itself: no signal.
    expect(await ended).toEqual([1, null]);
  });

  test('API-102 a catalog file over 1 MB is read and written in a process of its own, with the same outcome, while others write', async () => {
    const { server, begun } = await serverWithProcesses();
    const artists = Array.from({ length: 2800 }, (_, at) => ({
      id: `ar_${at}`,
      // Together over 1 MB.
      name: `Ünïcode "${at}" ${'y'.repeat(400)}`,
    }));
    const file = { artists, albums: [], tracks: [] };
    const key = { 'Idempotency-Key': randomUUID() };
    const [first, small] = await Promise.all([
      server.api('POST', '/v1/catalog/import', file, key),
      server.api('POST', '/v1/catalog/artists', { name: 'Somebody else' }),
    ]);
    expect([first.status, first.body, small.status]).toEqual([
      200,
      expect.objectContaining({ artists: { created: 2800, updated: 0, unchanged: 0 } }),
      201,
    ]);
    const again = await server.api('POST', '/v1/catalog/import', file, key);
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([first.body, 'true']);
    expect((await server.api('GET', '/v1/catalog/artists/ar_2799')).body).toMatchObject({ name: artists[2799]?.name });
    const found = await server.api('GET', '/v1/catalog/search?q=2799&limit=5');
    expect(JSON.stringify(found.body)).toContain('"ar_2799"');
    const audit = await server.api('GET', '/v1/audit?limit=5');
    expect(audit.body).toMatchObject({
      items: expect.arrayContaining([expect.objectContaining({ action: 'catalog.imported', user_id: 'admin' })]),
    });

    const bad = artists.map((artist, at) => (at === 2222 ? { ...artist, id: 'no id' } : artist));
    const refused = await server.api<ErrorAnswer>('POST', '/v1/catalog/import', { ...file, artists: bad });
    expect([refused.status, refused.body.error.message]).toEqual([422, expect.stringContaining('artists[2222] "id"')]);
    expect(begun.processes).toBe(3);
  }, 300_000);

  test('API-115 a catalog file that needs more memory than its process may have is refused, and nothing of it is there', async () => {
    let heapMb = 20;
    const { server } = await serverWithProcesses(() => heapMb);
    const artists = Array.from({ length: 3000 }, (_, at) => ({ id: `ar_${at}`, name: `${at} ${'y'.repeat(900)}` }));
    const file = { artists, albums: [], tracks: [] };
    const refused = await server.api<ErrorAnswer>('POST', '/v1/catalog/import', file);
    expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
      413,
      'too_large',
      expect.stringContaining('more memory'),
    ]);
    expect((await server.api('GET', '/v1/catalog/artists/ar_0')).status).toBe(404);
    expect((await server.api('POST', '/v1/catalog/artists', { name: 'Somebody else' })).status).toBe(201);
    heapMb = 400;
    const taken = await server.api('POST', '/v1/catalog/import', file);
    expect(taken.body).toMatchObject({ artists: { created: 3000 } });
  }, 300_000);

  test("API-119 a worker's save and a workstation's report of more than 8 MB are taken in a process of their own, with the same outcome", async () => {
    const { server, begun } = await serverWithProcesses();
    const held = await leaseOf(server.url, TOKEN);
    const document = 'ü"\\\n'.repeat(1_500_000);
    const rows = { state: 'ready', jobs: [], reviews: [], document };
    const save = (body: object) =>
      server.api<ErrorAnswer>('PUT', `/v1/ingestion/claims/${held.id}`, { ...rows, revision: held.revision, ...body });
    const steps = Array.from({ length: 1200 }, (_, at) => step(held.job, at + 1));
    const stray = await save({ steps: [step('nobody', 1)] });
    expect([stray.status, stray.body.error.message]).toEqual([422, 'The upload has no job "nobody".']);
    const [saved, other] = await Promise.all([
      save({ steps }),
      server.api('POST', '/v1/catalog/artists', { name: 'Somebody else' }),
    ]);
    expect([saved.status, other.status]).toEqual([200, 201]);
    const log = async (id: string) =>
      (await server.api<{ reasoning_steps: object[] }>('GET', `/v1/ingestion/jobs/${id}`)).body.reasoning_steps.length;
    // One was there before: that it was uploaded.
    expect(await log(held.job)).toBe(1201);
    server.time.now += LEASE_MS + 1;
    const { body } = await server.api<{ claim: Claim }>('POST', '/v1/ingestion/claims', { worker: 'a test' });
    expect(body.claim.document === document).toBe(true);
    expect(begun.processes).toBe(2);

    const report = {
      jobs: [job('a')],
      steps: Array.from({ length: 900 }, (_, at) => step('a', at + 1, 'x'.repeat(10_000))),
      reviews: [],
    };
    expect((await server.api('PUT', '/v1/ingestion/mirror', report)).status).toBe(200);
    expect(
      await server.store.db.selectFrom('ingestion_steps').select('id').where('job_id', '=', 'a').execute(),
    ).toHaveLength(900);
    expect(begun.processes).toBe(3);
  }, 300_000);
});
