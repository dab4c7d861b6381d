import { describe, expect, test } from 'vitest';
import { correctedRows } from '#lanes/video/ui/page/corrections.ts';
import { grouped } from '#lanes/video/ui/page/season-groups.ts';
import { file } from './rows.ts';

describe('UI-73 a folder is shown as seasons', () => {
  test('by episode, specials and unknown seasons last, everything else apart', () => {
    const files = [
      file('s0.mkv', { season: 0 }),
      file('x.mkv', { season: null }),
      file('b.mkv', { episodes: [2] }),
      file('a.mkv'),
      file('a.srt', { class: 'companion', belongs_to: 'a.mkv' }),
      file('trailer.mkv', { class: 'extra', season: null, episodes: [] }),
      file('lonely.srt', { class: 'companion', belongs_to: null }),
    ];
    const { seasons, companions, rest } = grouped(correctedRows(files, new Map(), {}), { files, gaps: [] });
    expect(seasons.map(({ season, rows }) => [season, rows.map(({ path }) => path)])).toEqual([
      [1, ['a.mkv', 'b.mkv']],
      [0, ['s0.mkv']],
      [null, ['x.mkv']],
    ]);
    expect(companions.get('a.mkv')).toHaveLength(1);
    expect(rest.map((one) => [one.class, one.rows.length])).toEqual([
      ['extra', 1],
      ['companion', 1],
    ]);
  });

  test('a gap is named until a correction fills it, and one that a correction leaves is named too', () => {
    const files = [file('1.mkv'), file('2.mkv', { episodes: [2] }), file('4.mkv', { episodes: [4] })];
    const reading = { files, gaps: [{ season: 1, episode: 3 }] };
    const gaps = (path: string, episode: number) => {
      const corrections = new Map([
        [path, { class: 'episode' as const, season: 1, episodes: [episode], excluded: false }],
      ]);
      return grouped(correctedRows(files, corrections, {}), reading).seasons[0]?.gaps;
    };
    expect(grouped(correctedRows(files, new Map(), {}), reading).seasons[0]?.gaps).toEqual([3]);
    expect(gaps('4.mkv', 3)).toEqual([]);
    expect(gaps('2.mkv', 5)).toEqual([2, 3]);
  });

  test('the same episode twice is marked, unless the files are its parts or one is left out', () => {
    const twice = (one: object, other: object, out = {}) => {
      const files = [file('a.mkv', one), file('b.mkv', other)];
      return grouped(correctedRows(files, new Map(), out), { files, gaps: [] }).seasons[0]?.twice.size;
    };
    expect(twice({}, {})).toBe(2);
    expect(twice({ part: 1 }, { part: 2 })).toBe(0);
    expect(twice({ part: 1 }, { part: 1 })).toBe(2);
    expect(twice({}, {}, { 'b.mkv': 'Left out.' })).toBe(0);
    expect(twice({ episodes: [1, 2] }, { episodes: [2] })).toBe(2);
  });
});
