import { describe, expect, test } from 'vitest';
import { PLAN_CONFIDENCE, readFolder } from '#lanes/video/core/folder/read-folder.ts';
import { plainShow } from '../../../fixtures/plain-show.ts';

/** Two seasons of 12 and 10 episodes, named in the ways that people and releases name them. */
const T = 'Silver Lagoon';
const COUNTS = { 1: 12, 2: 10 };
const two = (number: number): string => String(number).padStart(2, '0');
const three = (number: number): string => String(number).padStart(3, '0');
const absolute = (season: number, episode: number): number => (season === 1 ? episode : 12 + episode);
const ROMAN = ['', 'I', 'II'];
const DIGITS = '零一二三四五六七八九十';
const chinese = (number: number): string => (number <= 10 ? DIGITS.charAt(number) : `十${DIGITS.charAt(number - 10)}`);

const STYLES: Record<string, (season: number, episode: number) => string> = {
  из: (s, e) => `Сезон ${s}/${T} (${two(e)} из ${s === 1 ? 12 : 10}).avi`,
  'я серия': (s, e) => `${s} сезон/${e}-я серия.mkv`,
  'сезон серия': (s, e) => `${T} - ${s} сезон ${e} серия.mkv`,
  'Серия dot': (s, e) => `${T}.${s}.сезон.${two(e)}.серия.avi`,
  Выпуск: (s, e) => `Сезон ${s}/Выпуск ${e}.mp4`,
  of: (s, e) => `Season ${s}/${T} ${e}of${s === 1 ? 12 : 10}.avi`,
  of2: (s, e) => `${T} S${s} (${e} of ${s === 1 ? 12 : 10}).avi`,
  '#': (s, e) => `Season ${s}/${T} #${e}.mkv`,
  'Cap.': (s, e) => `${T} [Cap.${s}${two(e)}].avi`,
  T1E: (s, e) => `${T} T${s}E${two(e)}.mkv`,
  'T01 E': (s, e) => `${T} T${two(s)} E${two(e)}.mkv`,
  temporada: (s, e) => `${s}ª Temporada/Episódio ${two(e)}.mp4`,
  'S1 - 05': (s, e) => `[G] ${T} S${s} - ${two(e)} [1080p].mkv`,
  '1.05': (s, e) => `${T} ${s}.${two(e)}.avi`,
  '105': (s, e) => `${T} - ${s}${two(e)} - Name.avi`,
  '[1x05]': (s, e) => `${T} [${s}x${two(e)}] Name.avi`,
  's01.e05': (s, e) => `Silver.Lagoon.s${two(s)}.e${two(e)}.mkv`,
  s1ep5: (s, e) => `${T} s${s}ep${e}.mkv`,
  S01_E05: (s, e) => `${T}_S${two(s)}_E${two(e)}.mkv`,
  'Season Episode': (s, e) => `${T} Season ${s} Episode ${e} - Foo.mkv`,
  'Season folder E only': (s, e) => `Season ${two(s)}/E${two(e)} Foo.mkv`,
  'folder title dash': (s, e) => `${T} Season ${s}/${two(e)}. Foo.mkv`,
  'folder S01 nums': (s, e) => `${T}.S0${s}.1080p.WEB-DL/${two(e)}.mkv`,
  'roman folder': (s, e) => `Season ${ROMAN[s] ?? ''}/${T} ${two(e)}.mkv`,
  'roman title': (s, e) => `[G] ${T}${s === 1 ? '' : ' II'} - ${two(e)} [720p].mkv`,
  'digit title': (s, e) => `[G] ${T}${s === 1 ? '' : ' ' + s} - ${two(e)} [720p].mkv`,
  'R2 abs': (s, e) => `[G] ${T} - ${two(absolute(s, e))} [720p][AB12CD34].mkv`,
  'abs 3 digits': (s, e) => `${T} ${three(absolute(s, e))}.mkv`,
  'abs folders': (s, e) => `S${s}/${three(absolute(s, e))} - Foo.mkv`,
  cn: (s, e) => `第${chinese(s)}季/第${chinese(e)}集.mp4`,
  cn2: (s, e) => `银湖${s === 1 ? '' : '第' + chinese(s) + '季'}/银湖.第${two(e)}集.1080P.mp4`,
  cn3: (s, e) => `银湖 S${two(s)}E${two(e)} 第${e}集.mp4`,
  'cn4 回': (s, e) => `银湖${s}/第${e}回.mp4`,
  jp: (s, e) => `銀の湖 第${s}期 第${two(e)}話「foo」.mkv`,
  'jp #': (s, e) => `銀の湖${s === 1 ? '' : ' 第二期'} #${two(e)}.mkv`,
  kr: (s, e) => `은호수 시즌${s}.E${two(e)}.210403.720p.mp4`,
  kr2: (s, e) => `은호수 시즌 ${s}/은호수 ${e}회.mp4`,
  vi: (s, e) => `Phần ${s}/Tập ${e}.mp4`,
  ar: (s, e) => `الموسم ${s}/الحلقة ${e}.mp4`,
  he: (s, e) => `עונה ${s}/פרק ${e}.mp4`,
  th: (s, e) => `ซีซั่น ${s}/ตอนที่ ${e}.mp4`,
  gr: (s, e) => `Κύκλος ${s}/Επεισόδιο ${e}.mp4`,
  cz: (s, e) => `${s}. série/${T} - ${e}. díl.avi`,
  hu: (s, e) => `${s}. évad/${T} ${e}. rész.avi`,
  pl: (s, e) => `Sezon ${s}/${T} odc. ${e}.avi`,
  tr: (s, e) => `${s}. Sezon/${e}. Bölüm.mp4`,
  fi: (s, e) => `${s}. kausi/Jakso ${e}.mp4`,
  sv: (s, e) => `Säsong ${s}/Avsnitt ${e}.mp4`,
  no: (s, e) => `Sesong ${s}/Episode ${e}.mp4`,
  nl: (s, e) => `Seizoen ${s}/Aflevering ${e}.mp4`,
  it: (s, e) => `Stagione ${s}/Puntata ${e}.mp4`,
  fr: (s, e) => `Saison ${s}/${T} - Ép. ${e}.mp4`,
  de: (s, e) => `Staffel ${s}/${T} - ${two(e)}.mp4`,
  id: (s, e) => `Musim ${s}/Eps ${e}.mp4`,
  ro: (s, e) => `Sezonul ${s}/Episodul ${e}.mp4`,
  'x spaced': (s, e) => `${T} ${s} x ${two(e)}.avi`,
  brackets: (s, e) => `[G][${T}${s === 1 ? '' : ' ' + 'S2'}][${two(e)}][1080P][GB].mp4`,
  brackets2: (s, e) => `【G】【银湖${s === 1 ? '' : ' 第二季'}】【${two(e)}】【GB】【720P】.mp4`,
  fin: (s, e) => `[G] ${T} - ${two(absolute(s, e))}${e === 10 && s === 2 ? ' END' : ''} [720p].mkv`,
  v2: (s, e) => `[G] ${T} - ${two(absolute(s, e))}${e % 3 ? '' : 'v2'} [720p].mkv`,
  'num first': (s, e) => `Season ${s}/${two(e)} ${T}.mkv`,
  'num dot title': (s, e) => `Season ${s}/${e}. Chapter ${e % 2 === 0 ? 'One' : 'Two'}.mkv`,
  'sNNeNN nothing': (s, e) => `s${two(s)}e${two(e)}.mkv`,
  underscore: (s, e) => `Silver_Lagoon_${s}x${two(e)}_Foo_Bar.avi`,
  'DVD disc': (s, e) => `Season ${s}/Disc ${e <= 6 ? 1 : 2}/${T} - ${two(e)}.mkv`,
  year: (s, e) => `${T} (2010)/Season ${s}/${T} (2010) - s0${s}e${two(e)}.mkv`,
  'title w/ hash': (s, e) => `${T}/Series ${s}/Episode ${e}.mp4`,
  HH: (s, e) => `Season ${s}/${T} - ${two(e)} - ${10 + e} Days.mkv`,
  'dash title number': (s, e) => `Season ${s}/${two(e)} - ${100 + e * 7} Ways.mkv`,
  'abs in parens': (s, e) => `${T} - S${two(s)}E${two(e)} (${three(absolute(s, e))}) - Foo.mkv`,
  'abs dash': (s, e) => `${T} - s${two(s)}e${two(e)} - ${three(absolute(s, e))} - Foo.mkv`,
};

/** What is in the folder: both seasons whole, the second alone, a few of each. */
const PIECES: Record<string, (season: number, episode: number) => boolean> = {
  all: () => true,
  'season 2': (season) => season === 2,
  some: (_, episode) => [1, 4, 5, 9].includes(episode),
};

describe('VIDEO-33 two seasons are told apart however they are named', () => {
  test.each(Object.entries(STYLES))('VIDEO-35, VIDEO-103 %s', (style, nameOf) => {
    for (const [piece, isThere] of Object.entries(PIECES)) {
      // Nothing says that the folder is of the second season.
      if (style === 'cn4 回' && piece === 'season 2') continue;
      const truth = new Map<string, string>();
      for (const [season, count] of Object.entries(COUNTS))
        for (let episode = 1; episode <= count; episode++)
          if (isThere(Number(season), episode)) truth.set(nameOf(Number(season), episode), `${season}x${episode}`);
      const reading = readFolder(
        [...truth.keys()].map((path) => ({ path })),
        { show: plainShow(T, COUNTS) },
      );
      const said = reading.files.map((file): [string, string] => [
        file.path,
        file.class === 'episode' && file.confidence >= PLAN_CONFIDENCE
          ? `${file.season}x${file.episodes.join()}`
          : file.class,
      ]);
      expect(new Map(said)).toEqual(truth);
    }
  });
});
