import 'fake-indexeddb/auto';
import { beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#lanes/database.ts';
import { ui } from '#lanes/documents/ui/lane-ui.ts';
import { db, setDatabase } from '#ui/client/db.ts';
import { batch, job } from './fixtures.ts';

setDatabase(openDatabase('kept-documents'));
beforeEach(() => Promise.all([db.jobs.clear(), db.batches.clear()]));

const pdf = (path: string, sha256: string | null = 'ab') => ({
  path,
  kind: 'document',
  outcome: 'kept',
  sha256,
  text: null,
});

test('UI-332 documents that a drop keeps are Documents’ own; what lies in an album’s folder and what was left out is not', async () => {
  const companions = [
    ...[
      pdf('paper.pdf'),
      pdf('papers/a.pdf'),
      pdf('album/booklet.pdf'),
      pdf('album/scans/back.pdf'),
      pdf('gone.pdf', null),
    ],
    { ...pdf('cover.jpg'), kind: 'cover' },
  ];
  await db.batches.put({ ...batch('b', 'A drop'), companions });
  await db.jobs.bulkPut([
    job('t', { batch_id: 'b', path: 'album/01.flac' }),
    job('loose', { batch_id: 'b', path: 'loose.flac' }),
  ]);
  expect(await ui.kept?.of('b')).toEqual(['paper.pdf', 'papers/a.pdf']);
  expect(await ui.kept?.of('nobody')).toEqual([]);
});
