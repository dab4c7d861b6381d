import { describe, expect, it } from 'vitest';
import type { FileMatch, TrackOption } from '#lanes/music/core/match/match.types.ts';
import { decidedRows } from '#lanes/music/ui/compare/decided-table.ts';
import { job } from './fixtures.ts';

const option = (track_id: string, position: number): TrackOption => ({
  track_id,
  album_id: 'al',
  title: `Title ${track_id}`,
  artist: 'Artist',
  album: 'Album',
  disc: 1,
  position,
  duration_ms: 60_000,
  confidence: 0.7,
  reasons: [],
});
const match = (track_id: string | null, options: TrackOption[]): FileMatch => ({
  file_id: 'f',
  group_id: 'g',
  track_id,
  confidence: 0.7,
  options,
  reasons: [],
  detected: { title: null, artist: null, disc: null, position: null },
});

describe('decidedRows', () => {
  it('UI-45 stands in the order of the tracks; files without one come last', () => {
    const rows = decidedRows([
      job('none'),
      job('b', { match: match('t2', [option('t1', 1), option('t2', 2)]) }),
      job('a', { match: match('t1', [option('t1', 1)]) }),
    ]);
    expect(rows.map((row) => [row.job.id, row.track?.title ?? null, row.by])).toEqual([
      ['a', 'Title t1', null],
      ['b', 'Title t2', null],
      ['none', null, null],
    ]);
  });

  it('UI-45 says after the decision what was decided, by whom, and how far it differs', () => {
    const decided = {
      matched_track_id: 't1',
      matched_title: 'Title t1',
      matched_album: 'Album',
      match_confidence: 0.98,
      duration_ms: 60_400,
    } as const;
    const [rules] = decidedRows([
      job('a', { ...decided, match_source: 'AGENT', match: match('t1', [option('t1', 1)]) }),
    ]);
    expect(rules).toMatchObject({ by: 'rules', confidence: 0.98, off: 0.4 });
    const pair = {
      title_similarity: 0.5,
      off: -2,
      position_agrees: false,
      artist_similarity: null,
      artist_conflict: false,
      version_extra: [],
      version_missing: [],
      weights: { title: 0, duration: 0, position: 0, artist: 0, version: 0, total: 0 },
    };
    const chosen = match('t1', [{ ...option('t1', 1), pair }]);
    const [mine] = decidedRows([job('a', { ...decided, match_source: 'HUMAN_REVIEW', match: chosen })]);
    expect(mine).toMatchObject({ by: 'you', off: -2, likeness: 0.5, position_agrees: false });
  });

  it('UI-45 shows a track that was searched for by hand, without a comparison', () => {
    const [row] = decidedRows([
      job('a', {
        matched_track_id: 'far',
        matched_title: 'Far',
        match_source: 'HUMAN_REVIEW',
        match: match('far', []),
      }),
    ]);
    expect(row).toMatchObject({ track: { title: 'Far', option: null }, off: null, by: 'you' });
  });
});
