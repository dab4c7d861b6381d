/** Guarded runs over HTTP: what stops them, what they leave behind, and what the guards look at. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NEW_MEMORY } from '#lanes/guide/core/run/memory.ts';
import type { Written } from '#lanes/guide/core/run/ports.ts';
import type { Escalation, RunRecord } from '#lanes/guide/core/run/run.types.ts';
import type { Gates } from '#lanes/guide/core/run/runs-protocol.ts';
import { beat, commandOwner, endBeats, serverOwner, whoIsGone } from '#lanes/guide/server/runs/processes.ts';
import { readSigns } from '#lanes/guide/server/runs/signs.ts';
import { SqlRunStore } from '#lanes/guide/server/runs/sql-run-store.ts';
import { guideServer } from '#lanes/guide/server/lane-server.ts';
import type { AuditEntry } from '#core/sync/people.ts';
import { LANES, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { connectTo, hangUp } from '../fixtures/sockets.ts';
import { onBothStores } from '../fixtures/stores.ts';

onBothStores('/v1/guide, guarded runs', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await testServer();
    await server.addToken('the-token-of-ed', 'ed', 'EditCatalog');
  });
  afterEach(async () => {
    hangUp();
    await server.end();
  });

  const ED = { Authorization: 'Bearer the-token-of-ed' };
  const gates = async (): Promise<Gates> => (await server.api<Gates>('GET', '/v1/guide/gates')).body;
  const audited = async (action: string) =>
    (await server.api<{ items: AuditEntry[] }>('GET', `/v1/audit?action=${action}`)).body.items.map(
      ({ entity_id, details }) => [entity_id, details],
    );
  const write = (written: Partial<Written>): Promise<null> =>
    new SqlRunStore(server.store).change((memory) => ({
      ...{ memory, journal: [], log: [], records: [], escalations: [], value: null },
      ...written,
    }));

  test('GUIDE-105 containment is an administrator’s, is in the log of who did what, and is what the guards see', async () => {
    expect((await gates()).containment).toBe(false);
    expect((await server.api('PUT', '/v1/guide/containment', { containment: true }, ED)).status).toBe(403);
    expect((await server.api('PUT', '/v1/guide/containment', { containment: true })).body).toEqual({
      containment: true,
    });
    expect((await gates()).containment).toBe(true);
    expect((await readSigns(server.store.db, server.time.now)).containment).toBe(true);
    await server.api('PUT', '/v1/guide/containment', { containment: false });
    expect((await readSigns(server.store.db, server.time.now)).containment).toBe(false);
    expect(await audited('guide.contained')).toEqual([
      ['containment', { containment: false }],
      ['containment', { containment: true }],
    ]);
  });

  test('GUIDE-106 what an administrator sets goes before accession.toml, key by key and within its bounds', async () => {
    const usual = { metadata_self_resolution_enabled: false, bounded_agent_enabled: true };
    expect((await gates()).settings).toEqual({ ...usual, metadata_self_resolution_cooldown_sec: 300 });
    const put = (body: object, headers?: Record<string, string>) =>
      server.api<ErrorAnswer>('PUT', '/v1/guide/settings', body, headers);
    expect((await put({ metadata_self_resolution_enabled: true }, ED)).status).toBe(403);
    expect((await put({ metadata_self_resolution_enabled: true })).status).toBe(200);
    expect((await put({ metadata_self_resolution_cooldown_sec: 30 })).body).toEqual({
      ...{ ...usual, metadata_self_resolution_enabled: true, metadata_self_resolution_cooldown_sec: 30 },
    });
    for (const seconds of [29, 86_401, 30.5, '60'])
      expect((await put({ metadata_self_resolution_cooldown_sec: seconds })).status).toBe(400);
    expect((await gates()).settings.metadata_self_resolution_cooldown_sec).toBe(30);
    expect(await audited('guide.settings_changed')).toHaveLength(2);
  });

  test('GUIDE-107 the gates say what stands in the way and until when, and a suspension is lifted', async () => {
    const { now } = server.time;
    const key = { idle_runs: 0, ratio: 0.3, tools: {}, suspended_until: null, ended_at: null };
    await write({
      memory: {
        ...NEW_MEMORY,
        keys: {
          whole: { ...key, ended_at: now - 100_000, idle_runs: 2 },
          // A clock that was set back: no more than one of its kind.
          'channel:c1': { ...key, ended_at: now + 9e9, suspended_until: now + 9e9 },
          'channel:c2': { ...key, ended_at: now - 300_000, suspended_until: now - 1 },
        },
        circuit: { failures: 3, retry_at: now + 5000, rest_ms: 60_000 },
      },
    });
    expect(await gates()).toMatchObject({
      ...{ circuit: 'open', circuit_until: now + 5000 },
      keys: [
        { channel: null, active: null, suspended_until: null, cooldown_until: now + 200_000, idle_runs: 2 },
        { channel: 'c1', suspended_until: now + 3_600_000, cooldown_until: now + 300_000 },
        { channel: 'c2', suspended_until: null, cooldown_until: null },
      ],
    });
    expect((await server.api('POST', '/v1/guide/lift', { channel: 'c1' }, ED)).body).toEqual({ channel: 'c1' });
    expect((await gates()).keys[1]).toMatchObject({ suspended_until: null });
    await server.api('POST', '/v1/guide/lift', {});
    expect((await gates()).keys[0]).toMatchObject({ idle_runs: 0 });
    expect(await audited('guide.lifted')).toEqual([
      ['global', {}],
      ['c1', {}],
    ]);
  });

  test('GUIDE-108 runs, one run, its journal and what was left to a person are read by whoever reads the catalog', async () => {
    await server.addToken('the-token-of-rita', 'rita', 'ReadCatalog');
    const get = <T>(path: string) =>
      server.api<T & ErrorAnswer>('GET', `/v1/guide/${path}`, undefined, { Authorization: 'Bearer the-token-of-rita' });
    const ran = { how: 'demand', outcome: 'failure', reason: null, escalated: true } as const;
    const records: RunRecord[] = [1, 2, 3].map((at) => ({
      ...{ id: `r${at}`, at, channel: at === 2 ? 'c1' : null, ended_at: at, ratio_before: 0.5, ratio_after: 0.5 },
      ...ran,
      steps: [],
    }));
    const escalation: Escalation = { run: 'r2', channel: 'c1', at: 2, reason: 'ratio', number: 0.5, limit: 0.4 };
    await write({
      records: [...records, { id: 's', at: 4, how: 'ask', channel: null, outcome: 'skipped', reason: 'cooldown' }],
      journal: [{ run: 'r2', n: 1, at: 2, event: { kind: 'probed', ok: true } }],
      escalations: [escalation],
    });
    type Page = { items: RunRecord[]; next_cursor: string | null };
    const first = (await get<Page>('runs?limit=2')).body;
    expect(first.items).toEqual([records[2], records[1]]);
    const rest = (await get<Page>(`runs?limit=2&cursor=${first.next_cursor}`)).body;
    expect(rest).toEqual({ items: [records[0]], next_cursor: null });
    expect((await get<Page>('runs?skipped=true&limit=1')).body.items).toMatchObject([{ id: 's', reason: 'cooldown' }]);
    expect((await get<Page>('runs?channel=c1')).body.items).toEqual([records[1]]);
    expect((await get<Page>('runs?channel=global')).body.items).toEqual([records[2], records[0]]);
    expect((await get<RunRecord>('runs/r2')).body).toEqual(records[1]);
    expect((await get('runs/nobody')).status).toBe(404);
    const journal = await server.raw('GET', '/v1/guide/runs/r2/journal');
    expect(await journal.text()).toBe('{"run":"r2","n":1,"at":2,"event":{"kind":"probed","ok":true}}\n');
    expect((await server.raw('GET', '/v1/guide/runs/nobody/journal')).status).toBe(404);
    const sentence = 'Channel c1 still has faults in 50 % of its programmes, more than 40 %.';
    expect((await get('escalations')).body).toEqual({ items: [{ ...escalation, sentence }] });
  });

  test('OPS-60 what accession.toml says of runs is what counts until an administrator says otherwise', async () => {
    const runs = {
      ...{ metadata_self_resolution_enabled: true, bounded_agent_enabled: false },
      metadata_self_resolution_cooldown_sec: 40,
    };
    const lane = guideServer({ runs });
    const other = await testServer({
      lanes: () => Promise.resolve(LANES.map((one) => (one.id === lane.id ? lane : one))),
    });
    const said = async () => (await other.api<Gates>('GET', '/v1/guide/gates')).body.settings;
    expect(await said()).toEqual(runs);
    await other.api('PUT', '/v1/guide/settings', { bounded_agent_enabled: true });
    expect(await said()).toEqual({ ...runs, bounded_agent_enabled: true });
    await other.end();
  });

  test('OPS-58 the four counters are in the metrics, word for word and without a prefix', async () => {
    await write({
      memory: {
        ...NEW_MEMORY,
        counters: {
          ...{ ai_metadata_resolution_attempt_total: 7, ai_metadata_resolution_success_total: 4 },
          ai_metadata_resolution_abort_total: 2,
          ai_metadata_tool_selected: { rebuild_xmltv: 3 },
        },
      },
    });
    for (const _scrape of [1, 2]) {
      const text = await (await server.raw('GET', '/metrics')).text();
      for (const line of [
        'ai_metadata_resolution_attempt_total 7',
        'ai_metadata_resolution_success_total 4',
        'ai_metadata_resolution_abort_total 2',
        'ai_metadata_tool_selected{tool="rebuild_xmltv"} 3',
        'ai_metadata_tool_selected{tool="fetch_metadata_logs"} 0',
      ])
        expect(text).toContain(`\n${line}\n`);
      server.time.now += 11_000;
    }
  });

  test('OPS-59 leases that fell silent count as restarts, busy workers among those that were seen as the pool', async () => {
    const signs = () => readSigns(server.store.db, server.time.now);
    const { now } = server.time;
    expect(await signs()).toEqual({ containment: false, restarts: [], pool: null });
    const claim = (worker: string) => server.api<{ claim: object | null }>('POST', '/v1/ingestion/claims', { worker });
    expect((await claim('a')).body).toEqual({ claim: null });
    await claim('b');
    expect((await signs()).pool).toEqual([0, 2]);
    const batch = { user_id: 'ed', label: '', context_type: 'SPONTANEOUS', context_id: null, state: 'ready' } as const;
    const more = { revision: 0, saved_sha256: null, lost: 0, created_at: now, updated_at: now };
    const rows = [
      { id: 'w1', ...batch, ...more, lease_id: 'l1', worker: 'gone', lease_until: now - 1 },
      { id: 'w2', ...batch, ...more, lease_id: null, worker: null, lease_until: null },
    ];
    await server.store.write((tx) => tx.insertInto('work_batches').values(rows).execute());
    await claim('a');
    expect(await signs()).toEqual({ containment: false, restarts: [now], pool: [1, 2] });
    await claim('a');
    expect(await signs()).toEqual({ containment: false, restarts: [now], pool: [2, 2] });
    server.time.now += 61_000;
    expect(await signs()).toEqual({ containment: false, restarts: [now], pool: null });
  });

  test('GUIDE-109 a process that drives runs is alive while it says so, and a start alone on its data knows better', async () => {
    const { store, time } = server;
    const using = { store, clock: { now: () => time.now } };
    const [own, other, command] = [serverOwner('own'), serverOwner('other'), commandOwner('x')];
    for (const owner of [own, other, command]) await beat(using, owner);
    const gone = async (starts: boolean) => {
      const isGone = await whoIsGone(using, own, starts);
      return [own, other, command, serverOwner('never')].map(isGone);
    };
    expect(await gone(false)).toEqual([false, false, false, true]);
    // Where other servers may share the database, one that begins says nothing of them.
    expect(await gone(true)).toEqual([false, !store.shared, false, true]);
    time.now += 60_000;
    expect(await gone(false)).toEqual([false, true, true, true]);
    await beat(using, command);
    expect(await gone(false)).toEqual([false, true, false, true]);
    await endBeats(using, command);
    expect(await gone(false)).toEqual([false, true, true, true]);
  });

  test('API-130 a notice goes to every socket of those who may edit', async () => {
    const heard = await connectTo(server);
    await expect.poll(() => heard.messages.length).toBe(1);
    const notice = { type: 'Notice', lane: 'guide', id: 'r1', sentence: 'It was not mended.', at: 5 } as const;
    server.deps.events.emit(notice);
    await expect.poll(() => heard.messages[1]).toEqual(notice);
  });
});
