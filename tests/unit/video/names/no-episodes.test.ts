/** Names that carry numbers and days and are no episodes: what devices and programs record, and bonus material. */
import { describe, expect, test } from 'vitest';
import { readName } from '#lanes/video/core/names/read-name.ts';

const place = (path: string): unknown => {
  const { type, season, episodes, date } = readName(path);
  return { type, season, episodes, date };
};
const none = { season: null, episodes: [], date: null };

describe('VIDEO-150 what devices and programs record says nothing', () => {
  test.each([
    'WIN_20210714_183022.mp4',
    '20210714_183022_NF.mp4',
    'A001C012_210714_R2VK.mov',
    'Screencast from 2021-07-14 18-30-22.webm',
    'Harbour Racer 2021.07.14 - 18.30.22.03.mp4',
    'Weekly Sync-20210714_183022-Meeting Recording.mp4',
    'Clip #12.mov',
  ])('%s', (name) => expect(place(name)).toEqual({ type: 'unknown', ...none }));

  test.each([
    ['Harbour_KABC_2013_02_11_20_00_00.wtv', '2013-02-11'],
    ['Harbour News 2021-07-14.mp4', '2021-07-14'],
    ['Harbour News 2021.07.14 720p.mkv', '2021-07-14'],
  ])('but a recorder of television names its show: %s', (name, date) => expect(readName(name).date).toBe(date));
});

describe('VIDEO-151, VIDEO-152 bonus material is no episode', () => {
  test.each([
    'Harbour/Season 1 Extras/03 - Costumes.mkv',
    'Harbour/Трейлеры/03.mp4',
    'Harbour/Season 2/Extras/2x03 Deleted Scene.mkv',
    'Harbour - Making of Episode 5.mkv',
    'Harbour.S01.Extras.Deleted.Scenes.Episode.3.mkv',
    'Harbour Season 2 Official Trailer 3.mp4',
    'Harbour 12. Bölüm Fragmanı.mp4',
    'Harbour.S01E03-behindthescenes.mkv',
    '[Grp] Harbour - Ending (EP 05).mkv',
  ])('%s', (name) => expect(readName(name)).toMatchObject({ type: 'extra', episodes: [], absolute: [] }));

  test.each([
    ['Harbour/Extras/Harbour S01E02.mkv', 1, [2]],
    ['Harbour - S01E05 - The Interview.mkv', 1, [5]],
    ['Harbour S02E03 Preview.mkv', 2, [3]],
    ['Harbour - Episode 4 Recap.mkv', null, [4]],
  ])('but an episode whose title is such a word is one: %s', (name, season, episodes) =>
    expect(readName(name)).toMatchObject({ type: 'episode', season, episodes }),
  );
});
