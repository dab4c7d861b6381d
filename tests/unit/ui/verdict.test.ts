import { beforeAll, describe, expect, it } from 'vitest';
import type { AlbumOption, AlbumPair, TrackOption } from '#lanes/music/core/match/match.types.ts';
import type { MusicOption, MusicReview } from '#lanes/music/core/types.ts';
import { differsThroughout, reasonInWords, verdictOf } from '#lanes/music/ui/compare/verdict.ts';
import { adjustedAnswer, type RowPicks } from '#lanes/music/ui/review/row-words.ts';
import { enterTakes } from '#ui/review/marked.ts';
import { trackOption } from '../../fixtures/match.ts';
import { trackReview } from './fixtures.ts';
import { withMusicQuestions } from './lanes.ts';

beforeAll(withMusicQuestions);

const pair = (n: number, patch: Partial<AlbumPair> = {}): AlbumPair => ({
  ...{ file_id: `j${n}`, track_id: `t${n}`, title_similarity: 1, off: 0.2, position_agrees: true },
  ...patch,
});
function albumReview(
  pairs: AlbumPair[],
  share: number,
  confidence = 0.34,
): { review: MusicReview; option: MusicOption } {
  const album: AlbumOption = {
    ...{ album_id: 'al1', title: 'Harbour', artist: 'Ida', year: 1999, track_count: pairs.length, confidence },
    ...{ duration_share: share, tracks_fitting: pairs.length, reasons: [], pairs },
  };
  const option: MusicOption = { id: 'album:al1', label: 'Harbour', confidence, reasons: [], album };
  const files = pairs.map(({ file_id }) => ({
    ...{ job_id: file_id, name: `${file_id}.flac`, title: 'x', disc: null, position: null, duration_ms: 200_000 },
  }));
  const review: MusicReview = {
    ...{ ...trackReview('r', 'g', confidence), kind: 'album', options: [option], files },
    ...{ job_id: 'j1', job_ids: files.map(({ job_id }) => job_id) },
  };
  return { review, option };
}
const four = (patch: Partial<AlbumPair> = {}): AlbumPair[] => [1, 2, 3, 4].map((n) => pair(n, patch));

describe('UI-224 what is the same is said by itself, also where the album is in doubt', () => {
  it('UI-224 same recordings by lengths and titles', () => {
    const { review, option } = albumReview(four(), 1);
    expect(verdictOf(review, option)).toEqual({
      against: [],
      same: 'Same recordings: all lengths within 1 s, all titles',
    });
    const nameless = albumReview(four({ title_similarity: null }), 1);
    expect(verdictOf(nameless.review, nameless.option).same).toBe('All lengths within 1 s');
  });
  it('UI-224 not where one length is off, one title is another, or a file finds no track', () => {
    for (const odd of [
      pair(4, { off: 2 }),
      pair(4, { title_similarity: 0.3 }),
      pair(4, { track_id: null, off: null }),
    ]) {
      const { review, option } = albumReview([...four().slice(0, 3), odd], 1);
      expect(verdictOf(review, option).same).toBeNull();
    }
  });
});

describe('UI-223 what speaks against comes first', () => {
  it('UI-223 the strongest reason against an album, in words', () => {
    const live = albumReview(four({ off: 40, title_similarity: 0.9 }), 0);
    expect(verdictOf(live.review, live.option).against).toEqual(['none of 4 lengths fits']);
    const some = albumReview(
      [...four().slice(0, 3), pair(4, { track_id: null, off: null, title_similarity: null })],
      0.75,
    );
    expect(verdictOf(some.review, some.option).against).toEqual([
      ...['only 3 of 4 lengths fit', '1 file of 4 finds no track on it'],
    ]);
  });
  it('UI-223 against a track: how much longer, and which version', () => {
    const weights = { title: 1, duration: -3, position: 0, artist: 0, version: -2, total: -4 };
    const compared = { title_similarity: 1, off: 14, position_agrees: null, artist_similarity: null, weights };
    const words = { artist_conflict: false, version_extra: ['live'], version_missing: [] };
    const track: TrackOption = { ...trackOption('t1'), pair: { ...compared, ...words } };
    const of: MusicOption = { id: 'track:t1', label: 'x', confidence: 0.5, reasons: [], track };
    expect(verdictOf(trackReview('a', 'g', 0.5), of).against.slice(0, 2)).toEqual([
      ...['your file is 14 s longer', 'your file says live, the catalog does not'],
    ]);
  });
  it('UI-223 Enter takes nothing whose lengths differ throughout, however it is marked; a press of its button does', () => {
    const live = albumReview(four({ off: 40 }), 0, 0.7);
    expect([differsThroughout(live.review, live.option), enterTakes(live.review)]).toEqual([true, null]);
    const sound = albumReview(four(), 1, 0.7);
    expect([differsThroughout(sound.review, sound.option), enterTakes(sound.review)]).toEqual([false, 0]);
  });
});

it.each<[string, string, number, string]>([
  ['title', 'title 1.00', 1, 'same title'],
  ['title', 'titles from 0.00', 0, 'some titles differ'],
  ['duration', 'duration +14 s', 14, '14 s longer'],
  ['duration', 'duration -1.2 s', -1.2, '1.2 s shorter'],
  ['duration', 'lengths 80 %', 0.8, '80 % of the lengths fit'],
  ['position', 'track 3 = 3', 3, 'same track number'],
  ['position', 'track 3, here 5', 5, 'number 3, here 5'],
  ['coverage', 'tracks 10/12', 0.83, '10 of 12 tracks'],
  ['coverage', 'tracks 12/12', 1, 'all 12 tracks'],
  ['artist', 'artist 0.97', 0.97, 'same artist'],
  ['something new', 'as it is', 3, 'as it is'],
])('UI-225 %s "%s" is said in words', (kind, label, value, words) => {
  expect(reasonInWords({ kind, label, value, tone: 'good' }).label).toBe(words);
});

describe('UI-226 single rows of a question', () => {
  const { review, option } = albumReview(four(), 1);
  const picks = (of: RowPicks) => adjustedAnswer(review, option, of);
  it('UI-226 one that is not taken is asked about, and the button says so', () => {
    expect(picks({})).toBeNull();
    expect(picks({ j2: { word: 'ask', album_id: null } })).toEqual({
      answer: { kind: 'rows', album_id: 'al1', rows: { j2: 'ask' } },
      words: 'Accept 3, ask about 1',
    });
    expect(picks({ j1: { word: 'none', album_id: null }, j2: { word: 'ask', album_id: null } })?.words).toBe(
      'Accept 2, ask about 1, leave out 1',
    );
  });
  it('UI-226 a track of another album says nothing of this one, and a file of no row of it neither', () => {
    expect(picks({ j1: { word: 'track:x', album_id: 'other' } })).toBeNull();
    expect(picks({ stranger: { word: 'ask', album_id: null } })).toBeNull();
    expect(picks({ j1: { word: 'track:t4', album_id: 'al1' } })?.words).toBe('Accept 4');
  });
});
