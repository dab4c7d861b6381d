import { describe, expect, test } from 'vitest';
import { readName } from '#lanes/video/core/names/read-name.ts';
import { said } from './said.ts';

function each(title: string, rows: Record<string, string>): void {
  describe(title, () => {
    test.each(Object.entries(rows))('VIDEO-97 %s', (input, reading) => expect(said(input)).toBe(reading));
  });
}

each('VIDEO-3 several episodes of one file', {
  'Harbour.S03E01E02.mkv': 'S3 E1,2',
  'Harbour.S03E01-04.720p.mkv': 'S3 E1,2,3,4',
  'Harbour.S03E01-E03.mkv': 'S3 E1,2,3',
  'Harbour S01E00 & S01E01 & S01E02': 'S1 E0,1,2',
  'Harbour.S14E00.and.S14E01.mp4': 'S14 E0,1',
  'Harbour S07E25+E26 Tide.mp4': 'S7 E25,26',
  'Harbour - 02x03 - x04 - x15 - Tide.mp4': 'S2 E3,4,5,6,7,8,9,10,11,12,13,14,15',
  'Harbour 1x01-1x03.mkv': 'S1 E1,2,3',
  '[G] Harbour - 01 ~ 03 [720p]': 'E1,2,3',
  '[G] Harbour - 01v2-03v2 [720p]': 'E1,2,3',
  '[G] Harbour - 01+02 [720p]': 'E1,2',
  'Harbour - 316-317 [G][2411959B].mkv': 'E316,317',
  'Farol 10º Temporada - 215 ao 217': 'S10 E215,216,217',
  // None of these lists an episode more.
  'Harbour S05E53 - Ep.129.mkv': 'S5 E53',
  'Harbour.S02E04_11_27.mkv': 'S2 E4',
  'Harbour.S01E01.1.23.45.mkv': 'S1 E1',
  'Harbour-s09e14-1080p.mkv': 'S9 E14',
  'Harbour S05E23 11-59 [HDTV-1080p]': 'S5 E23',
  'Season 2/02x03 - 04 Tide.mp4': 'S2 E3',
  'Harbour.S01E10-03.mkv': 'S1 E10',
});

each('VIDEO-4 a bare number is an episode by where it stands', {
  '[G] Harbour - 04 [480p][B4D4514E].mkv': 'E4',
  '[G].Harbour.Lights.27.[1280x720].[DC91581A].mkv': 'E27',
  '[G]_Harbour_679_[8bit]_[720p].mp4': 'E679',
  '[G][Harbour][07][Big5][720p].mp4': 'E7',
  '[Harbour].148.[Xvid.mp3].avi': 'E148',
  '[G] Harbour (9).mkv': 'E9',
  'Harbour - 01.DVD[H264.AAC].mkv': 'E1',
  'Harbour.13.HDTV-Group': 'E13',
  '[G] Harbour 12': 'E12',
  'Season 2/7 - 12 Lanterns.avi': 'S2 E7',
  'Season 2/2. Low Tide.avi': 'S2 E2',
  'Harbour/Harbour 82.avi': 'E82',
  '02 The Invitation.mp4': 'E2',
  '[G] Harbour 2 - 03 [720p].mkv': 'E3',
  '[G] Unit 00 - 05 [720p].mkv': 'E5',
  '[Harbour] - 105 - Tide.avi': 'E105',
  '灯塔E05.mp4': 'E5',
  '[G] Harbour - 04 (29) [720p].mkv': 'E4 A29',
  '[G] Harbour - 1080 [720p].mkv': 'E1080',
  'Harbour+Episode+3.mp4': 'E3',
  // And is none where it is a word.
  '12 Lanterns (1957).mkv': 'movie 1957',
  'Lantern 13 (1995) [1080p]': 'movie 1995',
  'The Harbour 765 Lights Show.mkv': 'movie',
  'Harbour No.6 (DVD, R2)': 'movie',
  'Harbour Part 2.mkv': 'movie',
  'Harbour 2.mkv': 'movie',
  'Harbour - 2 (2013).mkv': 'movie 2013',
  '300 (2006).mkv': 'movie 2006',
  'Harbour 1.11 You Are (Not) Here [1080p]': 'movie',
});

each('VIDEO-5 three digits', {
  'Season 4/Harbour [401] Fun.avi': 'S4 E1',
  'Season 2/Harbour - 101.mkv': 'S2 E101',
  'harbour.lights.208.hdtv-abc.mkv': 'S2 E8 A208',
  'harbour.lights.2401.hdtv-abc.mkv': 'S24 E1 A2401',
  'harbour_102.mp4': 'S1 E2 A102',
  'Harbour/Harbour 101.avi': 'E101',
  'Harbour - 107 - Strange Tide.mkv': 'E107',
  '[G] Harbour - 102 [720p].mkv': 'E102',
});

each('VIDEO-6 pairs of numbers', {
  '2-06. Tide.mkv': 'S2 E6',
  '4-13 Cursed (HD).m4v': 'S4 E13',
  'Маяк 03-20.mkv': 'S3 E20',
  'harbr-04_05.avi': 'S4 E5',
  'Hrb.02.09.avi': 'S2 E9',
  '11.14 - The List.mp4': 'S11 E14',
  '8-6 2006.07.16.avi': 'S8 E6 2006-07-16',
  'Hrbr-2016-02_04.avi': 'S2 E4',
  'Season 1/02-03 - Tide.avi': 'S1 E2,3',
  '[G]_Harbour_13-15_[BD]': 'E13,14,15',
  'Harbour 3.10 to Yarm (2007).mkv': 'movie 2007',
});

each('VIDEO-7 air dates', {
  'The.Harbour.Show.2015.07.22.Guest.720p.mkv': '2015-07-22',
  'Harbour.03-29-2012.HDTV': '2012-03-29',
  'Harbour.15-05-2018.Web-DL': '2018-05-15',
  'Harbour 20190512.mkv': '2019-05-12',
  'Harbour - May 12, 2019.mkv': '2019-05-12',
  'Harbour.12.May.2019.mkv': '2019-05-12',
  'Harbour 10-19-12.mp4': '2012-10-19',
  'harbour.raw.18.09.00.avi': '2000-09-18',
  'Harbour.S01E130.2017.07.18.1080p': 'S1 E130 2017-07-18',
  '灯塔 2019年5月12日.mp4': '2019-05-12',
  'Harbour 2019-13-45.mkv': 'movie',
});

test('VIDEO-7 an open order keeps the other days for a catalog', () => {
  expect(readName('Harbour.10-11-2008.mkv')).toMatchObject({ date: '2008-11-10', dates: ['2008-10-11'] });
  expect(readName('Harbour.01.02.03.mkv')).toMatchObject({ date: '2003-02-01', dates: ['2003-01-02', '2001-02-03'] });
  expect(readName('Harbour.2008-11-10.mkv')).toMatchObject({ date: '2008-11-10', dates: [] });
});

each('VIDEO-8 technical numbers are no episodes', {
  'Harbour.1080p.x264.10bit.DDP5.1-GRP.mkv': 'movie',
  'Harbour (BD 1280x720 AVC AACx3 [5.1+2.0+2.0] Subx3).mp4': 'movie',
  'Harbour [1920x1080] [24fps] [1.46GB] [AAC2.0].mkv': 'movie',
  'Harbour 2009 [1080p] [7.1].mkv': 'movie 2009',
  'Harbour [DD] [2-0] [Lektor PL].mkv': 'movie',
  'Harbour [5235532D].mkv': 'movie',
  'Harbour.DivX.5.02.avi': 'movie',
  'Harbour (1995) [E-AC3-S78].mkv': 'movie 1995',
  'Harbour 2024 H264 DD5.1-S56.mkv': 'movie 2024',
});

each('VIDEO-9 films', {
  'Harbour.Lights.2012.1080p.BluRay.mkv': 'movie 2012',
  '2012.2009.720p.BluRay.x264.mkv': 'movie 2009',
  'Lantern 2049 (2017).mkv': 'movie 2017',
  'Harbour (1982) CD1.avi': 'movie 1982',
  'Harbour.[Jose.Maria.1987].[Xvid].avi': 'movie 1987',
  'Harbour 2.2004.720p.mkv': 'movie 2004',
});

each('VIDEO-10 bonus material is no episode', {
  '300-trailer.mp4': 'extra trailer',
  'harbour.sample.mkv': 'extra sample',
  'sample.mp4': 'extra sample',
  'Harbour/Extras/05 - Tide.mkv': 'extra extra',
  'Harbour/Season 1/Featurettes/02.mkv': 'extra featurette',
  '[G] Harbour - NCOP1 [BD].mkv': 'extra opening',
  '[G] Harbour - NCED 02 [BD].mkv': 'extra ending',
  '[G]_Harbour_ED2_(704x480).mkv': 'extra ending',
  '[G] Harbour 3 - PV [CA57F300].mkv': 'extra promo',
  'Harbour/Behind the Scenes/making 3.mp4': 'extra behind-the-scenes',
  'Harbour - Behind the Scenes 2.mkv': 'extra behind-the-scenes',
  '[G] Harbour - Preview 05.mkv': 'extra trailer',
  '[G] Harbour - NCOP EP05 [BD].mkv': 'extra opening',
  'Harbour - Inside the Episode 4.mkv': 'extra featurette',
  'Featurettes/Inside Episode 3.mkv': 'extra featurette',
  // Behind an episode's number it is that episode's title.
  'Harbour - 05 - Preview.mkv': 'E5',
  'Harbour - S01E05 - The Making Of.mkv': 'S1 E5',
  'Harbour - Opening Night - 05 [720p].mkv': 'E5',
  'I Live In A Trailer.mp4': 'movie',
  'The DNA Sample.mp4': 'movie',
  'Harbour.2012.XviD-CM8.mp4': 'movie 2012',
  'Harbour.S01E02.sample.mkv': 'S1 E2',
});

each('VIDEO-11 folders say the season, the show, and what the name does not', {
  'Harbour/Season 02/E01 - Tide.mkv': 'S2 E1',
  'Harbour/Staffel 3/05.avi': 'S3 E5',
  'Harbour/Harbour S02/E01.mkv': 'S2 E1',
  'Harbour.S02E10.1080p.WEB.H264-GRP/90550c1adaf44c47b60d24f59603bb98.mkv': 'S2 E10',
  'Harbour.S02E05.1080p.WEB-DL/160725_02.mkv': 'S2 E5',
  'Harbour.2017.11.27.Guest.1080p.WEB/42e7e8a48eb7454aaebebcf49705ce41.mkv': '2017-11-27',
  'Сезон 5/Серия 11.mkv': 'S5 E11',
  'Season 2009/2009x02 tide.avi': 'S2009 E2',
  'Season 1/Harbour S03E04.mkv': 'S3 E4',
});

each('VIDEO-12 numbers between two episodes stay fractional', {
  '[G] Harbour - 07.5 - Recap [BD].mkv': 'A7.5',
  'Harbour - 14.5 - Debriefing.mkv': 'A14.5',
});

each('VIDEO-13 what says nothing is nothing', {
  '': 'unknown',
  '...': 'unknown',
  'f3a1c09d7be24418a5c0ffee12345678.mkv': 'unknown',
  'IMG_1234.MOV': 'unknown',
  'VTS_01_1.VOB': 'unknown',
  'title_t00.mkv': 'unknown',
  'gNWDXow11s7E0X7GTDrZ.mkv': 'unknown',
});

describe('VIDEO-14 titles', () => {
  const TITLES: Record<string, string | null> = {
    'Harbour.Lights.S01E02.720p.mkv': 'Harbour Lights',
    'harbour_lights_2008.5x02.mkv': 'harbour lights',
    '24.S05E07.FRENCH.DVDRip.avi': '24',
    '1883.S01E02.mkv': '1883',
    'The 100 S02E03.mkv': 'The 100',
    'Real.Lights.S02E01.hdtv.proper': 'Real Lights',
    'The.Harbour.(US).1x03.Tide.avi': 'The Harbour (US)',
    '[G] Harbour - Sword of Tides - 04 [480p].mkv': 'Harbour - Sword of Tides',
    '[G] Harbour (TV) - 02 [720p].mkv': 'Harbour',
    '[G] Futsuu ga [Locodol] Mita. - 01 [BAD09C76].mkv': 'Futsuu ga [Locodol] Mita',
    '[G][漆黑][Black Harbour][11][720p].mp4': 'Black Harbour',
    '37 [G]_Harbour_-_37v2_[FINAL].avi': 'Harbour',
    'Das.Ufer.German.AC3D.DL.720p.BluRay': 'Das Ufer',
    'French.Harbour.2011.STV.NTSC.DVDR.nfo': 'French Harbour',
    'Harbour_Criterion_Edition_(1985).avi': 'Harbour',
    'The.Harbour.4K.HDR.HEVC': 'The Harbour',
    'R.O.D the TV_01[divx5.2.1].mkv': 'R.O.D the TV',
    'Harbour - Vol.1 [BD 720p-AAC]': 'Harbour',
    '[DeadFish] 01 - Tari Light [BD].mp4': 'Tari Light',
    '05 - Harbour - Article 1 - [UTW].mkv': 'Harbour',
    '01 - Low Tide.mkv': null,
    'Harbour/Season 1/01 - Low Tide.mkv': 'Harbour',
    S02E05: null,
    '/TV/4x12 - The Woman.mp4': null,
    'Films/Harbour (2007)/[XCT] Hrb [H264].mkv': 'Harbour',
  };
  test.each(Object.entries(TITLES))('VIDEO-98 %s', (input, title) => expect(readName(input).title).toBe(title));
});

describe('VIDEO-15 parts, versions, specials, titles of episodes', () => {
  test.each([
    ['Harbour.S05E02.Tide.Part.Two.720p.mkv', { part: 2, episode_title: 'Tide Part Two' }],
    ['Harbour.S02E02.The.Tide.Part.II.1080p.mkv', { part: 2 }],
    ['[G] Harbour - 13v0 [988DB090].mkv', { version: 0 }],
    ['[G] Harbour OVA - 01 [BD].mkv', { special: 'OVA', episodes: [1] }],
    ['Harbour - S01E02 - Low Tide.mkv', { episode_title: 'Low Tide' }],
    ['Harbour - S01E02.mkv', { episode_title: null, part: null, version: null, special: null }],
  ])('%s', (input, expected) => expect(readName(input)).toMatchObject(expected));
});

test('VIDEO-16 every answer has its reasons, and the surer rule the higher confidence', () => {
  const [told, pair, bare, film] = ['Harbour S01E02', 'Маяк 03-20.mkv', 'Harbour.13.HDTV-Group', 'Harbour.mkv'].map(
    (name) => readName(name),
  );
  for (const reading of [told, pair, bare, film]) expect(reading?.reasons.length).toBeGreaterThan(0);
  expect(told?.reasons).toEqual(['"S01E02" says season and episode (S01E02).']);
  expect(told?.confidence).toBe(1);
  expect(pair?.confidence).toBeLessThan(told?.confidence ?? 0);
  expect(bare?.confidence).toBeLessThan(0.8);
  expect(film?.confidence).toBe(0.4);
});

test('VIDEO-17 full-width forms and other digits read as ASCII ones', () => {
  expect(said('Ｈａｒｂｏｕｒ　Ｓ０１Ｅ０２．mkv')).toBe('S1 E2');
  expect(said('【Ｇ】 Harbour － １２ 【７２０ｐ】.mkv')).toBe('E12');
  expect(said('المنارة الموسم ٢ الحلقة ٥.mp4')).toBe('S2 E5');
  expect(readName('Harbour\u00a0S01E02').title).toBe('Harbour');
});

test('VIDEO-18 a slash parts folders only in a path', () => {
  expect(readName('Day/Night - 05 [720p].mkv', { isPath: false }).title).toBe('Day/Night');
  expect(readName('Маяк / Harbour / Сезон: 2 / Серии: 1-3 (12)')).toMatchObject({ season: 2, episodes: [1, 2, 3] });
  expect(said('C:\\Videos\\Harbour\\Season 2\\05.avi')).toBe('S2 E5');
  expect(readName('05.avi', { folders: ['Harbour', 'Season 2'] })).toMatchObject({ title: 'Harbour', season: 2 });
});
