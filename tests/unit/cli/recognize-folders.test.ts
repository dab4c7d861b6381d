import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderFigures } from '#lanes/video/cli/eval/video-folders.ts';
import { folderRow, answerFolder, recognizeFolders } from '#lanes/video/cli/recognize-folders.ts';

const FILES = [{ path: 'Tarn 2020-01-31.mkv' }, { path: 'Tarn - Winter Tale.mkv' }, { path: 'Tarn - Trailer 2.mkv' }];

const answer = (row: object) =>
  answerFolder(folderRow(JSON.stringify({ id: 'x', title: 'Tarn', files: FILES, ...row }), 1)).files.map(
    ({ season, episodes }) => `${season}x${episodes.join()}`,
  );

describe('VIDEO-44 what a line says of its show, in whatever form it says it', () => {
  test.each([
    ['keys', { '1x05': '2020-01-31' }],
    ['keys like S01E05', { S01E05: '2020-01-31' }],
    ['by season', { '1': { '5': '2020-01-31' } }],
    ['a list by season', { '1': ['2020-01-03', '2020-01-10', '2020-01-17', '2020-01-24', '2020-01-31'] }],
    ['by day', { '2020-01-31': '1x05' }],
    ['by day, listed', { '2020-01-31': ['1x05'] }],
    ['rows', [{ season: 1, episode: 5, date: '2020-01-31' }]],
    ['rows by season', { '1': [{ episode: 5, air_date: '2020-01-31' }] }],
    ['rows with a place', [{ episode: '1x05', aired: '2020-01-31T20:15:00Z' }]],
    ['records by key', { '1x05': { date: '2020-01-31' } }],
  ])('air dates as %s', (_, airdates) => {
    expect(answer({ catalogue: { '0': 2, '1': 8 }, airdates })).toEqual(['1x5']);
  });

  test.each([
    ['keys', { '0x2': 'Winter Tale' }],
    ['keys like S00E02', { S00E02: 'Winter Tale' }],
    ['bare numbers', { '2': 'Winter Tale' }],
    ['a list', ['Making Of', 'Winter Tale']],
    ['by season', { '0': { '2': 'Winter Tale' } }],
    ['rows', [{ episode: 2, title: 'Winter Tale' }]],
  ])('titles of specials as %s', (_, special_titles) => {
    expect(answer({ catalogue: { '0': 2, '1': 8 }, special_titles })).toEqual(['0x2']);
  });

  test.each([
    ['counts', { '1': 8 }],
    ['lists of numbers', { '1': [1, 2, 3] }],
    ['records', { '1': { episodes: 8 } }],
    ['titles', { '1': { '1': 'The Water', '2': 'The Stone' } }],
    ['names of seasons', { 'Season 1': 8, Specials: 2 }],
  ])('a catalogue as %s', (_, catalogue) => {
    const { show } = folderRow(JSON.stringify({ id: 'x', files: [], catalogue }), 1);
    expect(show?.seasons.find(({ number }) => number === 1)?.episodes.length).toBeGreaterThan(1);
  });

  test('without a catalog, and files as bare paths', () => {
    const row = folderRow(JSON.stringify({ id: 7, files: ['Tarn S01E02.mkv', 'b.txt'] }), 1);
    expect(row).toMatchObject({ id: '7', title: null, show: null });
    expect(answerFolder(row)).toEqual({ id: '7', files: [{ path: 'Tarn S01E02.mkv', season: 1, episodes: [2] }] });
  });

  test('a folder of films has no episodes', () => {
    expect(
      answer({ kind: 'movie', files: [{ path: 'Rocket 1.mkv' }, { path: 'Rocket 2.mkv' }, { path: 'Rocket 3.mkv' }] }),
    ).toEqual([]);
  });

  test.each(['{', '[]', '{"id":"x"}', '{"id":"x","files":[{}]}'])('%s is refused with its line', (line) => {
    expect(() => folderRow(line, 3)).toThrow('Line 3 is no folder');
  });
});

test('VIDEO-44 recognize --folders answers each line, without extras', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'folders-'));
  try {
    const [folders, out] = [join(directory, 'in.jsonl'), join(directory, 'out.jsonl')];
    const row = { id: 'a', title: 'Tarn', catalogue: { '1': 3 }, files: [{ path: 'Tarn 1x02.mkv' }, ...FILES] };
    await writeFile(folders, `${JSON.stringify(row)}\n\n${JSON.stringify({ ...row, id: 'b', files: [] })}\n`);
    expect(await recognizeFolders({ folders, out })).toEqual({ folders: 2, episodes: 1 });
    const lines = (await readFile(out, 'utf8')).trim().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      { id: 'a', files: [{ path: 'Tarn 1x02.mkv', season: 1, episodes: [2] }] },
      { id: 'b', files: [] },
    ]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test('VIDEO-44, VIDEO-105 figures count what is exact, what is wrong, and what is no episode', () => {
  const file = (path: string, cls: string, season: number | null, episodes: number[]) => ({
    path,
    cls,
    season,
    episodes,
  });
  const files = [
    file('Tarn 1x01.mkv', 'episode', 1, [1]),
    file('Tarn 1x02.mkv', 'episode', 1, [3]),
    file('Tarn 1x04.mkv', 'extra', null, []),
    file('Tarn - Trailer.mkv', 'extra', null, []),
    file('unknown.mkv', 'episode', 2, [1]),
  ];
  expect(folderFigures([{ id: 'a', catalogue: { '1': 4 }, files }])).toEqual({
    'folders.exact': 1 / 3,
    'folders.wrong': 2 / 3,
    'folders.episodes': 3,
    'folders.no_episode': 1,
  });
  expect(folderFigures([])).toMatchObject({ 'folders.exact': 0, 'folders.wrong': 0 });
});
