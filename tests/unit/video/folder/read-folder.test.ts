import { describe, expect, test } from 'vitest';
import { PLAN_CONFIDENCE, readFolder, type FolderOptions } from '#lanes/video/core/folder/read-folder.ts';
import type { FolderReading } from '#lanes/video/core/folder-reading.ts';
import { plainShow } from '../../../fixtures/plain-show.ts';

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at).padStart(2, '0'));

const read = (paths: readonly string[], options: FolderOptions = {}): FolderReading =>
  readFolder(
    paths.map((path) => ({ path })),
    options,
  );

const places = ({ files }: FolderReading): string[] =>
  files.map(({ season, episodes }) => `${season}x${episodes.join()}`);

describe('VIDEO-41 one question where numbers can be read in two ways', () => {
  const show = plainShow('Tarn', { 1: 13, 2: 26 });
  const paths = ['Season 2/Tarn - 20.mkv', 'Season 2/Tarn - 21.mkv'];

  test('both outcomes are said', () => {
    const reading = read(paths, { show });
    expect(reading.questions).toEqual([
      {
        kind: 'which-numbering',
        sentence: 'How do the numbers of 2 files count?',
        options: [
          { id: 'season', label: 'Within the season: "Tarn - 20.mkv" is S02E20' },
          { id: 'absolute', label: 'Through all seasons: "Tarn - 20.mkv" is S02E07' },
        ],
      },
    ]);
    expect(reading.files.every(({ confidence }) => confidence < 0.6)).toBe(true);
  });

  test.each([
    ['season', ['2x20', '2x21']],
    ['absolute', ['2x7', '2x8']],
    ['nonsense', ['2x20', '2x21']],
  ])('answered with %s', (numbering, expected) => {
    const reading = read(paths, { show, answers: { numbering } });
    expect(places(reading)).toEqual(expected);
    expect(reading.questions.length).toBe(numbering === 'nonsense' ? 1 : 0);
  });

  test('no question where the folder itself answers', () => {
    expect(
      read(
        range(14, 39).map((n) => `Season 2/Tarn - ${n}.mkv`),
        { show },
      ).questions,
    ).toEqual([]);
  });
});

describe('VIDEO-39 the show is chosen by what most names say', () => {
  const shows = [plainShow('Tarn', { 1: 3 }), plainShow('Quiet Orbit', { 1: 3 })];

  test('by the names, by the folder where they say nothing, by none', () => {
    expect(read(['Quiet.Orbit.S01E01.mkv'], { shows }).show.id).toBe('Quiet Orbit');
    expect(read(['S01E01.mkv'], { shows, folderName: 'Quiet Orbit (2019)' }).show.id).toBe('Quiet Orbit');
    expect(read(['Other Thing S01E01.mkv'], { shows }).show).toMatchObject({ id: null, title: 'Other Thing' });
  });

  test('two that are as near are a question, and the answer stands', () => {
    const twins = [
      { ...plainShow('Tarn', { 1: 3 }), id: 'old', year: 1999 },
      { ...plainShow('Tarn', { 1: 3 }), id: 'new', year: 2019 },
    ];
    const reading = read(['Tarn S01E01.mkv'], { shows: twins });
    expect(reading.questions).toMatchObject([
      {
        kind: 'which-show',
        options: [{ label: 'Tarn (2019)' }, { label: 'Tarn (1999)' }, { id: '', label: 'None of these' }],
      },
    ]);
    expect(read(['Tarn S01E01.mkv'], { shows: twins, answers: { show: 'old' } })).toMatchObject({
      show: { id: 'old' },
      questions: [],
    });
    expect(read(['Tarn S01E01.mkv'], { shows: twins, answers: { show: '' } }).show).toMatchObject({
      id: null,
      title: 'Tarn',
    });
    // The year in the names decides.
    expect(read(['Tarn (1999) S01E01.mkv'], { shows: twins })).toMatchObject({ show: { id: 'old' }, questions: [] });
  });
});

describe('VIDEO-42 gaps and duplicates', () => {
  test('between the first and the last that are there', () => {
    const show = plainShow('Tarn', { 0: 5, 1: 8, 2: 4 });
    const reading = read(
      ['Tarn S01E02.mkv', 'Tarn S01E05-E06.mkv', 'Tarn S02E04.mkv', 'Tarn S00E01.mkv', 'Tarn S00E05.mkv'],
      { show },
    );
    expect(reading.gaps).toEqual([
      { season: 1, episode: 3 },
      { season: 1, episode: 4 },
    ]);
  });

  test('VIDEO-34 the better one first; parts are none', () => {
    const show = plainShow('Tarn', { 1: 8 });
    const reading = read(
      [
        'Tarn S01E01 720p.mkv',
        'Tarn S01E01 1080p.mkv',
        'Tarn - 02.mkv',
        'Tarn - 02v2.mkv',
        'Tarn S01E03a.mkv',
        'Tarn S01E03b.mkv',
      ],
      { show },
    );
    expect(reading.duplicates).toEqual([
      { season: 1, episode: 1, paths: ['Tarn S01E01 1080p.mkv', 'Tarn S01E01 720p.mkv'] },
      { season: 1, episode: 2, paths: ['Tarn - 02v2.mkv', 'Tarn - 02.mkv'] },
    ]);
    expect(reading.files.map(({ part }) => part)).toEqual([null, null, null, null, 1, 2]);
  });

  test('VIDEO-31 a small file beside a large one of the same episode is a sample', () => {
    const files = [
      { path: 'Tarn S01E01.mkv', size: 900_000_000 },
      { path: 'a/tarn.101.mkv', size: 20_000_000 },
      { path: 'Tarn S01E02.mkv', size: 20_000_000 },
    ];
    const reading = readFolder(files, { show: plainShow('Tarn', { 1: 8 }) });
    expect(reading.files.map((file) => file.class)).toEqual(['episode', 'extra', 'episode']);
  });
});

describe('VIDEO-43 confidence and reasons', () => {
  const show = plainShow('Tarn', { 0: 1, 1: 3 }, { '1x1': 'The Water', '1x2': 'The Stone' });

  test.each([
    ['Tarn S01E01 - The Water.mkv', 0.99, ['The name says S01E01.', "The title in the name is the catalog's."]],
    [
      'Tarn S01E02 - The Water.mkv',
      0.6,
      ['The name says S01E02.', 'The title in the name is that of another episode.'],
    ],
    ['Tarn S01E09.mkv', 0.3, ['The name says S01E09.', 'The catalog has no such episode.']],
    ['Tarn - The Stone.mkv', 0.9, ['The name has the title of S01E02.']],
    ['Season 1/03.mkv', 0.93, ['The folder says season 1, the name episode 3: S01E03.']],
    ['Tarn - Trailer.mkv', 0.95, ['Its name says "trailer", which is an extra.']],
    ['Extras/Tarn S01E02.mkv', 0.95, ['It lies in a folder of extras.']],
  ])('VIDEO-38 %s', (path, confidence, reasons) => {
    const [file] = read([path], { show }).files;
    expect(file?.confidence).toBeCloseTo(confidence, 2);
    expect(file?.reasons).toEqual(reasons);
  });

  test('what the catalog does not have is not offered, and without a catalog nothing is certain', () => {
    expect(read(['Tarn S01E09.mkv'], { show }).files[0]?.confidence).toBeLessThan(PLAN_CONFIDENCE);
    const [file] = read(['Tarn S01E09.mkv']).files;
    expect(file).toMatchObject({ class: 'episode', season: 1, episodes: [9] });
    expect(file?.confidence).toBeLessThan(0.9);
    expect(file?.reasons.at(-1)).toBe('No catalog was there to check it.');
  });

  test('an empty folder, and files that are no videos', () => {
    expect(read([])).toMatchObject({ files: [], questions: [], gaps: [], duplicates: [] });
    expect(read(['a.txt', 'b/c', '.hidden', 'x.srt']).files.map((file) => file.class)).toEqual([
      'other',
      'other',
      'other',
      'other',
    ]);
  });
});

describe('VIDEO-33, VIDEO-37 single cases', () => {
  test.each<[string, Record<number, number>, string[], string[]]>([
    [
      'parts of one season',
      { 1: 24 },
      [...range(1, 12).map((n) => `[G] Tarn - ${n}.mkv`), ...range(1, 12).map((n) => `[G] Tarn Part 2 - ${n}.mkv`)],
      range(1, 24).map((n) => `1x${Number(n)}`),
    ],
    [
      'folders of parts',
      { 1: 24 },
      [
        ...range(1, 12).map((n) => `Tarn Part 1/Tarn - ${n}.mkv`),
        ...range(1, 12).map((n) => `Tarn Part 2/Tarn - ${n}.mkv`),
      ],
      range(1, 24).map((n) => `1x${Number(n)}`),
    ],
    [
      'a final season that begins again',
      { 1: 25, 2: 10 },
      range(1, 10).map((n) => `[G] Tarn Final Season - ${n}.mkv`),
      range(1, 10).map((n) => `2x${Number(n)}`),
    ],
    [
      'ranges that look like season and episode',
      { 1: 12, 2: 12 },
      ['Tarn 01-03.mkv', 'Tarn 04-12.mkv', 'Tarn 13-14.mkv', 'Tarn 24.mkv'],
      ['1x1,2,3', '1x4,5,6,7,8,9,10,11,12', '2x1,2', '2x12'],
    ],
    [
      'a range over the end of a season keeps to it',
      { 1: 12, 2: 12 },
      ['Tarn 11.mkv', 'Tarn 12-13.mkv'],
      ['1x11', '1x12'],
    ],
    ['an episode 0 is a special', { 0: 1, 1: 3 }, ['Tarn S01E00.mkv', 'Tarn S01E01.mkv'], ['0x1', '1x1']],
    [
      'no special is invented',
      { 1: 3 },
      ['Tarn OVA.mkv', 'Tarn - 02.5.mkv', 'Tarn - 02.mkv'],
      ['nullx', 'nullx', '1x2'],
    ],
    ['copies', { 1: 3 }, ['Tarn S01E01.mkv', 'Tarn S01E01 (1).mkv', 'Tarn S01E02 - Copy.mkv'], ['1x1', '1x1', '1x2']],
    ['numbers in brackets alone', { 1: 3 }, ['Tarn (1).mkv', 'Tarn (2).mkv', 'Tarn (3).mkv'], ['1x1', '1x2', '1x3']],
    ['four digits', { 1: 9, 11: 20 }, ['Tarn.1101.mkv', 'Tarn.1102.mkv', 'Tarn.101.mkv'], ['11x1', '11x2', '1x1']],
  ])('VIDEO-102, VIDEO-103 %s', (_, counts, paths, expected) => {
    expect(places(read(paths, { show: plainShow('Tarn', counts) }))).toEqual(expected);
  });
});
