/** Stores of guarded runs: memory, and the catalog's database on both stores. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NEW_MEMORY } from '#lanes/guide/core/run/memory.ts';
import { archiveOf, MemoryRunStore } from '#lanes/guide/core/run/memory-run-store.ts';
import type { RunRecord } from '#lanes/guide/core/run/run.types.ts';
import { SqlRunStore } from '#lanes/guide/server/runs/sql-run-store.ts';
import type { Store } from '#server/store/store.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { openTestStore, releaseDatabase } from '../fixtures/test-store.ts';
import { guideRunStoreContract } from './guide-run-store.ts';
import { runStoreSuite, type OpenRuns } from './run-store.ts';

runStoreSuite('runs in memory', () => {
  const store = new MemoryRunStore();
  const kept = { store, archive: archiveOf(store), log: () => Promise.resolve(store.log) };
  return Promise.resolve({ ...kept, again: () => Promise.resolve(kept), close: () => Promise.resolve() });
});

async function openSql(mostKept?: number): Promise<OpenRuns & { archive: SqlRunStore }> {
  const data = await mkdtemp(join(tmpdir(), 'guide-runs-'));
  const stores: Store[] = [];
  const again = async () => {
    const store = await openTestStore(data);
    stores.push(store);
    const runs = new SqlRunStore(store, mostKept);
    return { store: runs, archive: runs, log: () => runs.log() };
  };
  return {
    ...(await again()),
    again,
    async close() {
      for (const store of stores) await store.close();
      await releaseDatabase(data);
      await rm(data, { recursive: true, force: true });
    },
  };
}

onBothStores('stores of guarded runs', () => {
  runStoreSuite('runs in the database', () => openSql());
  guideRunStoreContract('the database', () => openSql());

  test('GUIDE-101 runs are listed page by page, the latest first, by key, without those that did not begin', async () => {
    const { store, archive, close } = await openSql();
    const record = (id: string, at: number, channel: string | null): RunRecord => ({
      ...{ id, at, how: 'demand', channel, outcome: 'success', reason: null, ended_at: 9, steps: [], escalated: false },
      ...{ ratio_before: 0.2, ratio_after: 0 },
    });
    const records: RunRecord[] = [
      record('a', 1, null),
      { id: 'b', at: 2, how: 'demand', channel: 'c1', outcome: 'skipped', reason: 'active' },
      record('c', 2, 'c1'),
      record('d', 2, 'c1'),
      record('e', 3, null),
    ];
    await store.change((memory) => ({ memory, journal: [], log: [], records, escalations: [], value: null }));
    const listed = async (page: Parameters<SqlRunStore['page']>[0]) =>
      (await archive.page(page)).map(({ id }) => id).join('');
    expect(await listed({ limit: 9 })).toBe('edca');
    expect(await listed({ limit: 9, skipped: true })).toBe('edcba');
    expect(await listed({ limit: 2 })).toBe('ed');
    expect(await listed({ limit: 2, before: { at: 2, id: 'd' } })).toBe('ca');
    expect(await listed({ limit: 9, channel: 'c1' })).toBe('dc');
    expect(await listed({ limit: 9, channel: null })).toBe('ea');
    expect(await listed({ limit: 9, channel: 'nobody' })).toBe('');
    await close();
  });

  test('GUIDE-104 the latest runs, lines and escalations are kept, older ones go with their journals', async () => {
    const { store, archive, close } = await openSql(3);
    const nothing = { memory: NEW_MEMORY, journal: [], log: [], records: [], escalations: [], value: null };
    for (let at = 1; at <= 6; at += 1) {
      const run = `r${at}`;
      const record = { id: run, at, how: 'schedule', channel: null } as const;
      const ratios = { steps: [], escalated: true, ratio_before: 1, ratio_after: 1 };
      await store.change(() => ({
        ...nothing,
        journal: [{ run, n: 1, at, event: { kind: 'probed', ok: true } }],
        log: [{ at, text: run }],
        records: [
          { ...record, outcome: 'failure', reason: null, ended_at: at, ...ratios },
          { ...record, id: `s${at}`, outcome: 'skipped', reason: 'cooldown' },
        ],
        escalations: [{ run, channel: null, at, reason: 'ratio', number: 1, limit: 0.4 }],
      }));
    }
    const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
    expect(ids(await archive.page({ limit: 9 }))).toEqual(['r6', 'r5', 'r4']);
    expect(ids(await archive.page({ limit: 9, skipped: true }))).toEqual(['s6', 'r6', 's5', 'r5', 's4', 'r4']);
    expect((await archive.log()).map(({ text }) => text)).toEqual(['r4', 'r5', 'r6']);
    expect((await archive.escalations(9)).map(({ run }) => run)).toEqual(['r6', 'r5', 'r4']);
    expect([await store.journal('r3'), (await store.journal('r4')).length]).toEqual([[], 1]);
    await close();
  });
});
