import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { expect, test } from 'vitest';
import { endWithPage, PAGE_GOES, type WorkerScope } from '#adapters/browser/end-with-page.ts';

test('JOB-37 a worker whose page goes takes back the transaction that it is in, keeps those before it, and ends', async () => {
  const db = new Dexie('end-with-page');
  db.version(1).stores({ rows: 'id' });
  let hear: (event: { data: unknown }) => void = () => undefined;
  let closed = false;
  const scope: WorkerScope = {
    addEventListener: (_type, listener) => (hear = listener),
    close: () => (closed = true),
  };
  endWithPage(db, scope);
  const rows = db.table('rows');
  await rows.add({ id: 'before' });

  const middle = db.transaction('rw', rows, async () => {
    await rows.add({ id: 'half done' });
    hear({ data: 'anything else' });
    expect(closed).toBe(false);
    hear({ data: PAGE_GOES });
    await rows.add({ id: 'the other half' });
  });
  await expect(middle).rejects.toThrow();
  expect(closed).toBe(true);
  expect(await rows.toArray()).toEqual([{ id: 'before' }]);
});
