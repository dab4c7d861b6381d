import { describe, expect, it } from 'vitest';
import type { Track } from '#lanes/music/core/catalog.ts';
import type { MusicReviewFile } from '#lanes/music/core/types.ts';
import { alignFiles } from '#lanes/music/ui/compare/align.ts';

const file = (name: string, disc: number | null, position: number | null): MusicReviewFile => ({
  job_id: name,
  name,
  title: null,
  disc,
  position,
  duration_ms: 1000,
});
const track = (disc: number, position: number): Track => ({
  id: `${disc}.${position}`,
  album_id: 'al',
  title: `Track ${disc}.${position}`,
  artist_id: 'ar',
  artist: 'Artist',
  disc,
  position,
  duration_ms: 1000,
  availability: 'missing',
});
const album = [track(1, 1), track(1, 2), track(2, 1)];
const ids = (rows: ReturnType<typeof alignFiles>) =>
  rows.map((row) => [row.file?.name ?? null, row.tracks[0]?.id ?? null]);

describe('alignFiles', () => {
  it('UI-9 puts a file beside the track of its own disc and position', () => {
    const rows = alignFiles([file('c', 2, 1), file('b', null, 2), file('a', 1, 1)], [album]);
    expect(ids(rows)).toEqual([
      ['a', '1.1'],
      ['b', '1.2'],
      ['c', '2.1'],
    ]);
  });

  it('UI-9 keeps the tracks that have no file', () => {
    expect(ids(alignFiles([file('b', 1, 2)], [album]))).toEqual([
      ['b', '1.2'],
      [null, '1.1'],
      [null, '2.1'],
    ]);
  });

  it('UI-9 goes by order where a file has no place, or two claim one', () => {
    const order = [
      ['x', '1.1'],
      ['y', '1.2'],
      [null, '2.1'],
    ];
    expect(ids(alignFiles([file('x', null, null), file('y', 1, 1)], [album]))).toEqual(order);
    expect(ids(alignFiles([file('x', 1, 2), file('y', 1, 2)], [album]))).toEqual(order);
  });

  it('stands a file without a counterpart by itself', () => {
    expect(ids(alignFiles([file('a', 1, 1), file('z', 1, 9)], [[track(1, 1)]]))).toEqual([
      ['a', '1.1'],
      ['z', null],
    ]);
  });
});
