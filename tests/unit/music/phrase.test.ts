import { describe, expect, test } from 'vitest';
import { editionBase } from '#lanes/music/core/names/versions.ts';
import type { AlbumOption, Explanation } from '#lanes/music/core/match/match.types.ts';
import { questionForGroup } from '#lanes/music/core/questions/phrase.ts';
import { doubtOf } from '#lanes/music/core/questions/track-questions.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { catalogOf, file, fillers, ROAD, two, word, type AlbumPlan } from './small-catalog.ts';
import { explanation, groupOf, offBy } from '../../fixtures/match.ts';

const album = (title: string, patch: Partial<AlbumOption> = {}): AlbumOption => ({
  album_id: title,
  title,
  artist: 'The Tidewalkers',
  year: 1969,
  track_count: 12,
  confidence: 0.4,
  duration_share: 1,
  tracks_fitting: 12,
  reasons: [],
  missing: 0,
  shared_titles: 1,
  ...patch,
});
const ids = Array.from({ length: 12 }, (_, at) => `f${at}`);
const ask = (options: AlbumOption[], files = ids) =>
  questionForGroup(groupOf(files, { verdict: 'ask_album', options }), []);

describe('questions about an album', () => {
  test('REVIEW-22 editions of one album: which edition, with what distinguishes each', () => {
    const asked = ask([
      album('Harbour Road (Deluxe Edition)', { distinguishing: ['Deluxe Edition', '14 tracks, the other 12'] }),
      album('Harbour Road', { distinguishing: ['no edition named', '1969'] }),
      album('Something Else', { confidence: 0.01 }),
    ]);
    expect(asked).toMatchObject({
      variant: 'edition',
      question: "Which edition of 'Harbour Road' are these 12 files?",
    });
    expect(asked.reasoning).toContain(
      "- 'Harbour Road' by The Tidewalkers (100% duration match): no edition named; 1969",
    );
  });

  test('REVIEW-22 other titles, other artists and another likely album are no editions', () => {
    expect(ask([album('Harbour Road'), album('Harbour Lane')]).variant).toBeUndefined();
    expect(ask([album('Harbour Road'), album('Harbour Road', { artist: 'Nobody' })]).variant).toBeUndefined();
    expect(ask([album('Best (Volume 1)'), album('Best (Volume 2)')]).variant).toBeUndefined();
    expect(ask([album('Road'), album('Road (Live)'), album('Other', { confidence: 0.3 })]).variant).toBeUndefined();
  });

  test('REVIEW-22 albums of one name with other titles are no editions', () => {
    const asked = ask([album('Harbour (1994)'), album('Harbour (2001)', { shared_titles: 0.1 })]);
    expect(asked.variant).toBeUndefined();
    expect(asked.question).toBe('Which album are these 12 files?');
    const renamed = {
      ...ROAD,
      year: 2001,
      tracks: ROAD.tracks.map(([, s], i) => [`Other ${word(i + 300)}`, s] as const),
    };
    const again = { ...ROAD, title: `${ROAD.title} (Deluxe)` };
    const shares = (plan: AlbumPlan): (number | undefined)[] =>
      matchBatch(
        {
          files: ROAD.tracks.map(([, seconds], i) => file(`track${two(i + 1)}.mp3`, seconds)),
          context: { type: 'spontaneous' },
        },
        buildCatalogIndex(catalogOf([ROAD, plan, ...fillers(20)])),
      )
        .groups[0]?.options.slice(0, 2)
        .map(({ shared_titles }) => shared_titles) ?? [];
    expect(shares(renamed)).toEqual([1, 0]);
    expect(shares(again)).toEqual([1, 1]);
  });

  test('REVIEW-23 a part of an album says how many of its tracks the files are', () => {
    const options = [album('Harbour Road', { tracks_fitting: 5, missing: 7 }), album('Other', { tracks_fitting: 4 })];
    expect(ask(options, ids.slice(0, 5))).toMatchObject({
      variant: 'partial',
      question: "Which album are these 5 files? They could be 5 of the 12 tracks of 'Harbour Road'.",
    });
    // One of them finds no track there: it is not known to be a part.
    expect(ask(options, ids.slice(0, 6)).variant).toBeUndefined();
  });

  test.each([
    ['Harbour Road (Deluxe Edition)', 'harbourroad'],
    ['Harbour Road - Remastered 2009', 'harbourroad'],
    ['Harbour Road [2019 Reissue]', 'harbourroad'],
    ['Harbour Road (50th Anniversary)', 'harbourroad'],
    ['1989 (Deluxe)', '1989'],
    ['Best (Volume 2)', 'bestvolume2'],
    ['Live - In Harbour', 'liveinharbour'],
  ])('REVIEW-22 %s is an edition of %s', (title, base) => {
    expect(editionBase(title)).toBe(base);
  });
});

describe('REVIEW-21 a doubt in plain words', () => {
  const veto = (kind: string, pair: Partial<Explanation['pair']> = {}) => {
    const why = explanation([{ kind, label: kind }], 5);
    return offBy('a', 5, { why: { ...why, pair: { ...why.pair, ...pair } } });
  };

  test.each([
    [[offBy('a', 5), offBy('b', 5)], 'their lengths are 5 s longer than in the catalog'],
    [[offBy('a', -5), offBy('b', -12)], 'their lengths are 5 to 12 s shorter than in the catalog'],
    [[offBy('a', -5), offBy('b', 12)], 'their lengths are off by 5 to 12 s'],
    [[veto('version', { version_extra: ['live'] })], 'they say live, the catalog does not'],
    [[veto('version', { version_missing: ['demo'] })], 'the catalog says demo, they do not'],
    [[veto('edition')], 'edition'],
    [[veto('rival'), veto('twin')], 'another free track fits as well, and another album fits as well'],
  ])('REVIEW-21 case %#', (files, said) => {
    expect(doubtOf(files)).toBe(said);
  });
});
