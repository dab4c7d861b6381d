/** The suite of the store of guides over the catalog's database, on both stores; and what a crash leaves of an import. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { randomIds } from '#core/ids.ts';
import { EVERYTHING } from '#lanes/guide/core/store/guide-store.ts';
import { SqlGuideStore } from '#lanes/guide/server/store/sql-guide-store.ts';
import { sweep } from '#lanes/guide/server/store/sweep.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { openTestStore, releaseDatabase } from '../fixtures/test-store.ts';
import { DRAFT, guideStoreContract } from './guide-store.ts';

async function open() {
  const data = await mkdtemp(join(tmpdir(), 'guide-store-'));
  const database = await openTestStore(data);
  return {
    database,
    store: new SqlGuideStore(database, randomIds),
    async close() {
      await database.close();
      await releaseDatabase(data);
      await rm(data, { recursive: true, force: true });
    },
  };
}

onBothStores('stores of guides', () => {
  guideStoreContract('the database', open);

  test('GUIDE-110 rows of an import that nobody finished, and of one that was replaced, are swept away', async () => {
    const { store, database, close } = await open();
    const rows = async () => {
      const days = await database.db.selectFrom('guide_days').select('data').orderBy('data').execute();
      const channels = await database.db.selectFrom('guide_channels').select('id').execute();
      return [days.map(({ data }) => data), channels.length];
    };
    const put = async (data: string, end: 'finish' | 'leave') => {
      const stage = await store.stage('g');
      const channel = { id: 'a', declared: false, displayNames: [], programmes: 1, element: null };
      const programmes = Array.from({ length: 120 }, () => ({ channel: 'a', day: 1, count: 1, data }));
      await stage.add({ channels: [channel], programmes });
      if (end === 'finish') await stage.finish(DRAFT);
    };
    await put('one', 'finish');
    // Its process was killed; the next import of the guide is begun, and it, too.
    await put('left', 'leave');
    await put('left again', 'leave');
    await sweep(database);
    expect((await rows())[0]).toEqual([...Array<string>(120).fill('left again'), ...Array<string>(120).fill('one')]);
    await put('two', 'finish');
    expect(await rows()).toEqual([Array<string>(120).fill('two'), 1]);
    let read = 0;
    for await (const { data } of store.programmes('g', EVERYTHING)) read += data === 'two' ? 1 : 0;
    expect(read).toBe(120);
    await store.remove('g');
    expect(await rows()).toEqual([[], 0]);
    await close();
  });
});
