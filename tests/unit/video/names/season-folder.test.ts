import { describe, expect, test } from 'vitest';
import { extraOfFolder, extraOfName } from '#lanes/video/core/names/extras.ts';
import { normalText, splitPath } from '#lanes/video/core/names/normal-text.ts';
import { isGenericFolder, readSeasonFolder } from '#lanes/video/core/names/season-folder.ts';

/** The extra that a path is, by its name or by the folders around it; null for none. */
function readExtra(path: string): string | null {
  const { folders, name } = splitPath(path);
  return extraOfName(normalText(name).text.trim())?.kind ?? extraOfFolder(folders.at(-1) ?? '');
}

describe('VIDEO-19 folders of one season, in many languages', () => {
  const SEASONS: Record<string, number | null> = {
    'Season 1': 1,
    'SEASON 02': 2,
    season1: 1,
    S1: 1,
    S02: 2,
    'Season 2009': 2009,
    'Season 100': 100,
    'Season 7 (2016)': 7,
    'Staffel 3': 3,
    '3.Staffel': 3,
    'Saison 2': 2,
    'Saison deux': 2,
    'Temporada 4': 4,
    '4ª Temporada': 4,
    'Stagione 1': 1,
    'Seizoen 1': 1,
    'Sezon 1': 1,
    'Sezonul 1': 1,
    'sezóna 1': 1,
    'Säsong 1': 1,
    'sæson 1': 1,
    'Sesong 2': 2,
    'Kausi 3': 3,
    'Évad 2': 2,
    '2. évad': 2,
    'Сезон 5': 5,
    '5 сезон': 5,
    '시즌 1': 1,
    'シーズン 1': 1,
    第2季: 2,
    第二期: 2,
    'الموسم 3': 3,
    'Series 2': 2,
    '2nd Season': 2,
    'Second Season': 2,
    'Season III': 3,
    Specials: 0,
    'Season 0': 0,
    extras: 0,
    OVA: 0,
    'Season (8)': null,
    s06e05: null,
    'Episode 1 Season 2': null,
    'Harbour Season 2': null,
    Harbour: null,
    '202401244070': null,
    '': null,
    Seasons: null,
    '300 (2006)': null,
  };
  test.each(Object.entries(SEASONS))('%s', (folder, season) => expect(readSeasonFolder(folder)).toBe(season));

  test('VIDEO-99 a bare number, or the show with a season, counts within the folder of the show', () => {
    expect(readSeasonFolder('2', { parent: '/TV/Harbour' })).toBe(2);
    expect(readSeasonFolder('2', { parent: '/Films', mixed: true })).toBeNull();
    expect(readSeasonFolder('Harbour Season 2', { parent: '/TV/Harbour' })).toBe(2);
    expect(readSeasonFolder('Harbour.S01.2160p.WEB-DL', { parent: 'Harbour' })).toBe(1);
    expect(readSeasonFolder('Harbour Season 2', { parent: '/TV/Lantern' })).toBeNull();
  });
});

describe('VIDEO-10 extras by name and by folder', () => {
  test.each([
    ['Harbour-behindthescenes.mkv', 'behind-the-scenes'],
    ['Harbour-deleted.mkv', 'deleted-scene'],
    ['Harbour-interview2.mkv', 'interview'],
    ['Harbour/Deleted Scenes/x.mkv', 'deleted-scene'],
    ['Harbour/trailers/x.mkv', 'trailer'],
    ['backdrops/x.mp4', 'theme'],
    ['映像特典/x.mkv', 'extra'],
    ['Harbour/The Big Short/x.mkv', null],
    ['Harbour/not a scene/x.mkv', null],
    ['Harbour S01E02.mkv', null],
  ])('%s', (path, kind) => expect(readExtra(path)).toBe(kind));
});

test('VIDEO-11 folders that sort or store name no show', () => {
  for (const folder of ['TV Shows', 'Movies', 'mnt', 'Downloads', 'data-1', ''])
    expect(isGenericFolder(folder)).toBe(true);
  for (const folder of ['Harbour', 'Anime Harbour', '24']) expect(isGenericFolder(folder)).toBe(false);
});
