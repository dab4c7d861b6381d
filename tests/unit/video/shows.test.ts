import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
  ShowSchema,
  absoluteNumbers,
  headOf,
  inOrder,
  type Episode,
  type Season,
  type Show,
} from '#lanes/video/core/show-catalog.ts';
import { searchShows } from '#lanes/video/core/search-shows.ts';

const episode = (number: number, absolute: number | null = null): Episode => {
  return { number, title: null, air_date: null, absolute };
};
const season = (number: number, episodes: (number | Episode)[]): Season => {
  return { number, title: null, episodes: episodes.map((one) => (typeof one === 'number' ? episode(one) : one)) };
};
const show = (title: string, more: Partial<Show> = {}): Show => {
  return { id: title, title, titles: [], year: null, seasons: [], ...more };
};
const counted = (...seasons: Season[]): string[] =>
  absoluteNumbers({ seasons }).map((one) => `${one.season}x${one.episode}=${one.absolute ?? '-'}`);

describe('absolute numbers', () => {
  test('SHOW-2: what the catalog does not say is counted in order of seasons and episodes', () => {
    expect(counted(season(2, [2, 1]), season(1, [1, 2, 3]))).toEqual(['1x1=1', '1x2=2', '1x3=3', '2x1=4', '2x2=5']);
  });

  test('SHOW-2: specials and an episode 0 do not count, but keep what the catalog says of them', () => {
    const specials = season(0, [episode(1), episode(2, 99)]);
    expect(counted(specials, season(1, [0, 1]))).toEqual(['0x1=-', '0x2=99', '1x0=-', '1x1=1']);
  });

  test('SHOW-2: what the catalog says stands, and the count goes on from there', () => {
    expect(counted(season(1, [1, episode(2, 5), 3]), season(2, [1]))).toEqual(['1x1=1', '1x2=5', '1x3=6', '2x1=7']);
  });

  test('SHOW-2, SHOW-14: a number that the catalog lacks is left out in the count, too', () => {
    expect(counted(season(1, [1, 3]), season(2, [2]))).toEqual(['1x1=1', '1x3=3', '2x2=5']);
  });

  test('SHOW-2, SHOW-14: a season whose numbers go on from the season before keeps them', () => {
    expect(counted(season(1, [1, 2]), season(2, [3, 4]), season(3, [6]))).toEqual([
      '1x1=1',
      '1x2=2',
      '2x3=3',
      '2x4=4',
      '3x6=6',
    ]);
  });
});

describe('search', () => {
  const shows = [
    show('The Lighthouse Keepers', { year: 2004, titles: ['Leuchtturmwärter', '灯台守'] }),
    show('Lighthouse', { year: 1998 }),
    show('Kanal', { year: 2011 }),
    show('Kanal (2019)', { id: 'kanal-2', year: 2019 }),
    show('1923', { year: 2022 }),
  ];
  const best = (words: string): string | undefined => searchShows(shows, words, 3)[0]?.show.id;

  test.each([
    ['lighthouse keepers', 'The Lighthouse Keepers'],
    ['Lighthouse Keepers, The', 'The Lighthouse Keepers'],
    ['lighthuose kepers', 'The Lighthouse Keepers'],
    ['leuchtturmwarter', 'The Lighthouse Keepers'],
    ['灯台守', 'The Lighthouse Keepers'],
    ['lighthouse', 'Lighthouse'],
    ['Kanal', 'Kanal'],
    ['Kanal 2011', 'Kanal'],
    ['kanal.2019', 'kanal-2'],
    ['1923', '1923'],
  ])('SHOW-3: %s is %s', (words, id) => expect(best(words)).toBe(id));

  test('SHOW-3: the title that was meant is named, and nothing is found for nothing', () => {
    expect(searchShows(shows, 'Leuchtturmwärter', 1)[0]).toMatchObject({ matched: 'Leuchtturmwärter', score: 1 });
    for (const words of ['', '  ', 'zzzzqqqq']) expect(searchShows(shows, words, 3)).toEqual([]);
    expect(searchShows(shows, 'lighthouse', 1)).toHaveLength(1);
  });
});

describe('the record', () => {
  const parse = (value: unknown) => v.safeParse(ShowSchema, value, { abortEarly: true });
  const why = (value: unknown): string => {
    const { issues } = parse(value);
    return issues === undefined ? '' : `${v.getDotPath(issues[0])}: ${issues[0].message}`;
  };

  test('SHOW-1: what a show may leave out has a default', () => {
    const given = { id: 's', title: ' A ', seasons: [{ number: 1, episodes: [{ number: 2 }] }] };
    expect(parse(given).output).toEqual({
      ...{ id: 's', title: 'A', titles: [], year: null },
      seasons: [{ number: 1, title: null, episodes: [{ number: 2, title: null, air_date: null, absolute: null }] }],
    });
  });

  test('SHOW-1, SHOW-13: a number that stands there twice and a day that is none are named by their place', () => {
    const of = (episodes: object[]) => ({ id: 's', title: 'A', seasons: [{ number: 1, episodes }] });
    expect(why(of([{ number: 1 }, { number: 1 }]))).toBe('seasons.0.episodes.1: number 1 stands there twice');
    expect(why({ ...of([]), seasons: [{ number: 1 }, { number: 1 }] })).toBe('seasons.1: number 1 stands there twice');
    expect(why(of([{ number: 1, air_date: '2021-02-30' }]))).toBe(
      'seasons.0.episodes.0.air_date: there is no such day',
    );
    expect(why(of([{ number: -1 }]))).toContain('seasons.0.episodes.0.number');
  });

  test('SHOW-1, SHOW-13: seasons and episodes are in order, other titles once; a head counts no specials', () => {
    const given = show('A', { titles: ['B', 'A', 'B'], seasons: [season(1, [2, 1]), season(0, [1])] });
    const put = inOrder(given);
    expect([put.titles, put.seasons.map(({ number }) => number)]).toEqual([['B'], [0, 1]]);
    expect(put.seasons[1]?.episodes.map(({ number }) => number)).toEqual([1, 2]);
    expect(headOf(put)).toMatchObject({ seasons: 1, episodes: 2 });
  });
});
