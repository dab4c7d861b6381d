import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  nameFigures,
  readLabelledNames,
  isRightEpisode,
  isRightTitle,
  saysEpisode,
  saysNone,
} from '#lanes/video/cli/eval/video-names.ts';
import { answerName, recognizeNames } from '#lanes/video/cli/recognize-names.ts';

const ROWS = [
  {
    id: 'a',
    kind: 'name',
    input: 'Harbour.S01E02.720p.mkv',
    expected: { type: 'episode', title: 'Harbour', season: 1, episode: [2] },
  },
  {
    id: 'b',
    kind: 'path',
    input: 'Films/Lantern (2012)/Lantern.mkv',
    expected: { type: 'movie', title: 'Lantern', year: 2012, season: null, episode: [] },
  },
  {
    id: 'c',
    kind: 'folder',
    input: '/TV/Harbour/2',
    parent: '/TV/Harbour',
    mixed_library: false,
    expected: { season: 2 },
  },
  { id: 'd', kind: 'extra', input: 'Harbour/extras/05.mkv', expected: { extra: true } },
  {
    id: 'e',
    kind: 'name',
    input: 'no episode of S09E09',
    options: '--type movie',
    expected: { type: 'movie', episode: [] },
  },
  { id: 'f', kind: 'name', input: 'asdf', source: 'own', expected: { parses: false } },
];

async function fileOf(rows: readonly unknown[]): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'names-')), 'rows.jsonl');
  await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return file;
}

test('VIDEO-20 recognize --names answers one line a row, from the input, its kind and its parent alone', async () => {
  const names = await fileOf(ROWS);
  const out = `${names}.out`;
  expect(await recognizeNames({ names, out })).toEqual({ names: ROWS.length });
  const answers = (await readFile(out, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(answers[0]).toEqual({
    id: 'a',
    type: 'episode',
    title: 'Harbour',
    season: 1,
    episodes: [2],
    absolute: [],
    year: null,
    date: null,
    part: null,
  });
  expect(answers[2]).toMatchObject({ id: 'c', season: 2, episodes: [] });
  expect(answers[3]).toMatchObject({ id: 'd', type: 'extra', episodes: [] });
  const bare = { ...ROWS[0], expected: { season: 9 }, tags: ['extra'], source: 'x' };
  expect(answerName({ ...bare, id: 'a', input: 'Harbour.S01E02.720p.mkv' })).toEqual(answers[0]);
});

test('VIDEO-20 a line that is no row is named', async () => {
  await expect(recognizeNames({ names: await fileOf([ROWS[0], { id: 1 }]), out: '/dev/null' })).rejects.toThrow(
    /line 2/,
  );
});

test('VIDEO-21 figures are shares; rows that ran with settings are left out', async () => {
  const figures = nameFigures(await readLabelledNames(await fileOf(ROWS)));
  expect(figures).toMatchObject({
    'names.se': 1,
    'names.title': 1,
    'names.false_episode': 0,
    'names.junk': 0,
    'names.season_folder': 1,
    'names.extra': 1,
    'names.own.junk': 0,
  });
  const wrong = nameFigures(await readLabelledNames(await fileOf(ROWS)), ({ id }) => ({
    id,
    type: 'episode',
    title: 'x',
    season: 3,
    episodes: [7],
    absolute: [],
    year: null,
    date: null,
    part: null,
  }));
  expect(wrong).toMatchObject({ 'names.se': 0, 'names.title': 0, 'names.false_episode': 1, 'names.junk': 1 });
});

describe('VIDEO-21 what counts as right', () => {
  const said = (season: number | number[] | null, episodes: number[], absolute: number[] = []) => ({
    title: null,
    season,
    episodes,
    absolute,
    year: null,
    date: null,
  });
  test.each([
    [{ season: 1, episode: [2] }, said(1, [2]), true],
    [{ season: 1, episode: [2] }, said(2, [2]), false],
    [{ season: [1, 2], episode: [] }, said([2, 1], []), true],
    [{ absolute_episode: [5] }, said(null, [5]), true],
    [{ absolute_episode: [5] }, said(3, [5]), false],
    [{ absolute_episode: [5], season_any: true }, said(3, [], [5]), true],
    [{ season: null, episode: [5] }, said(1, [5]), true],
    [{ season: null, episode: [] }, said(1, []), false],
    [{ episode_first: 3, episode_last: 5 }, said(2, [3, 4, 5]), true],
    [{ episode_first: 3, episode_last: 5 }, said(2, [3, 4]), false],
    [{ single_episode: true }, said(2, [3, 4]), false],
  ])('%j', (expected, answer, right) => expect(isRightEpisode(expected, answer)).toBe(right));

  test('rows that say nothing of an episode, or that there is none', () => {
    expect(saysEpisode({ season: 1 })).toBe(false);
    expect(saysEpisode({ type: 'movie', episode: [] })).toBe(false);
    expect(saysEpisode({ episode: [], full_season: true, season: 1 })).toBe(true);
    expect(saysNone({ type: 'movie', episode: [] })).toBe(true);
    expect(saysNone({ episode: [1] })).toBe(false);
  });

  test('titles agree but for case, marks, a year or a season at the end', () => {
    expect(isRightTitle({ title: "Harbour's Lights" }, 'harbours lights (2012)')).toBe(true);
    expect(isRightTitle({ title: 'Harbour' }, 'Harbour S2')).toBe(true);
    expect(isRightTitle({ title_any: ['Port', 'Harbour'] }, 'Harbour')).toBe(true);
    expect(isRightTitle({ title: 'Harbour' }, null)).toBe(false);
  });
});
