import { describe, expect, test } from 'vitest';
import type { Show } from '#lanes/video/core/show-catalog.ts';
import { parseEpisodeList } from '#lanes/video/ui/shows/episode-list.ts';
import { checkShow, fieldOfShowMessage } from '#lanes/video/ui/shows/show-check.ts';
import { draftOfShow, emptyShow, showBody, type ShowDraft } from '#lanes/video/ui/shows/show-draft.ts';
import { countedRows, firstUntitled, withPasted } from '#lanes/video/ui/shows/show-rows.ts';

const SHOW: Show = {
  id: 's',
  title: 'Anchor Street',
  titles: ['Ankerstraße', '錨通り'],
  year: 2014,
  seasons: [
    { number: 0, title: null, episodes: [{ number: 1, title: 'Behind it', air_date: null, absolute: null }] },
    { number: 1, title: 'Low Tide', episodes: [{ number: 1, title: null, air_date: '2014-03-01', absolute: 5 }] },
  ],
};

describe('the form of a show', () => {
  test('SHOW-11: what is not touched is sent as it was', () => {
    const { id: _id, ...rest } = SHOW;
    const sent = showBody(draftOfShow(SHOW));
    expect({ ...sent, seasons: sent.seasons.toSorted((a, b) => a.number - b.number) }).toEqual(rest);
    expect(checkShow(draftOfShow(SHOW))).toEqual({});
    // The specials stand last.
    expect(draftOfShow(SHOW).seasons.map(({ number }) => number)).toEqual(['1', '0']);
  });

  test('SHOW-11: what is wrong is said at its field', () => {
    const draft: ShowDraft = { ...draftOfShow(SHOW), title: ' ', year: 'x' };
    const [first] = draft.seasons;
    first?.episodes.push({ key: 'k', number: '1', title: '', air_date: '2014-02-30', absolute: '-' });
    first?.episodes.push({ key: 'm', number: '', title: '', air_date: '', absolute: '' });
    expect(Object.keys(checkShow(draft)).sort()).toEqual(
      ['k.absolute', 'k.air_date', 'k.number', 'm.number', 'title', 'year'].sort(),
    );
    draft.seasons.push({ key: 'again', number: '01', title: '', episodes: [] });
    expect(checkShow(draft)['again.number']).toBe('This season is there already.');
    expect(checkShow(emptyShow())).toEqual({ title: 'Say what the show is called.' });
  });

  test('SHOW-11: a refusal of the server finds its field', () => {
    const draft = draftOfShow(SHOW);
    const at = (message: string) => fieldOfShowMessage(message, draft);
    expect(at('body "title": too long.')).toBe('title');
    expect(at('body "seasons.1.number": no.')).toBe('season-0.number');
    expect(at('body "seasons.0.episodes.0.air_date": there is no such day.')).toBe('1x1.air_date');
    expect(at('Something else.')).toBeNull();
  });
});

describe('a pasted list of episodes', () => {
  const rows = (text: string, first = 1) =>
    parseEpisodeList(text, first).map(({ number, title, air_date }) => [number, title, air_date].join('|'));

  test('SHOW-12: numbers and dates are taken off the lines, in the forms that people paste', () => {
    expect(
      rows(
        [
          '1. Back 2015-03-01',
          'S01E02 Low Tide (2015-03-08)',
          '1x03 - "High Water"',
          'E04: Rope',
          'Episode 5 – Salt',
          '2015.04.05\t6\tBell',
          'Gull',
        ].join('\n'),
      ),
    ).toEqual([
      '1|Back|2015-03-01',
      '2|Low Tide|2015-03-08',
      '3|High Water|',
      '4|Rope|',
      '5|Salt|',
      '6|Bell|2015-04-05',
      '7|Gull|',
    ]);
  });

  test('SHOW-12: a line without a number follows the one before it; a title that begins with one is left alone', () => {
    expect(rows('Storm\n\n99 Bells\nEnd', 7)).toEqual(['7|Storm|', '8|99 Bells|', '9|End|']);
    expect(rows('Enemy at the Door\nEpic')).toEqual(['1|Enemy at the Door|', '2|Epic|']);
    expect(rows(' \n')).toEqual([]);
  });
});

describe('rows', () => {
  const row = (number: string, title = '', air_date = '') => ({
    key: `k${number}`,
    number,
    title,
    air_date,
    absolute: '',
  });

  test('SHOW-12, SHOW-19: a pasted row fills in the one of its number, and the others are added in their order', () => {
    const there = [row('1', 'Old', '2015-01-01'), row('3'), row('x', 'Half typed'), row('3', 'Twice')];
    const rows = withPasted(there, [row('3', 'Third'), row('2', 'Second'), row('1', 'New')]);
    expect(rows.map(({ number, title }) => `${number} ${title}`)).toEqual([
      '1 New',
      '2 Second',
      '3 Third',
      '3 Third',
      'x Half typed',
    ]);
    expect(rows.find(({ number }) => number === '1')).toMatchObject({ key: 'k1', air_date: '2015-01-01' });
    expect(firstUntitled({ key: 's', number: '1', title: '', episodes: there })).toBe(3);
    expect(firstUntitled({ key: 's', number: '1', title: '', episodes: [row('4', 'Full')] })).toBe(5);
  });

  test('SHOW-2, SHOW-19: the absolute numbers that are counted stand in the rows while they are typed', () => {
    const counted = countedRows(draftOfShow(SHOW));
    expect([...counted]).toEqual([['1x1', 5]]);
    const typed = emptyShow();
    typed.seasons[0]?.episodes.push(row('2'), row('oops'));
    expect([...countedRows(typed).values()]).toEqual([1, 2]);
  });
});
