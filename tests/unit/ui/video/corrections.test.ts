import { describe, expect, test } from 'vitest';
import {
  correctedRows,
  correctionOf,
  episodesText,
  numbered,
  parseEpisodes,
} from '#lanes/video/ui/page/corrections.ts';
import { file } from './rows.ts';

const NONE = new Map();

test('PLAN-96 a corrected row is the person’s word, or the agent’s that they took over; one left as it was is nobody’s', () => {
  const as = (episode: number, source?: 'agent') => {
    const correction = { class: 'episode' as const, season: 1, episodes: [episode], excluded: false };
    return new Map([['a.mkv', source === undefined ? correction : { ...correction, source }]]);
  };
  const sourceBy = (corrections: ReturnType<typeof as>) =>
    correctedRows([file('a.mkv', { season: 1, episodes: [1] })], corrections, {})[0]?.source;
  expect([sourceBy(as(4)), sourceBy(as(4, 'agent')), sourceBy(as(1))]).toEqual(['person', 'agent', undefined]);
});

describe('UI-70 what a person corrects is laid over the reading', () => {
  test('a corrected row is theirs, sure, and without the title of another episode', () => {
    const files = [file('a.mkv', { title: 'Pilot', confidence: 0.6 })];
    const corrections = new Map([['a.mkv', { class: 'episode' as const, season: 2, episodes: [3], excluded: false }]]);
    const [row] = correctedRows(files, corrections, {});
    expect(row).toMatchObject({ season: 2, episodes: [3], title: null, confidence: 1, corrected: true });
    expect(files[0]).toMatchObject({ season: 1, title: 'Pilot' });
  });

  test('companions follow their video: its numbers, in or out', () => {
    const files = [
      file('a.mkv'),
      file('a.en.srt', { class: 'companion', season: null, episodes: [], belongs_to: 'a.mkv' }),
    ];
    const corrections = new Map([['a.mkv', { class: 'episode' as const, season: 1, episodes: [7], excluded: true }]]);
    expect(correctedRows(files, corrections, {})[1]).toMatchObject({ season: 1, episodes: [7], excluded: true });
  });

  test('what is left out at first is taken in by a correction, and restored without one', () => {
    const files = [file('a.mkv')];
    const out = { 'a.mkv': 'Too unsure.' };
    const [left] = correctedRows(files, NONE, out);
    expect(left).toMatchObject({ excluded: true, corrected: false });
    const taken = new Map([['a.mkv', { ...correctionOf(left ?? file('')), excluded: false }]]);
    expect(correctedRows(files, taken, out)[0]?.excluded).toBe(false);
  });

  test('what is no episode has no numbers', () => {
    const corrections = new Map([['a.mkv', { class: 'extra' as const, season: 1, episodes: [1], excluded: false }]]);
    expect(correctedRows([file('a.mkv')], corrections, {})[0]).toMatchObject({ season: null, episodes: [] });
  });
});

test.each([
  ['3', [3], '3'],
  ['3-5', [3, 4, 5], '3-5'],
  [' 5, 3 ', [3, 5], '3, 5'],
  ['1 2 4', [1, 2, 4], '1-2, 4'],
  ['', null, ''],
  ['5-3', null, ''],
  ['x', null, ''],
  ['1-4000', null, ''],
])('UI-71 episodes as they are typed: "%s"', (text, episodes, written) => {
  expect(parseEpisodes(text)).toEqual(episodes);
  if (episodes !== null) expect(episodesText(episodes)).toBe(written);
});

test('UI-72 several files are numbered in the order of their names, each as long as it was', () => {
  const rows = correctedRows(
    [file('show 10.mkv'), file('show 2.mkv', { episodes: [2, 3] }), file('show 1.mkv', { class: 'other' })],
    NONE,
    {},
  );
  const wish = { season: 4, first: 7, class: null };
  expect(
    numbered(rows, wish).map(([path, { season, episodes, class: kind }]) => [path, kind, season, episodes]),
  ).toEqual([
    ['show 1.mkv', 'episode', 4, [7]],
    ['show 2.mkv', 'episode', 4, [8, 9]],
    ['show 10.mkv', 'episode', 4, [10]],
  ]);
});
