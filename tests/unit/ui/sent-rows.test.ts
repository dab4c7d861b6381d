import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import { forgetSent, readSent, writeSent, type SentRow } from '#adapters/browser/sent-rows.ts';
import { openDatabase } from '#lanes/database.ts';

const db = openDatabase('sent-rows');
beforeEach(() => db.meta.clear());

const row = (id: string, at: number): SentRow => ({
  ...{ id, at, lane: 'library', about: '12 files of “src”', path: 'library', ids: ['f1'], batch_id: 'b1' },
  kind: 'library',
});

test('UI-330 lines are kept a row each in the order in which they were sent, and one that is read is forgotten', async () => {
  await writeSent(db, row('b', 2));
  await writeSent(db, row('a', 1));
  await writeSent(db, { ...row('c', 3), ids: null, batch_id: null });
  await db.meta.put({ key: 'sent:broken', value: { id: 'broken' } });
  expect((await readSent(db)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  await forgetSent(db, 'b');
  expect(await readSent(db)).toEqual([row('a', 1), { ...row('c', 3), ids: null, batch_id: null }]);
});
