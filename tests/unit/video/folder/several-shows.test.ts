import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFolder, PLAN_CONFIDENCE, type FolderOptions } from '#lanes/video/core/folder/read-folder.ts';
import { titlesSaid } from '#lanes/video/core/folder/several-shows.ts';
import { countFolder, ownFolderFigures, readOwnFolders } from '#lanes/video/cli/eval/own-folders.ts';
import { parseTemplate, planEpisodeNames } from '#lanes/video/core/naming/episode-names.ts';
import { leftOut, offerOf, recognizeMediaFile } from '#lanes/video/core/plan-kinds.ts';
import type { Show } from '#lanes/video/core/show-catalog.ts';
import { correctedRows } from '#lanes/video/ui/page/corrections.ts';
import { grouped } from '#lanes/video/ui/page/season-groups.ts';

/** A show whose season 1 has these titles. */
function show(title: string, titles: readonly string[], specials: Record<string, string> = {}): Show {
  const episode = (number: number, name: string, day: string | null = null) =>
    ({ number, title: name, air_date: day, absolute: null }) as const;
  return {
    id: title.toLowerCase(),
    title,
    titles: [],
    year: null,
    seasons: [
      {
        number: 0,
        title: null,
        episodes: Object.entries(specials).map(([day, name], at) => episode(at + 1, name, day)),
      },
      { number: 1, title: null, episodes: titles.map((name, at) => episode(at + 1, name)) },
    ],
  };
}

const read = (paths: readonly string[], options: FolderOptions) =>
  readFolder(
    paths.map((path) => ({ path })),
    options,
  );
/** `S01E02` of a file with its own show, or its class. */
const lines = (reading: ReturnType<typeof readFolder>): string[] =>
  reading.files.map(({ class: kind, season, episodes, show: own }) =>
    kind === 'episode' ? `${(own ?? reading.show).title} ${season}x${episodes.join()}` : kind,
  );

const GULL = show('Gull Point', ['Tide', 'Low Water', 'Salvage']);
const WICK = show('The Wick', ['Wax', 'Flame', 'Ash']);
const DUMP = [
  'Gull.Point.S01E01.720p.mkv',
  'Gull.Point.S01E02.720p.mkv',
  'Gull.Point.S01E02.720p.srt',
  'The Wick - 1x01 - Wax.avi',
  'The Wick - 1x02.avi',
  '[Grp] Hoshi Ekiben - 01 [1080p].mkv',
  'holiday.mkv',
  '03.mkv',
];

describe('VIDEO-141, VIDEO-142 a folder of several shows', () => {
  const reading = read(DUMP, { folderName: 'Downloads', shows: [GULL, WICK] });

  test('each clear name is read with its own show, what follows it too, and the others are no episodes', () => {
    expect(lines(reading)).toEqual([
      'Gull Point 1x1',
      'Gull Point 1x2',
      'companion',
      'The Wick 1x1',
      'The Wick 1x2',
      'Hoshi Ekiben 1x1',
      'movie',
      'other',
    ]);
    expect(
      reading.files.every(({ class: kind, confidence }) => kind !== 'episode' || confidence >= PLAN_CONFIDENCE),
    ).toBe(true);
    expect(reading.files[3]?.reasons.at(-1)).toContain('"The Wick"');
    expect(reading.questions).toEqual([]);
  });

  test('without a catalog it takes a folder that only stores, or the same episodes', () => {
    const two = ['Gull.Point.S01E01.mkv', 'The Wick - 1x01.avi'];
    const apart = ['Gull.Point.S01E01.mkv', 'The Wick - 1x02.avi'];
    expect(lines(read(two, { folderName: 'Stuff of mine' }))).toEqual(['Gull Point 1x1', 'The Wick 1x1']);
    expect(lines(read(apart, { folderName: 'Downloads' }))).toEqual(['Gull Point 1x1', 'The Wick 1x2']);
    expect(read(apart, { folderName: 'Gull Point' }).files.some((file) => file.show !== undefined)).toBe(false);
  });

  test('VIDEO-161 without a catalog two titles of several files each are two shows, unless the folder is named as one', () => {
    const names = ['Lantern.Street.S01E01.mkv', 'Lantern.Street.S01E02.mkv', 'Lantern.Street.S01E03.mkv'];
    const other = ['Slack Tide - 2x01.mkv', 'Slack Tide - 2x02.mkv'];
    for (const folderName of ['Summer 2024', 'for Anna', '', 'Lanterns'])
      expect(lines(read([...names, ...other], { folderName })), folderName).toEqual([
        ...['Lantern Street 1x1', 'Lantern Street 1x2', 'Lantern Street 1x3'],
        ...['Slack Tide 2x1', 'Slack Tide 2x2'],
      ]);
    // One show whose second season has another name, in a folder of its own.
    const isApart = (paths: readonly string[], folderName: string): boolean =>
      read(paths, { folderName }).files.some((file) => file.show !== undefined);
    expect(isApart([...names, ...other], 'Lantern Street (2011) 720p')).toBe(false);
    expect(isApart([...names, ...other], 'slack_tide')).toBe(false);
    // A title that one file alone has, or that is written in another way.
    expect(isApart([...names, 'Lamplight 2x01.mkv'], 'Summer 2024')).toBe(false);
    expect(isApart([...names, 'lantern-street 2x01.mkv', 'LANTERN STREET 2x02.mkv'], 'Summer 2024')).toBe(false);
  });

  test('a show that the person chose is the show of all', () => {
    const chosen = read(DUMP, { folderName: 'Downloads', shows: [GULL, WICK], answers: { show: WICK.id } });
    expect(chosen.files.every((file) => file.show === undefined)).toBe(true);
  });

  test('a subtitle without its video follows no video of another show, a part counts where the catalog has the show', () => {
    const paths = ['Gull.Point.S01E01.mkv', 'the.wick.s01e01.en.srt', 'The Wick - Part 2.mkv', 'The Wick - Part 3.mkv'];
    const mixed = read(paths, { folderName: 'Mixed', shows: [GULL, WICK] });
    expect(lines(mixed)).toEqual(['Gull Point 1x1', 'other', 'The Wick 1x2', 'The Wick 1x3']);
  });

  test('a catalog is asked for every title', () => {
    expect(titlesSaid(DUMP.map((path) => ({ path })))).toEqual(['Gull Point', 'The Wick', 'Hoshi Ekiben']);
  });

  test('the plan takes the same episode of two shows, and still refuses one of the same show twice', () => {
    const offer = offerOf(reading.files, '/Downloads', leftOut(reading, new Map()));
    expect(offer.files).toHaveLength(5);
    for (const [at, file] of offer.files.entries())
      expect(() => recognizeMediaFile.check(offer.files.slice(0, at), file, offer.hintOf)).not.toThrow();
    const [first, second] = offer.files;
    if (first === undefined || second === undefined) throw new Error('no files');
    expect(() => recognizeMediaFile.check([first], { ...second, episode: first.episode }, offer.hintOf)).toThrow();
  });

  test("new names lie in each show's own folder", () => {
    const parsed = parseTemplate('{show}/Season {season:00}/{show} - S{season:00}E{episode:00}');
    if (!parsed.ok) throw new Error('bad template');
    const { rows } = planEpisodeNames(reading, parsed.template, { inShowFolder: true });
    expect(rows.map(({ to }) => to)).toContain('The Wick/Season 01/The Wick - S01E02.avi');
    expect(rows.map(({ to }) => to)).toContain('Gull Point/Season 01/Gull Point - S01E02.srt');
  });

  test("the page lists each show's seasons apart, and none of them is there twice", () => {
    const { seasons } = grouped(correctedRows(reading.files, new Map(), {}), reading);
    expect(seasons.map((group) => [group.show, group.season, group.rows.length, group.twice.size])).toEqual([
      [null, 1, 2, 0],
      ['Hoshi Ekiben', 1, 1, 0],
      ['The Wick', 1, 2, 0],
    ]);
  });
});

describe('what titles and parts say of a folder', () => {
  test('VIDEO-140 parts are episodes where the catalog has them, or three are there', () => {
    const two = ['Gull Point - Part One.mkv', 'Gull Point - Part Two.mkv'];
    expect(lines(read(two, { folderName: 'Gull Point', show: GULL }))).toEqual(['Gull Point 1x1', 'Gull Point 1x2']);
    expect(lines(read(two, { folderName: 'Films' }))).toEqual(['movie', 'movie']);
    const three = [...two, 'Gull Point - Part Three.mkv'];
    expect(lines(read(three, { folderName: 'Gull Point' }))).toEqual([
      'Gull Point 1x1',
      'Gull Point 1x2',
      'Gull Point 1x3',
    ]);
  });

  test('VIDEO-143 two titles in a name are two episodes, and so is a name without by the same count', () => {
    const pogo = show('Pogo', ['Kite', 'Wet Paint', 'Lost Sock', 'Sneeze', 'Snail', 'Borrowed Hat']);
    const names = ['Pogo - 01 - Kite & Wet Paint.mkv', 'Pogo - 02 - Lost Sock & Sneeze.mkv', 'Pogo - 03.mkv'];
    expect(lines(read(names, { folderName: 'Pogo', show: pogo }))).toEqual(['Pogo 1x1,2', 'Pogo 1x3,4', 'Pogo 1x5,6']);
  });

  test('VIDEO-144 titles in another order are one question with both orders, and its answer counts', () => {
    const orbit = show('Orbit', ['Moving In', 'Corner Shop', 'Gravity Tax', 'Neighbours']);
    const names = ['Gravity Tax', 'Moving In', 'Corner Shop', 'Neighbours'].map(
      (title, at) => `Orbit - S01E0${at + 1} - ${title}.mkv`,
    );
    const open = read(names, { folderName: 'Orbit', show: orbit });
    expect(lines(open)).toEqual(['Orbit 1x3', 'Orbit 1x1', 'Orbit 1x2', 'Orbit 1x4']);
    expect(open.questions).toHaveLength(1);
    const [question] = open.questions;
    expect(question?.kind).toBe('which-numbering');
    expect(question?.options.map(({ id, label }) => [id, /S01E0\d$/.exec(label)?.[0]])).toEqual([
      ['titles', 'S01E03'],
      ['season', 'S01E01'],
    ]);
    expect(open.files[0]?.confidence).toBeLessThan(0.65);
    const answered = (numbering: string) => read(names, { folderName: 'Orbit', show: orbit, answers: { numbering } });
    expect(lines(answered('season'))).toEqual(['Orbit 1x1', 'Orbit 1x2', 'Orbit 1x3', 'Orbit 1x4']);
    expect(answered('titles').files[0]?.confidence).toBeGreaterThan(0.8);
    expect(answered('titles').questions).toEqual([]);
  });

  test('VIDEO-145 a feast and a year are the special of that year', () => {
    const green = show('Bell Green', ['Vicar', 'Fete'], { '2013-12-25': 'The Goose', '2014-12-25': 'Snowed Under' });
    const names = ['Bell Green - S01E01.mkv', 'Bell Green - Christmas Special 2014.mkv', 'Bell Green (2011).mkv'];
    expect(lines(read(names, { folderName: 'Bell Green', show: green }))).toEqual([
      'Bell Green 1x1',
      'Bell Green 0x2',
      'movie',
    ]);
  });
});

describe('VIDEO-137 the own folders are read as they say', async () => {
  const rows = await readOwnFolders(join(import.meta.dirname, '../../../fixtures/video/folders-seen.jsonl'));
  test.each(rows.map((row) => [`${row.class}: ${row.name}`, row] as const))('%s', (_name, row) => {
    const { episodes, exact, wrong } = countFolder(row);
    expect({ exact, wrong }).toEqual({ exact: episodes, wrong: 0 });
  });

  test('the figures are shares of the files', () => {
    const [row] = rows;
    if (row === undefined) throw new Error('no rows');
    const files = row.files.map((file, at) => (at === 0 ? { ...file, season: 9 } : file));
    const figures = ownFolderFigures([{ ...row, files }], 'own.folders');
    expect(figures['own.folders.exact']).toBeCloseTo(1 - 1 / files.length);
    expect(figures[`own.folders.class.${row.class}.wrong`]).toBeCloseTo(1 / files.length);
  });
});
