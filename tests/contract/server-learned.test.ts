/** What was learned from the answers of somebody whose uploads are worked on, as the server keeps it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWorkClient } from '#adapters/http/work-client.ts';
import type { LearnedRow } from '#core/run/lane-rows.ts';
import { ok } from '#core/result.ts';
import { MOST_KEYS, MOST_LEARNED_CHARS, type Claim, type WorkSave } from '#core/sync/work-protocol.ts';
import type { Store } from '#server/store/store.ts';
import { keepLearned, readLearned } from '#server/work/learned.ts';
import { LEASE_MS } from '#server/work/lease.ts';
import { testServer, TOKEN, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { flacBytes } from '../fixtures/upload-bench.ts';
import { curlForm } from '../fixtures/worker.ts';

type Learned = WorkSave['learned'];

/** What is kept for Alice. */
const learnedRows = async (store: Store, of: { lane: string; kind: string }) =>
  (await Array.fromAsync(readLearned(store.db, 'alice', of))).map((text) => JSON.parse(text) as LearnedRow);

onBothStores('what was learned from answers', () => {
  let server: TestServer;
  let sent = 0;
  beforeEach(async () => {
    server = await testServer();
    await server.addToken('the-token-of-alice', 'alice', 'EditCatalog');
    await server.addToken('the-token-of-bob', 'bob', 'EditCatalog');
  });
  afterEach(() => server.end());

  const tokenOf = (name: string): string => (name === 'admin' ? TOKEN : `the-token-of-${name}`);
  const client = (name: string) =>
    createWorkClient({ baseUrl: server.url, token: () => Promise.resolve(tokenOf(name)) });

  /** An upload of this person, claimed by somebody. */
  async function claimed(owner: string, by = owner): Promise<Claim> {
    const { body, headers } = curlForm([{ name: 'a.flac', bytes: flacBytes((sent += 1)) }]);
    const as = { ...headers, Authorization: `Bearer ${tokenOf(owner)}` };
    expect((await server.raw('POST', '/v1/ingestion/upload', body, as)).status).toBe(201);
    const claim = await client(by).claim('a test');
    if (!claim.ok || claim.value === null) throw new Error('nothing was to be claimed');
    return claim.value;
  }

  function save(lease: Claim, learned: Learned, by: string, more: Partial<WorkSave> = {}) {
    const nothing = { document: '{}', jobs: [], steps: [], reviews: [], release: false };
    return client(by).save(lease.lease_id, {
      ...{ ...nothing, revision: lease.revision, state: 'ready', learned },
      ...more,
    });
  }

  const memory = (key: string, value: unknown, at = 5): Learned[number] => ({
    ...{ lane: 'music', kind: 'memory', key, at, value },
  });
  const bare = ({ lane: _lane, ...row }: Learned[number]): LearnedRow => row;
  const all = { lane: 'music', kind: 'memory' };

  test('WORK-27 is kept with a save, for the owner of the upload, and read for their next one, whoever works on it', async () => {
    const lease = await claimed('alice', 'admin');
    const rows = [memory('a', { track: 'tr_1' }), memory('b', 'text with "quotes" and ü'), memory('c', 3, -7)];
    expect((await save(lease, rows, 'admin', { release: true, state: 'waiting' })).ok).toBe(true);

    const next = await claimed('alice');
    const read = await client('alice').learned(next.lease_id, all);
    expect(read.ok && read.value.sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual(rows.map(bare));
    expect(await client('alice').learned(next.lease_id, { ...all, keys: ['b', 'b', 'unknown'] })).toEqual(
      ok([{ kind: 'memory', key: 'b', at: 5, value: 'text with "quotes" and ü' }]),
    );
    expect(await client('alice').learned(next.lease_id, { ...all, keys: [] })).toEqual(ok([]));
    for (const other of [
      { lane: 'video', kind: 'memory' },
      { lane: 'music', kind: 'sample' },
    ])
      expect(await client('alice').learned(next.lease_id, other)).toEqual(ok([]));
  });

  test('WORK-27 a later word takes the place of an earlier one, null forgets, and of one key the last in a save counts', async () => {
    const lease = await claimed('alice');
    const first = await save(lease, [memory('a', 1), memory('b', 1), memory('a', 2, 6), memory('c', 1)], 'alice');
    expect(first.ok).toBe(true);
    const changed = [memory('a', 3, 7), memory('b', null), memory('c', null), memory('c', 4, 8), memory('d', null)];
    expect((await save(lease, changed, 'alice', { revision: 1 })).ok).toBe(true);
    const read = await client('alice').learned(lease.lease_id, all);
    expect(read.ok && read.value.sort((a, b) => a.at - b.at)).toEqual([
      { kind: 'memory', key: 'a', at: 7, value: 3 },
      { kind: 'memory', key: 'c', at: 8, value: 4 },
    ]);
  });

  test('WORK-27 nobody sees or changes what was learned from the answers of somebody else', async () => {
    const hers = await claimed('alice');
    await save(hers, [memory('a', 'hers')], 'alice');
    const his = await claimed('bob');
    expect(await client('bob').learned(his.lease_id, all)).toEqual(ok([]));
    await save(his, [memory('a', 'his'), memory('b', 'his')], 'bob');
    await save(his, [memory('a', null)], 'bob', { revision: 1 });
    const rowsOf = async (name: string, { lease_id }: Claim) => client(name).learned(lease_id, all);
    expect(await rowsOf('alice', hers)).toEqual(ok([bare(memory('a', 'hers'))]));
    expect(await rowsOf('bob', his)).toEqual(ok([bare(memory('b', 'his'))]));
    // Not even through the other's lease, which he knows from wherever.
    expect(await rowsOf('bob', hers)).toMatchObject({ ok: false, failure: { code: 'not_found' } });
    expect(await save(hers, [memory('a', 'his')], 'bob', { revision: 1 })).toMatchObject({
      ok: false,
      failure: { code: 'not_found' },
    });
    // An admin's worker has each person's by the lease that it holds.
    expect(await rowsOf('admin', hers)).toEqual(ok([bare(memory('a', 'hers'))]));
  });

  test('WORK-27 a lease that is over, or was never given, reads nothing and keeps nothing', async () => {
    const lease = await claimed('alice');
    await save(lease, [memory('a', 1)], 'alice');
    server.time.now += LEASE_MS + 1;
    const next = await client('alice').claim('another');
    expect(next.ok && next.value?.lease_id).not.toBe(lease.lease_id);
    for (const lease_id of [lease.lease_id, 'never-given'])
      expect(await client('alice').learned(lease_id, all)).toMatchObject({ ok: false, failure: { code: 'conflict' } });
    expect(await save(lease, [memory('a', 2)], 'alice', { revision: 1 })).toMatchObject({
      ok: false,
      failure: { code: 'conflict' },
    });
    expect(await learnedRows(server.store, all)).toEqual([bare(memory('a', 1))]);
  });

  test('WORK-27 a save that comes again, or that is refused, changes nothing of it', async () => {
    const lease = await claimed('alice');
    await save(lease, [memory('a', 1)], 'alice');
    await save(lease, [memory('a', 2)], 'alice', { revision: 1 });
    // The first one again, late; and one that is refused for something else in it.
    expect((await save(lease, [memory('a', 1)], 'alice')).ok).toBe(false);
    const step = { id: 's', step_number: 1, timestamp: 1, step_type: 'Thought' as const, content: 'x' };
    const stray = { job_id: 'of-nobody', step: { ...step, metadata: {}, duration_ms: null } };
    expect((await save(lease, [memory('a', 3)], 'alice', { revision: 2, steps: [stray] })).ok).toBe(false);
    expect(await learnedRows(server.store, all)).toEqual([bare(memory('a', 2))]);
  });

  test('WORK-27 what has another shape is refused, and the field is named', async () => {
    const lease = await claimed('alice');
    const at = `/v1/ingestion/claims/${lease.lease_id}`;
    const asked = (method: string, path: string, body: object) =>
      server.api<ErrorAnswer>(method, path, body, { Authorization: `Bearer ${tokenOf('alice')}` });
    const wrong: [object, string][] = [
      [{ kind: 'memory' }, 'lane'],
      [{ lane: 'music', kind: '' }, 'kind'],
      [{ ...all, keys: 'a' }, 'keys'],
      [{ ...all, keys: [1] }, 'keys'],
      [{ ...all, keys: ['x'.repeat(201)] }, 'keys'],
      [{ ...all, keys: Array.from({ length: MOST_KEYS + 1 }, (_, n) => `k${n}`) }, 'keys'],
    ];
    for (const [body, field] of wrong) {
      const answer = await asked('POST', `${at}/learned`, body);
      expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(field)]);
    }
    const whole = { revision: 0, state: 'ready', document: '{}', jobs: [], steps: [], reviews: [] };
    const rows: object[] = [
      { ...memory('a', 1), at: 1.5 },
      { ...memory('a', 1), at: 'now' },
      { ...memory('a', 1), lane: '' },
      { ...memory('', 1) },
      { ...memory('a', 'x'.repeat(MOST_LEARNED_CHARS)) },
    ];
    for (const row of rows) {
      const answer = await asked('PUT', at, { ...whole, learned: [row] });
      expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('learned')]);
    }
    // No store takes the NUL character.
    expect((await asked('PUT', at, { ...whole, learned: [memory('a\0b', 1)] })).status).toBe(400);
    expect((await asked('POST', `${at}/learned`, { ...all, keys: ['a\0b'] })).status).toBe(400);
    expect(await learnedRows(server.store, all)).toEqual([]);
  });

  test('WORK-27 as many keys as may be asked for at once are answered', async () => {
    const lease = await claimed('alice');
    const keys = Array.from({ length: MOST_KEYS }, (_, n) => `${n}`.padStart(64, '0'));
    const rows = keys.map((key) => memory(key, { of: key }));
    expect((await save(lease, rows, 'alice')).ok).toBe(true);
    const read = await client('alice').learned(lease.lease_id, { ...all, keys });
    expect(read.ok && new Set(read.value.map(({ key }) => key))).toEqual(new Set(keys));
  });

  test('WORK-27 of each kind the newest are kept, of one person not more than some kinds', async () => {
    const { store } = server;
    const keep = (rows: Learned, most?: number) => store.write((tx) => keepLearned(tx, 'alice', rows, most));
    const keysOf = async (kind: string) =>
      (await learnedRows(store, { lane: 'music', kind })).map(({ key }) => key).sort();
    await keep([memory('old', 1, 1), memory('same-a', 1, 5), memory('same-b', 1, 5), memory('new', 1, 9)]);
    await keep([{ ...memory('other', 1, 0), kind: 'sample' }]);
    await keep([memory('newer', 1, 10)], 3);
    expect(await keysOf('memory')).toEqual(['new', 'newer', 'same-b']);
    expect(await keysOf('sample')).toEqual(['other']);

    const lease = await claimed('alice');
    const many = Array.from({ length: 40 }, (_, n) => ({ ...memory('a', 1), kind: `kind ${n}` }));
    expect(await save(lease, many, 'alice')).toMatchObject({ ok: false, failure: { code: 'invalid' } });
    expect(await keysOf('kind 1')).toEqual([]);
    expect((await save(lease, many.slice(0, 10), 'alice')).ok).toBe(true);
  });
});
