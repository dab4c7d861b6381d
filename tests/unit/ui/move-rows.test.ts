import { expect, test } from 'vitest';
import type { Track } from '#lanes/music/core/catalog.ts';
import type { MusicReview } from '#lanes/music/core/types.ts';
import { assignInOrder, exchanged, fittingTracks, rowsBetween } from '#lanes/music/ui/review/move-rows.ts';
import { rowPicks } from '#lanes/music/ui/review/row-picks.svelte.ts';

type File = MusicReview['files'][number];
const file = (job_id: string, position: number | null, seconds: number | null) =>
  ({ job_id, position, disc: null, duration_ms: seconds === null ? null : seconds * 1000 }) as File;
const track = (id: string, position: number, seconds: number) =>
  ({ id, album_id: 'al', position, disc: 1, duration_ms: seconds * 1000 }) as Track;
const TRACKS = [track('t1', 1, 100), track('t2', 2, 200), track('t3', 3, 300)];
const given = (files: File[], tracks = TRACKS) =>
  Object.fromEntries([...assignInOrder(files, tracks)].map(([job, { id }]) => [job, id]));

test('UI-338 rows get tracks by their place where the length fits, then by the length, then in order', () => {
  expect(given([file('a', 2, 201), file('b', 1, 99)])).toEqual({ a: 't2', b: 't1' });
  // Wrong numbers, right lengths.
  expect(given([file('a', 1, 301), file('b', 3, 100)])).toEqual({ a: 't3', b: 't1' });
  expect(given([file('a', null, null), file('b', null, 200), file('c', null, null)])).toEqual({
    ...{ a: 't1', b: 't2', c: 't3' },
  });
  expect(given([file('a', null, 900), file('b', null, 901)], [track('t1', 1, 100)])).toEqual({ a: 't1' });
});

test('UI-339 two rows have each other’s track, and one that gets none is asked about', () => {
  const al = (id: string) => ({ id, album_id: 'al' });
  expect(exchanged({ job_id: 'a', track: al('t1') }, { job_id: 'b', track: al('t2') })).toEqual(
    new Map([
      ['a', { word: 'track:t2', album_id: 'al' }],
      ['b', { word: 'track:t1', album_id: 'al' }],
    ]),
  );
  expect(exchanged({ job_id: 'a', track: al('t1') }, { job_id: 'b', track: null })).toEqual(
    new Map([
      ['a', { word: 'ask', album_id: null }],
      ['b', { word: 'track:t1', album_id: 'al' }],
    ]),
  );
  expect(exchanged({ job_id: 'a', track: null }, { job_id: 'b', track: null })).toBeNull();
  expect(exchanged({ job_id: 'a', track: al('t1') }, { job_id: 'a', track: al('t1') })).toBeNull();
});

test('UI-338 a range goes both ways and has both of its ends; rows said at once leave the others as they were', () => {
  expect(rowsBetween(['a', 'b', 'c', 'd'], 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(rowsBetween(['a', 'b'], 'b', 'b')).toEqual(['b']);
  expect(rowsBetween(['a', 'b'], 'gone', 'b')).toEqual([]);
  const ask = { word: 'ask', album_id: null } as const;
  rowPicks.setAll(
    'r',
    new Map([
      ['a', ask],
      ['b', ask],
    ]),
  );
  rowPicks.setAll(
    'r',
    new Map([
      ['b', null],
      ['c', { word: 'none', album_id: null }],
    ]),
  );
  expect(rowPicks.of('r')).toEqual({ a: ask, c: { word: 'none', album_id: null } });
  rowPicks.set('r', 'a', null);
  expect(Object.keys(rowPicks.of('r'))).toEqual(['c']);
});

test('UI-363 a file fits a track of another album by its title, else by its length; one that fits none has none', () => {
  const named = (one: Track, title: string) => ({ ...one, title });
  const tracks = [named(track('t1', 1, 100), 'Slack Water'), named(track('t2', 2, 200), 'Ropewalk')];
  const fit = (...files: File[]) =>
    Object.fromEntries([...fittingTracks(files, tracks)].map(([job, { id }]) => [job, id]));
  const titled = (job: string, title: string | null, seconds: number) => ({ ...file(job, null, seconds), title });
  expect(fit(titled('a', 'ROPEWALK', 999))).toEqual({ a: 't2' });
  expect(fit(titled('a', null, 104))).toEqual({ a: 't1' });
  expect(fit(titled('a', null, 106))).toEqual({});
  // A title is worth more than a length, whatever comes first, and each track is given once.
  expect(fit(titled('a', null, 200), titled('b', 'Ropewalk', 100))).toEqual({ b: 't2' });
  expect(fit(titled('a', null, 100), titled('b', null, 101))).toEqual({ a: 't1' });
});
