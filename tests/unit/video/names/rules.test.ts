import { describe, expect, test } from 'vitest';
import { findNoise, maskOf } from '#lanes/video/core/names/noise.ts';
import { normalText } from '#lanes/video/core/names/normal-text.ts';
import { EPISODES } from '#lanes/video/core/names/rules/episodes.ts';
import { runRules } from '#lanes/video/core/names/rules/rule.types.ts';
import { SEASON_EPISODE } from '#lanes/video/core/names/rules/season-episode.ts';
import { SEASONS } from '#lanes/video/core/names/rules/seasons.ts';
import { said } from './said.ts';

/** For each rule: names that it claims, with their reading; and names that look alike, with theirs. */
const CASES: Record<string, { yes: Record<string, string>; no: Record<string, string> }> = {
  'season-e-episode': {
    yes: {
      'Harbour.Lights.S01E02.720p.mkv': 'S1 E2',
      'harbour lights s1e2': 'S1 E2',
      'Harbour Lights S01 - E02.mkv': 'S1 E2',
      'harbour_lights_s01.e02': 'S1 E2',
      'Harbour Lights S03xE01': 'S3 E1',
      'Harbour Lights SO2E04.avi': 'S2 E4',
      'Harbour Lights Sn4 Ep14': 'S4 E14',
      'Puerto T02E22.mp4': 'S2 E22',
      'Harbour Lights S2 (Ep 6).mp4': 'S2 E6',
      'Harbour.Lights.S2014E18.720p': 'S2014 E18',
      'Harbour Lights S01E00.mkv': 'S1 E0',
      'Harbour.Lights.S01E06v2.mkv': 'S1 E6',
      'Harbour Lights S23E1821.mkv': 'S23 E1821',
    },
    no: { 'Harbour Lights Sees Everything 2012.mkv': 'movie 2012', 'Harbour.S5000E01.mkv': 'movie' },
  },
  'episode-season': {
    yes: { 'Harbour Lights E05S02.mkv': 'S2 E5', 'Harbour.Lights.E05.S02.720p.mkv': 'S2 E5' },
    no: { 'Harbour Lights E05 Sands.mkv': 'E5' },
  },
  'season-of-episode-of': {
    yes: { 'Harbour.Lights.Season.2of5.3of9.Tide.mkv': 'S2 E3' },
    no: { 'Harbour Lights 3of9 Tide.mkv': 'E3' },
  },
  'part-of-number': {
    yes: { 'Harbour Lights - Teil 2 von 4.mp4': 'E2', 'Harbour Lights - Part Four of Six.avi': 'E4' },
    no: { 'Harbour Lights - Part 2.mkv': 'movie' },
  },
  'part-of-television': {
    yes: { 'Harbour.Lights.Part.2.HDTV.x264.mkv': 'E2', 'Harbour.Lights.Pt.II.PDTV.mkv': 'E2' },
    no: { 'Harbour.Lights.Part.2.2010.BluRay.mkv': 'movie 2010', 'Harbour.Lights.Part.2.BluRay.mkv': 'movie' },
  },
  'season-e-episode-glued': {
    yes: { 'Harbour.LightsS01E06.MULTi.720p.mkv': 'S1 E6' },
    no: { 'Harbours1e6x.mkv': 'movie' },
  },
  'code-confirmed': {
    yes: { 'Harbour Lights - 110 (10) - Low Tide.avi': 'S1 E10' },
    no: { 'Harbour Lights - 110 (07) - Low Tide.avi': 'E7 A110' },
  },
  's-four-digits': {
    yes: { 'Harbour.Lights.S0615.WEB-DL.avi': 'S6 E15' },
    no: { 'Harbour.Lights.S2015.WEB-DL.avi': 'S2015', 'Harbour.Lights.S0600.avi': 'movie' },
  },
  'season-x-episode-glued': {
    yes: { 'Harbour.Lights1x01.HDTV.avi': 'S1 E1' },
    no: { 'Harbour.Lightsx264.HDTV.avi': 'movie' },
  },
  'season-dot-episode-bracketed': {
    yes: { 'Harbour [5.134] Preliminary.mp4': 'S5 E134', '[5.01] Low Tide.avi': 'S5 E1' },
    no: { 'Harbour (0.12) Preliminary.mp4': 'movie' },
  },
  's-season-x-episode': {
    yes: { 'Harbour s01x02.avi': 'S1 E2', 'Harbour S2009x02.avi': 'S2009 E2' },
    no: { 'Harbour S01xyz.avi': 'movie' },
  },
  'season-x-episode': {
    yes: {
      'Harbour Lights - [05x07] - Low Tide.mp4': 'S5 E7',
      'Harbour_2008.5x02.low_tide': 'S5 E2',
      'Harbour 1940x01 Tide.mkv': 'S1940 E1',
      'Маяк [06х01-08] (2017)': 'S6 E1,2,3,4,5,6,7,8',
      'Harbour 5×09.mkv': 'S5 E9',
    },
    no: {
      'Harbour Lights 1280x720.mkv': 'movie',
      'Harbour Lights 1444x866.mkv': 'movie',
      'Harbour Lights 5.1x264.mkv': 'movie',
      'Harbour Lights (720x432).avi': 'movie',
    },
  },
  's-season-dash-episode': {
    yes: {
      'Harbour S2 - 09 (1080p).mkv': 'S2 E9',
      'Harbour S4 05.mkv': 'S4 E5',
      '[G] Harbour 87 (S4-24) [1080p]': 'S4 E24',
    },
    no: {
      'Harbour S01-07 WEB-DL': 'S[1,2,3,4,5,6,7]',
      'Harbour S01 02 03': 'S[1,2,3]',
      'Harbour S02 720p': 'S2',
    },
  },
  'episode-dotted': {
    yes: { 'Harbour - Episode 1.22 - Tide.avi': 'S1 E22', 'Harbour EP #1.2.mkv': 'S1 E2' },
    no: { 'Harbour Episode 12.avi': 'E12' },
  },
  'cap-three-digits': {
    yes: { 'Puerto [HDTV][Cap.304][AC3].avi': 'S3 E4', 'Puerto [Cap.204_206].avi': 'S2 E4,5,6' },
    no: { 'Puerto-Cap-52.avi': 'E52', 'Puerto Capitulo 304.avi': 'E304' },
  },
  's-season': {
    yes: {
      'Harbour.S02.720p.HDTV': 'S2',
      'Harbour.S01-S10.COMPLETE': 'S[1,2,3,4,5,6,7,8,9,10]',
      'Harbour S01S02S03': 'S[1,2,3]',
      'Harbour.Complete.Series.S01-S03.720p': 'S[1,2,3]',
      'Harbour S01 / S02 / S03': 'S[1,2,3]',
      'Harbour.S01.07.mp4': 'S1 E7',
      'Harbour.S01Extras.-.Tide.avi': 'S1',
    },
    no: { "Harbour's 1 Light.mkv": 'movie', 'Harbours2.mkv': 'movie' },
  },
  's-season-disc': { yes: { 'Harbour.S07D1.NTSC.DVDR': 'S7' }, no: { 'Harbour.S07Dance.DVDR': 'movie' } },
  'season-word-number': {
    yes: {
      'Harbour Saison VII FRENCH.BDRip': 'S7',
      'Harbour Saison sept': 'S7',
      'Hafen Staffel 3 Folge 7.mkv': 'S3 E7',
      'Harbour Season 1,2,3,4 406p': 'S[1,2,3,4]',
      'Harbour Season 1, 2, 3 & 4 + Extras': 'S[1,2,3,4]',
      'Harbour Season 1 2 3 + 2 Movies': 'S[1,2,3]',
      'Harbour - Seasons 1 and 2 - Mp4': 'S[1,2]',
      'Harbour Season 1 - 4 Complete': 'S[1,2,3,4]',
      'Harbour Season 2 - 08 [1080p]': 'S2 E8',
      'Harbour Season 11 01.mp4': 'S11 E1',
      'Маяк / Harbour / Сезон: 1-8 / Серии: 1-3 из 3': 'S[1,2,3,4,5,6,7,8] E1,2,3',
      'Маяк. Сезон №9. Серия №180.avi': 'S9 E180',
      'Porto - Stagioni 01-03 [COMPLETA]': 'S[1,2,3]',
      'Latarnia [Sezon 01-07]': 'S[1,2,3,4,5,6,7]',
      'Latarnia.SezonSO3.PL.480p': 'S3',
      'المنارة الموسم 2 الحلقة 5.mp4': 'S2 E5',
      '등대 시즌2 3화.mp4': 'S2 E3',
    },
    no: { 'Open Seasoning 2012.mkv': 'movie 2012', 'Harbour Season (8).mkv': 'movie' },
  },
  'ordinal-season-word': {
    yes: {
      'Harbour 2nd Season 24 (1080p)': 'S2 E24',
      'Harbour 3rd Season - 23 [1080p]': 'S3 E23',
      'Harbour Second Season - 01': 'S2 E1',
      'Farol 04ª Temporada 720p': 'S4',
      'Маяк_ 5-й сезон 09-я серия_ Прилив.avi': 'S5 E9',
      'Mayak.(8.sez.21.ser.iz.23).2012.avi': 'S8 E21',
      'Mayak.(2.sezon.12.serija.iz.12).2002.avi': 'S2 E12',
    },
    no: { 'Harbour 2nd Reasons.mkv': 'movie' },
  },
  'number-season-word': {
    yes: { 'Farol 3 Temporada 720p': 'S3', '2 сезон 24 серия.avi': 'S2 E24' },
    no: { 'Harbour Season 3': 'S3' },
  },
  'chinese-season': {
    yes: { '灯塔 第二季 第三集.mp4': 'S2 E3', '灯塔 第2期 第05話': 'S2 E5' },
    no: { '灯塔 第3集.mp4': 'E3' },
  },
  'counted-season': { yes: { '등대 2기 05화.mp4': 'S2 E5' }, no: { '灯塔 期間限定.mp4': 'movie' } },
  'fractional-episode': {
    yes: { '[Group]Harbour.EP07.5(BD.720p).mkv': 'A7.5' },
    no: { '[Group]Harbour.EP07(BD.720p).mkv': 'E7' },
  },
  'e-episode': {
    yes: {
      'Harbour.E576.720p.mkv': 'E576',
      'Harbour E01E02E04': 'E1,2,4',
      'Harbour E01-04': 'E1,2,3,4',
      'Harbour E01 02 04': 'E1,2,4',
      'Harbour-ep1.BD(H264)': 'E1',
    },
    no: { 'Harbour E3xpo.mkv': 'movie', "Harbour's e.mkv": 'movie' },
  },
  'episode-word-number': {
    yes: {
      'Harbour Episode 366v2.avi': 'E366',
      'Harbour Episodes 1-3.mkv': 'E1,2,3',
      'Harbour Ep. 02 - Tide': 'E2',
      'Farol Temporada 1 Capitulo 25': 'S1 E25',
      'Latarnia- odc. 10.mp4': 'E10',
      'Vuurtoren afl.18 De zee.mp4': 'E18',
      'Маяк – Сезон 3, Эпизод 21 – Шторм': 'S3 E21',
      'Серия 11.mkv': 'E11',
    },
    no: { 'Episodic Memory 2012.mkv': 'movie 2012', 'The Last Episode.mkv': 'movie' },
  },
  'number-episode-word': {
    yes: {
      'Маяк (05 сер.) - webrip1080p.mkv': 'E5',
      'Fener.2.Sezon.3.Bölüm.mkv': 'S2 E3',
      'Mayak.(08.seriya).2012.mkv': 'E8',
    },
    no: { 'Маяк 2012.mkv': 'movie 2012' },
  },
  'number-of-number': {
    yes: { 'Harbour 5of6 Tide.avi': 'E5', 'Harbour_[01_of_24]_[x].mkv': 'E1', 'Mayak.3iz6.Tide.avi': 'E3' },
    no: { 'Harbour 9of6 Tide.avi': 'movie' },
  },
  'special-number': {
    yes: { '[Group]_Harbour_-_EX01_[BD].mkv': 'E1', '[Group] Harbour OVA 02.mkv': 'E2' },
    no: { '[Group] Harbour OVA [BD].mkv': 'episode' },
  },
  'hash-episode': {
    yes: { '[Group] Harbour #01v2 - Tide.mkv': 'E1', 'Harbour (Black) #1-4 (BS11).mp4': 'E1,2,3,4' },
    no: { '321 - Harbour Mail #1.avi': 'E321' },
  },
  'chinese-episode': {
    yes: { '灯台 第12話 [1080p].mp4': 'E12', '灯塔 第12-13集.mp4': 'E12,13', '灯塔 第二十一回.mp4': 'E21' },
    no: { '灯台 第一.mp4': 'movie' },
  },
  'counted-episode': {
    yes: { '드라마 12회.mp4': 'E12', '灯塔 12集.mp4': 'E12' },
    no: { '灯塔 全12集.mp4': 'movie' },
  },
};

const TABLES = [...SEASON_EPISODE, ...SEASONS, ...EPISODES];

function fires(rule: string, input: string): boolean {
  const { text } = normalText(input);
  const table = TABLES.filter(({ name }) => name === rule);
  return runRules(table, text, maskOf(findNoise(text), text.length)).length > 0;
}

test('VIDEO-2 every rule of the tables has names that it claims and names that it leaves', () => {
  expect(Object.keys(CASES).sort()).toEqual(TABLES.map(({ name }) => name).sort());
});

describe.each(Object.entries(CASES))('VIDEO-2 %s', (rule, { yes, no }) => {
  test.each(Object.entries(yes))('VIDEO-96 claims %s', (input, reading) => {
    expect(said(input)).toBe(reading);
    expect(fires(rule, input)).toBe(true);
  });
  test.each(Object.entries(no))('leaves %s', (input, reading) => {
    expect(said(input)).toBe(reading);
    if (rule !== 'number-season-word') expect([rule, fires(rule, input)]).toEqual([rule, false]);
  });
});
