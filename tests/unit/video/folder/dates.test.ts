import { describe, expect, test } from 'vitest';
import { datesIn } from '#lanes/video/core/folder/dates.ts';
import { readFolder } from '#lanes/video/core/folder/read-folder.ts';
import type { Episode, Show } from '#lanes/video/core/show-catalog.ts';

interface Day {
  y: number;
  m: number;
  d: number;
}

const T = 'The Late Desk';
const two = (number: number): string => String(number).padStart(2, '0');
const short = (year: number): string => String(year).slice(2);
const LONG = 'January February March April May June July August September October November December'.split(' ');
const GERMAN = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' ');
const month = (m: number, names = LONG): string => names[m - 1] ?? '';

const STYLES: Record<string, (day: Day) => string> = {
  ymd: ({ y, m, d }) => `${T} - ${y}-${two(m)}-${two(d)}.mkv`,
  'y.m.d': ({ y, m, d }) => `The.Late.Desk.${y}.${two(m)}.${two(d)}.Guest.720p.HDTV.x264-GRP.mkv`,
  dmy: ({ y, m, d }) => `${T} ${two(d)}.${two(m)}.${y}.mkv`,
  mdy: ({ y, m, d }) => `${T} ${two(m)}-${two(d)}-${y}.mkv`,
  'dmy us': ({ y, m, d }) => `${T}_${d}_${m}_${y}.mkv`,
  'y md': ({ y, m, d }) => `${y}/${T} ${y} ${two(m)} ${two(d)}.mkv`,
  ydm: ({ y, m, d }) => `${T} ${y}.${two(d)}.${two(m)}.mkv`,
  solid: ({ y, m, d }) => `${T} ${y}${two(m)}${two(d)}.mkv`,
  yymmdd: ({ y, m, d }) => `late.desk.${short(y)}${two(m)}${two(d)}.mkv`,
  kr: ({ y, m, d }) => `${T}.${short(y)}${two(m)}${two(d)}.720p-NEXT.mp4`,
  'dd.mm.yy': ({ y, m, d }) => `${T} ${two(d)}.${two(m)}.${short(y)}.avi`,
  'yy.mm.dd': ({ y, m, d }) => `${T} ${short(y)}.${two(m)}.${two(d)}.avi`,
  'mm.dd.yy': ({ y, m, d }) => `${T} ${two(m)}.${two(d)}.${short(y)}.avi`,
  'd Mon': ({ y, m, d }) => `${T} - ${d} ${month(m).slice(0, 3)} ${y}.mp4`,
  'Mon d': ({ y, m, d }) => `${T} - ${month(m)} ${d}, ${y}.mp4`,
  dth: ({ y, m, d }) => `${T} (${d}th ${month(m)} ${y}).mp4`,
  'y Mon d': ({ y, m, d }) => `${T} ${y} ${month(m).slice(0, 3)} ${two(d)}.mp4`,
  jp: ({ y, m, d }) => `${T} ${y}年${m}月${d}日.ts`,
  'season folder': ({ y, m, d }) => `Season ${y === 2019 ? 1 : 2}/${T} ${y}-${two(m)}-${two(d)}.mp4`,
  bare: ({ y, m, d }) => `${y}-${two(m)}-${two(d)}.mp4`,
  'year folder': ({ y, m, d }) => `${y}/${two(m)}-${two(d)}.mp4`,
  'month folder': ({ y, m, d }) => `${y}/${two(m)}/${y}-${two(m)}-${two(d)} ${T}.mp4`,
  'SxxExx date': ({ y, m, d }) => `${T} ${y}-${two(m)}-${two(d)} Guest 2.mp4`,
  iso: ({ y, m, d }) => `${T} ${y}-${two(m)}-${two(d)}T20-15-00.ts`,
  rec: ({ y, m, d }) => `${y}${two(m)}${two(d)}_2015_${T}.ts`,
  de: ({ y, m, d }) => `${T} vom ${d}. ${month(m, GERMAN)} ${y}.mp4`,
};

const DAY = 24 * 60 * 60 * 1000;

/** From September 2019 to June 2020, a season a year. @param every days between two episodes */
function aired(every: number): { show: Show; days: { day: Day; place: string }[] } {
  const seasons = new Map<number, Episode[]>();
  const days: { day: Day; place: string }[] = [];
  for (let time = Date.UTC(2019, 8, 2); time < Date.UTC(2020, 6, 1); time += every * DAY) {
    const date = new Date(time);
    const day = { y: date.getUTCFullYear(), m: date.getUTCMonth() + 1, d: date.getUTCDate() };
    const season = day.y - 2018;
    const episodes = seasons.get(season) ?? [];
    episodes.push({
      number: episodes.length + 1,
      title: null,
      air_date: date.toISOString().slice(0, 10),
      absolute: null,
    });
    seasons.set(season, episodes);
    days.push({ day, place: `${season}x${episodes.length}` });
  }
  const all = [...seasons].map(([number, episodes]) => ({ number, title: null, episodes }));
  return { show: { id: T, title: T, titles: [], year: null, seasons: all }, days };
}

describe('VIDEO-36 days in every order, settled by the catalog and by what most names say', () => {
  test.each(Object.entries(STYLES))('VIDEO-104 %s', (_, nameOf) => {
    for (const every of [1, 7]) {
      const { show, days } = aired(every);
      const truth = new Map(
        days.filter((_day, at) => at % (every === 1 ? 5 : 1) === 0).map(({ day, place }) => [nameOf(day), place]),
      );
      const reading = readFolder(
        [...truth.keys()].map((path) => ({ path })),
        { show },
      );
      expect(
        new Map(reading.files.map(({ path, season, episodes }) => [path, `${season}x${episodes.join()}`])),
      ).toEqual(truth);
    }
  });

  test.each([
    ['Show 2020-02-30', []],
    ['Show 1920x1080', []],
    ['Show 31.12.2019', ['2019-12-31']],
    ['Show 01.02.2003', ['2003-02-01', '2003-01-02']],
    ['Show 01.02.03', ['2003-02-01', '2001-02-03', '2003-01-02']],
    ['Show 2020-13-01', ['2020-01-13']],
    ['Show 29 Feb 2019', []],
    ['Show 29 Feb 2020', ['2020-02-29']],
  ])('VIDEO-36, VIDEO-104 %s', (text, days) => {
    expect(datesIn(text).map(({ day }) => day)).toEqual(days);
  });
});
