import { describe, expect, it } from 'vitest';
import { parseTrackList } from '#lanes/music/ui/catalog/track-list.ts';

const rows = (text: string) =>
  parseTrackList(text).map(({ disc, position, title, length }) => [disc, position, title, length]);

describe('ENTRY-4: a pasted list of tracks', () => {
  it('takes numbers and lengths off the lines', () => {
    expect(rows('1. First Light 4:07\n02 Second\t3:52\n3 - Third (1:02:03)\n"Fourth" [2:00]')).toEqual([
      ['1', '1', 'First Light', '4:07'],
      ['1', '2', 'Second', '3:52'],
      ['1', '3', 'Third', '1:02:03'],
      ['1', '4', 'Fourth', '2:00'],
    ]);
  });

  it('begins a disc at its heading, and at numbers of the form 2-01', () => {
    expect(rows('CD 1\n1. A\nDisc 2\n1. B\nC')).toEqual([
      ['1', '1', 'A', ''],
      ['2', '1', 'B', ''],
      ['2', '2', 'C', ''],
    ]);
    expect(rows('1-01 A\n2-01 B')).toEqual([
      ['1', '1', 'A', ''],
      ['2', '1', 'B', ''],
    ]);
  });

  it('counts the sides of a record on', () => {
    expect(rows('Side A\nOne\nSide B\nTwo').map(([disc, position]) => [disc, position])).toEqual([
      ['1', '1'],
      ['1', '2'],
    ]);
  });

  it('leaves a title that begins with a number alone', () => {
    expect(rows('99 Red Things 3:53\n10:15 on a Sunday\n7 Roads')).toEqual([
      ['1', '1', '99 Red Things', '3:53'],
      ['1', '2', '10:15 on a Sunday', ''],
      ['1', '3', '7 Roads', ''],
    ]);
  });

  it('finds nothing in empty lines', () => {
    expect(parseTrackList(' \n\n')).toEqual([]);
  });
});
