import { describe, expect, it } from 'vitest';
import type { PairEvidence, TrackOption } from '#lanes/music/core/match/match.types.ts';
import { SHIPPED_PROFILE } from '#lanes/music/core/calibration/profile.ts';
import { featureWords, limitSentence, pairRows, sumOf, vetoSentence } from '#lanes/music/ui/compare/explain-words.ts';

const option: TrackOption = {
  track_id: 't1',
  album_id: 'al',
  title: 'Her Majesty',
  artist: 'Artist',
  album: 'Album',
  disc: 1,
  position: 17,
  duration_ms: 23_000,
  confidence: 0.9,
  reasons: [],
};
const pair: PairEvidence = {
  title_similarity: 0.87,
  off: 0.4,
  position_agrees: true,
  artist_similarity: null,
  artist_conflict: false,
  version_extra: [],
  version_missing: [],
  weights: { title: 4, duration: 2, position: 1, artist: 0, version: 0, total: 7 },
};
const detected = { title: 'Hr Majsty', artist: null, disc: null, position: 17 };

describe('words for a decision', () => {
  it('UI-43 has a sentence for every feature of the shipped profile', () => {
    const silent = Object.keys(SHIPPED_PROFILE.weights).filter((feature) => featureWords(feature).says === '');
    expect(silent).toEqual([]);
  });

  it('UI-43 names what it does not know by its own name', () => {
    expect(featureWords('somethingNew')).toEqual({ name: 'something new', says: '' });
    expect(featureWords('veto_not_yet')).toEqual({ name: 'Veto: not yet', says: '' });
    expect(vetoSentence('not_yet')).toBe('');
  });

  it('UI-43 adds the terms up to the odds', () => {
    expect(
      sumOf([
        { feature: 'title', value: 1, weight: 2, log_odds: 2 },
        { feature: 'bias', value: 1, weight: -5, log_odds: -5 },
      ]),
    ).toBe(-3);
  });
});

describe('pairRows', () => {
  const rows = pairRows(detected, 23_400, option, pair);
  const row = (what: string) => rows.find((one) => one.what === what);

  it('UI-44 says what each comparison compared, found and weighs', () => {
    expect(row('Title')).toEqual({
      what: 'Title',
      file: 'Hr Majsty',
      track: 'Her Majesty',
      difference: '87\u00a0% alike',
      weight: 4,
    });
    expect(row('Length')).toMatchObject({ file: '0:23', track: '0:23', difference: '+0.4\u00a0s' });
    expect(row('Place')).toMatchObject({ file: '17', track: '17', difference: 'the same' });
    expect(row('Artist')).toMatchObject({ file: null, difference: 'nothing to compare' });
    expect(row('Version')).toBeUndefined();
  });

  it('UI-44 says a speed, another artist and version words', () => {
    const odd = { ...pair, artist_conflict: true, version_extra: ['live'], version_missing: ['remix'] };
    const all = pairRows(detected, null, option, odd, 0.96);
    const said = Object.fromEntries(all.map((one) => [one.what, one.difference]));
    expect(said['Length']).toBe('+0.4\u00a0s, at 104.2\u00a0% speed');
    expect(said['Artist']).toBe('another artist');
    expect(said['Version']).toBe('only the file says live, only the track says remix');
  });

  it('UI-44 says what is not known', () => {
    const bare = { ...pair, title_similarity: null, off: null, position_agrees: null };
    const said = Object.fromEntries(
      pairRows({ title: null, artist: null, disc: null, position: null }, null, option, bare).map((one) => [
        one.what,
        [one.file, one.difference],
      ]),
    );
    expect(said['Title']).toEqual([null, 'nothing to compare']);
    expect(said['Length']).toEqual([null, 'not known']);
    expect(said['Place']).toEqual([null, 'no number']);
  });

  it('UI-49 says what set the confidence where the evidence did not', () => {
    expect(limitSentence(null, 0.97)).toBe('');
    expect(limitSentence(undefined, 0.97)).toBe('');
    expect(limitSentence('album_in_doubt', 0.85)).toContain('more than 85');
    expect(limitSentence('album_chosen', 0.96)).toContain('96');
    expect(limitSentence('track_chosen', 1)).toContain('You chose this track');
  });
});
