import { describe, expect, it } from 'vitest';
import type { Track } from '#lanes/music/core/catalog.ts';
import type { AlbumOption, AlbumPair } from '#lanes/music/core/match/match.types.ts';
import type { MusicReviewFile } from '#lanes/music/core/types.ts';
import { albumTable } from '#lanes/music/ui/compare/album-table.ts';

const file = (job_id: string, position: number | null = null): MusicReviewFile => ({
  job_id,
  name: `${job_id}.flac`,
  title: null,
  disc: null,
  position,
  duration_ms: 61_500,
});
const track = (id: string, position: number): Track => ({
  id,
  album_id: 'al',
  title: id,
  artist_id: 'ar',
  artist: 'Artist',
  disc: 1,
  position,
  duration_ms: 60_000,
  availability: 'missing',
});
const pair = (file_id: string, track_id: string | null): AlbumPair => ({
  file_id,
  track_id,
  title_similarity: 0.8,
  off: 0.4,
  position_agrees: false,
});
const option = (patch: Partial<AlbumOption> = {}): AlbumOption => ({
  album_id: 'al',
  title: 'Album',
  artist: 'Artist',
  year: null,
  track_count: 3,
  confidence: 0.5,
  duration_share: 1,
  tracks_fitting: 2,
  reasons: [],
  ...patch,
});
const tracks = new Map([
  ['al', [track('t1', 1), track('t2', 2), track('t3', 3)]],
  ['b', [track('u1', 1)]],
]);
const shape = (table: ReturnType<typeof albumTable>) =>
  table.rows.map((row) => [row.file.job_id, ...row.cells.map((cell) => cell?.track.id ?? null)]);

describe('albumTable', () => {
  it("UI-40 shows the matcher's own assignment, not the order of the files", () => {
    const pairs = [pair('x', 't3'), pair('y', 't1')];
    const table = albumTable([file('x', 1), file('y', 2)], [option({ pairs })], tracks);
    expect(shape(table)).toEqual([
      ['x', 't3'],
      ['y', 't1'],
    ]);
    expect(table.rows[0]?.cells[0]).toMatchObject({ likeness: 0.8, off: 0.4, position_agrees: false });
    expect(table.without.map((line) => line[0]?.id)).toEqual(['t2']);
  });

  it('UI-40 puts each option beside the file, and leaves a gap where it has no track', () => {
    const one = option({ pairs: [pair('x', 't1'), pair('y', 't2')] });
    const other = option({ album_id: 'b', pairs: [pair('x', null), pair('y', 'u1')], missing: 0 });
    const table = albumTable([file('x'), file('y')], [one, other], tracks);
    expect(shape(table)).toEqual([
      ['x', 't1', null],
      ['y', 't2', 'u1'],
    ]);
    expect(table.missing).toEqual([1, 0]);
    expect(table.without.map((line) => line.map((cell) => cell?.id ?? null))).toEqual([['t3', null]]);
  });

  it('UI-40, UI-116 counts files of the group that are decided already: their tracks are not missing', () => {
    const pairs = [pair('asked', 't1'), pair('decided', 't2')];
    const table = albumTable([file('asked')], [option({ pairs })], tracks);
    expect(table.without.map((line) => line[0]?.id)).toEqual(['t3']);
  });

  it('UI-40, UI-116 aligns rows of before 0.3 by place', () => {
    const table = albumTable([file('x', 2), file('y', 1)], [option()], tracks);
    expect(shape(table)).toEqual([
      ['y', 't1'],
      ['x', 't2'],
    ]);
    expect(table.rows[0]?.cells[0]).toMatchObject({ likeness: null, off: 1.5, position_agrees: true });
    expect(table.missing).toEqual([1]);
  });

  it('stands without the tracks, as long as they are read', () => {
    const table = albumTable([file('x')], [option({ pairs: [pair('x', 't1')], missing: 2 })], new Map());
    expect(shape(table)).toEqual([['x', null]]);
    expect(table.missing).toEqual([2]);
  });
});
