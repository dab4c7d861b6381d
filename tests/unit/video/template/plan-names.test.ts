import { describe, expect, test } from 'vitest';
import { readFolder } from '#lanes/video/core/folder/read-folder.ts';
import type { Show } from '#lanes/video/core/show-catalog.ts';
import { companionSuffix } from '#core/naming/companion-suffix.ts';
import type { NamePlan } from '#core/naming/plan-names.ts';
import {
  parseTemplate,
  planEpisodeNames,
  type NamingOptions,
  type Template,
} from '#lanes/video/core/naming/episode-names.ts';
import { PRESETS } from '#lanes/video/core/naming/presets.ts';

function template(text: string, id?: string): Template {
  const preset = PRESETS.find((one) => one.id === id);
  const parsed = parseTemplate(preset?.template ?? text, preset?.style);
  if (!parsed.ok) throw new Error(parsed.error.sentence);
  return parsed.template;
}

const show = (title: string, counts: Record<number, number>, titles: Record<string, string> = {}): Show => ({
  id: title,
  title,
  titles: [],
  year: 2012,
  seasons: Object.entries(counts).map(([number, count]) => ({
    number: Number(number),
    title: null,
    episodes: Array.from({ length: count }, (_, at) => ({
      number: at + 1,
      title: titles[`${number}x${at + 1}`] ?? null,
      air_date: null,
      absolute: null,
    })),
  })),
});

const HARBOUR = show('Harbour Lights', { 0: 2, 1: 4, 2: 3 }, { '1x1': 'Pilot', '1x2': 'Low: Tide', '2x1': 'Why?' });

function plan(
  paths: readonly string[],
  by: Template,
  options: NamingOptions = {},
  known: Show | null = HARBOUR,
): NamePlan {
  const reading = readFolder(
    paths.map((path) => ({ path })),
    { show: known, folderName: 'Harbour Lights' },
  );
  return planEpisodeNames(reading, by, options);
}

const moves = ({ rows }: NamePlan): string[] => rows.map(({ from, to }) => `${from} -> ${to}`);

const MESS = [
  'harbour.lights.101-102.avi',
  'harbour.lights.101-102.en.forced.srt',
  'harbour.lights.103.avi',
  'harbour.lights.103-thumb.jpg',
  'harbour.lights.201.part1.avi',
  'harbour.lights.201.part2.avi',
  'Specials/Harbour Lights S00E02.mkv',
  'sample.avi',
  'poster.jpg',
];

describe('VIDEO-56 a folder by the presets', () => {
  test('Plex', () => {
    expect(moves(plan(MESS, template('', 'plex')))).toEqual([
      'harbour.lights.101-102.avi -> Season 01/Harbour Lights (2012) - s01e01-e02 - Pilot + Low - Tide.avi',
      'harbour.lights.101-102.en.forced.srt -> Season 01/Harbour Lights (2012) - s01e01-e02 - Pilot + Low - Tide.en.forced.srt',
      'harbour.lights.103.avi -> Season 01/Harbour Lights (2012) - s01e03.avi',
      'harbour.lights.103-thumb.jpg -> Season 01/Harbour Lights (2012) - s01e03-thumb.jpg',
      'harbour.lights.201.part1.avi -> Season 02/Harbour Lights (2012) - s02e01 - Why - pt1.avi',
      'harbour.lights.201.part2.avi -> Season 02/Harbour Lights (2012) - s02e01 - Why - pt2.avi',
      'Specials/Harbour Lights S00E02.mkv -> Specials/Harbour Lights (2012) - s00e02.mkv',
    ]);
  });

  test('Jellyfin and Kodi', () => {
    expect(moves(plan(MESS, template('', 'jellyfin')))).toEqual(
      expect.arrayContaining([
        'harbour.lights.101-102.avi -> Season 01/Harbour Lights S01E01-E02 - Pilot + Low - Tide.avi',
        'harbour.lights.201.part2.avi -> Season 02/Harbour Lights S02E01 - Why Part 2.avi',
        'Specials/Harbour Lights S00E02.mkv -> Season 00/Harbour Lights S00E02.mkv',
      ]),
    );
    expect(moves(plan(MESS, template('', 'kodi')))[0]).toBe(
      'harbour.lights.101-102.avi -> Season 01/Harbour Lights S01E01E02 - Pilot + Low - Tide.avi',
    );
  });

  test('a folder of many shows keeps the folder of the show', () => {
    const rows = moves(plan(['S01E01.mkv'], template('', 'plex'), { inShowFolder: false }));
    expect(rows).toEqual(['S01E01.mkv -> Harbour Lights (2012)/Season 01/Harbour Lights (2012) - s01e01 - Pilot.mkv']);
  });

  test('what already has its name is said to be unchanged', () => {
    const named = plan(
      ['Season 01/S01E03.mkv', 'Season 01/S01E03.srt', 'x S01E04.mkv'],
      template('Season {season:00}/S{season:00}E{episode:00}'),
    );
    expect(named.unchanged).toEqual(['Season 01/S01E03.mkv', 'Season 01/S01E03.srt']);
    expect(moves(named)).toEqual(['x S01E04.mkv -> Season 01/S01E04.mkv']);
  });

  test('absolute numbers and dates come from the catalog', () => {
    expect(moves(plan(['S02E01.mkv'], template('{absolute:000}'), { show: HARBOUR }))).toEqual([
      'S02E01.mkv -> 005.mkv',
    ]);
  });

  test('what is not known is a problem and no name', () => {
    const named = plan(['S01E03.mkv'], template('{episode} {title}'));
    expect(named).toMatchObject({ rows: [], problems: [{ path: 'S01E03.mkv', code: 'unknown' }] });
    expect(named.problems[0]?.sentence).toBe('Nothing is known for {title}.');
  });

  test('every row says why', () => {
    const [first] = plan(['harbour.lights.102.avi'], template('{episode} {title}')).rows;
    expect(first?.why).toEqual([
      '102 is season and episode in one: S01E02.',
      'A colon becomes " - ": Windows refuses it.',
    ]);
  });
});

describe('VIDEO-57 no two files get one name', () => {
  test('of one episode twice the later version is named, the other stays with all that follows it', () => {
    const named = plan(
      [
        'Harbour Lights - 03.mkv',
        'Harbour Lights - 03.srt',
        'Harbour Lights - 03v2.mkv',
        'Harbour Lights - 04.mkv',
        'Harbour Lights - 02.mkv',
      ],
      template('E{episode:00}'),
    );
    expect(moves(named)).toContain('Harbour Lights - 03v2.mkv -> E03.mkv');
    expect(named.problems.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'Harbour Lights - 03.mkv taken',
      'Harbour Lights - 03.srt taken',
    ]);
  });

  test('two qualities of one episode both fit where the template tells them apart', () => {
    const named = plan(
      ['Harbour Lights S01E01 720p.mkv', 'Harbour Lights S01E01 1080p.mkv'],
      template('E{episode:00}[ {quality}]'),
    );
    expect(moves(named)).toEqual([
      'Harbour Lights S01E01 720p.mkv -> E01 720p.mkv',
      'Harbour Lights S01E01 1080p.mkv -> E01 1080p.mkv',
    ]);
  });

  test('a file that stays keeps its name, in whatever case', () => {
    const named = plan(['S01E01.mkv', 'a/E01.MKV.txt', 'POSTER.jpg'], template('E{episode:00}'), {
      others: ['e01.MKV'],
    });
    expect(named.rows).toEqual([]);
    expect(named.problems[0]).toMatchObject({ code: 'taken', sentence: '"e01.MKV" has this name already.' });
  });

  test('a file that cannot move stands in the way of the next, too', () => {
    const named = plan(['E02.mkv', 'S01E01.mkv'], template('E{episode:00}'), { others: ['E01.mkv'] });
    expect(named.unchanged).toEqual(['E02.mkv']);
    expect(named.problems.map(({ path }) => path)).toEqual(['S01E01.mkv']);
  });

  test('companions of one name get numbers', () => {
    const named = plan(
      [
        'Show S01E01.mkv',
        'Subs/Show S01E01/2_English.srt',
        'Subs/Show S01E01/3_English.srt',
        'Subs/Show S01E01/4_German.srt',
      ],
      template('E{episode:00}'),
    );
    expect(moves(named).slice(1)).toEqual([
      'Subs/Show S01E01/2_English.srt -> E01.en.srt',
      'Subs/Show S01E01/3_English.srt -> E01.en.2.srt',
      'Subs/Show S01E01/4_German.srt -> E01.de.srt',
    ]);
  });
});

describe('VIDEO-55 what stays of a companion', () => {
  test.each([
    ['a S01E01.en.forced.srt', 'a S01E01.mkv', '.en.forced.srt'],
    ['a S01E01.nfo', 'a S01E01.mkv', '.nfo'],
    ['a S01E01-thumb.jpg', 'a S01E01.mkv', '-thumb.jpg'],
    ['A s01e01.PT-br.ass', 'a S01E01.mkv', '.PT-br.ass'],
    ['a S01E01 (Commentary).mka', 'a S01E01.mkv', ' (Commentary).mka'],
    ['第一集.cht.ass', '第01集.mp4', '.cht.ass'],
    ['Subs/2_English.srt', 'x.mkv', '.en.srt'],
    ['show 1x02.de.sdh.srt', 'Show.S01E02.mkv', '.de.sdh.srt'],
    ['Show - 02 [chs].ass', '[G] Show - 02.mkv', '.chs.ass'],
    ['show 1x02.srt', 'Show.S01E02.mkv', '.srt'],
    ['show the end.srt', 'Show.S01E02.mkv', '.srt'],
    ['show.zh-Hans.default.ass', 'other.mkv', '.zh-Hans.default.ass'],
  ])('%s beside %s', (companion, video, suffix) => {
    expect(companionSuffix(companion, video)).toBe(suffix);
  });
});
