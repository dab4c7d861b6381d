import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mulberry32 } from '#core/mulberry32.ts';
import { changeAtRandom, NOISES, noiseFigures } from '#lanes/video/cli/eval/name-noise.ts';
import { isRightOwnTitle, isRightPlace, ownNameFigures, readOwnNames } from '#lanes/video/cli/eval/own-names.ts';
import { readName } from '#lanes/video/core/names/read-name.ts';
import { runs } from '../../../fixtures/runs.ts';
import { said } from './said.ts';

const rows = await readOwnNames(join(import.meta.dirname, '../../../fixtures/video/names-seen.jsonl'));

describe('VIDEO-137 the own names are read as they say', () => {
  test.each(Object.entries(Object.groupBy(rows, (row) => row.class)))('%s', (_kind, of = []) => {
    const wrong = of.filter((row) => {
      const reading = readName(row.path);
      const isNamed = row.kind === 'none' || row.title === '' || isRightOwnTitle(row, reading);
      return !isRightPlace(row, reading) || !isNamed;
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test('the figures are shares, and a class that is not whole is named', () => {
    const row = { path: 'Harbour S01E02.mkv', kind: 'episode' as const, title: 'Harbour', year: null, date: null };
    const right = { ...row, season: 1, episodes: [2], class: 'a' };
    const figures = ownNameFigures([right, { ...right, season: 2, class: 'b' }], 'own');
    expect(figures).toEqual({ 'own.se': 0.5, 'own.title': 1, 'own.class.b.se': 0 });
  });
});

describe('VIDEO-130 what carries no information changes nothing', () => {
  const paths = rows.filter(({ kind }) => kind === 'episode').map(({ path }) => path);

  test('season, episode, day and title of the own names stay', () => {
    const random = mulberry32(11);
    const rounds = runs(2, 40);
    const changed = paths.flatMap((path) => Array.from({ length: rounds }, () => changeAtRandom(path, random)));
    expect(changed.filter((one) => one !== null && (one.place || one.title))).toEqual([]);
    const kinds = new Set(changed.map((one) => one?.kind));
    expect(NOISES.filter(({ kind }) => !kinds.has(kind))).toEqual([]);
  });

  test('the figures count what became another', () => {
    const figures = noiseFigures(['Harbour Lights S01E02.mkv'], 5, mulberry32(1));
    expect(figures).toEqual({ 'noise.changed': 5, 'noise.place': 0, 'noise.title': 0 });
  });
});

describe('VIDEO-126, VIDEO-127, VIDEO-128, VIDEO-129, VIDEO-131, VIDEO-132 and VIDEO-136 say season and episode, VIDEO-133, VIDEO-134 and VIDEO-135 the title', () => {
  const PLACES: Record<string, Record<string, string>> = {
    'VIDEO-126': {
      'Der Turm - S2 F5.avi': 'S2 E5',
      'La Torre - Stag. 2 Ep. 5.avi': 'S2 E5',
      'Toren S02A05.mkv': 'S2 E5',
      'Gri.Kule.S02.B05.mkv': 'S2 E5',
      'A torony II. évad 5. rész.avi': 'S2 E5',
      'برج الموسم الثاني الحلقة 5.mp4': 'S2 E5',
      '탑 제5회.mp4': 'E5',
      'Dorrea 2. denboraldia 5. atala.avi': 'S2 E5',
    },
    'VIDEO-127': { 'Harbour.E05S02.mkv': 'S2 E5', 'Harbour Ep 6 Season 2.avi': 'S2 E6' },
    'VIDEO-128': {
      'Toren - Seizoen 1 Aflevering 5 en 6.mkv': 'S1 E5,6',
      'Harbour - Season 1 Episodes 2, 4 and 6.mp4': 'S1 E2,4,6',
      'Harbour 8x01_02.avi': 'S8 E1,2',
      'Harbour S01E05 through E07.mkv': 'S1 E5,6,7',
      'Harbour S01E05 and 10 Things.mkv': 'S1 E5',
    },
    'VIDEO-131': {
      'Harbour 2016x231.avi': 'S2016 E231',
      'Harbour - 05 1920x1080.mkv': 'E5',
      'Harbour S01E02 1280x544.mkv': 'S1 E2',
    },
    'VIDEO-132': { '24 Season 3 Complete': 'S3', '[Grp] 86 - 15 [1080p].mkv': 'E15' },
    'VIDEO-136': {
      '20190504_132211.mp4': 'unknown',
      'Screen Recording 2021-03-04 at 14.22.10.mov': 'unknown',
      'Harbour 2021.03.04 - 14.22.10.05.DVR.mp4': 'unknown',
      'Harbour_21.11.09_20-15_zdf_90.mpg.mp4': '2021-11-09',
    },
  };
  const cases = Object.entries(PLACES).flatMap(([rule, of]) =>
    Object.entries(of).map(([name, place]) => [rule, name, place] as const),
  );
  test.each(cases)('%s %s', (_rule, name, place) => expect(said(name)).toContain(place));

  const TITLES: Record<string, Record<string, string | null>> = {
    'VIDEO-133': {
      'Harbour (UK) - S01E02.mkv': 'Harbour (UK)',
      'Harbour The Complete Series S01E03.mkv': 'Harbour',
      'The.Collection.S01E04.mkv': 'The Collection',
      'Harbour - 015 - S02E03 - Tide.mkv': 'Harbour',
      'Harbour News vom 4. November 2019.mp4': 'Harbour News',
    },
    'VIDEO-134': {
      'Episode 6 - Harbour.mp4': 'Harbour',
      '20211130 - Harbour News.ts': 'Harbour News',
      '01 - Tide.mkv': null,
    },
    'VIDEO-135': {
      'Harbour.Town.S03E03.720p-X/x-ht.s03e03.avi': 'Harbour Town',
      'TV/S02 Harbour/E01-Tide.mkv': 'Harbour',
      'Harbour/S02E05/video.mkv': 'Harbour',
    },
    'VIDEO-153': { '[Grp] Harbour OVA - 02 [BD].mkv': 'Harbour', 'harbour oad 1.mkv': 'harbour' },
  };
  const titles = Object.entries(TITLES).flatMap(([rule, of]) =>
    Object.entries(of).map(([name, title]) => [rule, name, title] as const),
  );
  test.each(titles)('%s %s', (_rule, name, title) => expect(readName(name).title).toBe(title));

  test.each([
    ['VIDEO-129', 'Harbour - Part Four of Six.avi', [4]],
    ['VIDEO-129', 'Harbour.Part.2.HDTV.x264.mkv', [2]],
    ['VIDEO-153', '[Grp] harbour ova - 02 [bd].mkv', [2]],
    ['VIDEO-129', 'Harbour.Part.2.2010.HDTV.mkv', []],
  ])('%s %s', (_rule, name, episodes) => expect(readName(name).episodes).toEqual(episodes));
});
