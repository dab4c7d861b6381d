import { expect, test } from 'vitest';
import { DropEnds, endNotice } from '#ui/ingest/drop-ends.ts';
import { setLanes } from '#ui/lanes.ts';
import { batch, job } from './fixtures.ts';

test('UI-334 a drop has ended when nothing of it is open any more, once, also where it was too short to be seen open', () => {
  const ends = new DropEnds();
  expect(ends.ended(new Set(['a', 'b']), ['b'])).toEqual([]);
  expect(ends.ended(new Set(['b']), ['b'])).toEqual(['a']);
  expect(ends.ended(new Set(['b']), ['b', 'short'])).toEqual(['short']);
  expect(ends.ended(new Set(), ['b', 'short'])).toEqual(['b']);
  expect(ends.ended(new Set(), ['b', 'short'])).toEqual([]);
});

test('UI-334 what is told is the drop’s name and how it ended', () => {
  setLanes([]);
  const jobs = [job('a', { phase: 'published', status: 'COMPLETED' }), job('b', { phase: 'failed', status: 'FAILED' })];
  expect(endNotice({ batch: { ...batch('new', 'Abbey Road'), total: 2 }, jobs })).toEqual({
    ...{ title: 'Abbey Road', body: '2 files: 1 published, 1 failed' },
  });
});
