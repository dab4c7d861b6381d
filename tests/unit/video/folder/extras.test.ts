import { describe, expect, test } from 'vitest';
import { PLAN_CONFIDENCE, readFolder } from '#lanes/video/core/folder/read-folder.ts';
import { plainShow } from '../../../fixtures/plain-show.ts';

const T = 'Silver Lagoon';
const SHOW = plainShow(T, { 0: 3, 1: 12, 2: 10 });

const EXTRAS = `
sample.mkv
Sample/sl.s01e01.sample.mkv
Silver Lagoon S01E01-sample.mkv
sample-silver.lagoon.s01e02.mkv
Silver.Lagoon.S01E02.720p.HDTV.sample.mkv
[G] Silver Lagoon - NCOP [1080p].mkv
[G] Silver Lagoon - NCOP2 [1080p].mkv
[G] Silver Lagoon - NCED01v2 [1080p].mkv
[G] Silver Lagoon - NCED 1 [1080p].mkv
[G] Silver Lagoon - OP1 [1080p].mkv
[G] Silver Lagoon - ED 02 [1080p].mkv
[G] Silver Lagoon - Creditless ED 01.mkv
[G] Silver Lagoon - Creditless Opening 1.mkv
[G] Silver Lagoon - Textless Ending 2.mkv
[G] Silver Lagoon - Clean OP 1.mkv
[G] Silver Lagoon - Opening 01.mkv
[G] Silver Lagoon - PV01.mkv
[G] Silver Lagoon - CM 1.mkv
[G] Silver Lagoon - Trailer 2.mkv
[G] Silver Lagoon - Teaser.mkv
[G] Silver Lagoon - Menu 01.mkv
[G] Silver Lagoon - BD Menu Vol.1.mkv
[G] Silver Lagoon - Preview 03.mkv
[G] Silver Lagoon - Web Preview EP05.mkv
[G] Silver Lagoon - Next Episode Preview 05.mkv
[G] Silver Lagoon - Promo 1.mkv
[G] Silver Lagoon - Commentary 03.mkv
[G] Silver Lagoon - Interview 01.mkv
[G][Silver Lagoon][NCOP][1080p].mkv
[G][Silver Lagoon][Menu01][1080p].mkv
[G][Silver Lagoon][PV 02][1080p].mkv
[G][Silver Lagoon][CM01][1080p].mkv
[G][Silver Lagoon][Logo].mkv
Silver Lagoon - Behind the Scenes 1.mkv
Silver Lagoon - Episode 5 - Behind the Scenes.mkv
Silver Lagoon - Making of Episode 3.mkv
Making of Episode 4.mkv
Silver Lagoon - Deleted Scenes - Episode 2.mkv
Silver Lagoon S01E03 Deleted Scenes.mkv
Silver Lagoon S02E01 - Bloopers.mkv
Silver Lagoon S02E04-behindthescenes.mkv
Silver Lagoon S02E04-featurette.mkv
Silver Lagoon S02E04-trailer.mkv
Silver Lagoon S01E05 Audio Commentary.mkv
Silver Lagoon Season 1 Trailer.mkv
Silver Lagoon Season 2 Teaser Trailer 2.mkv
Silver Lagoon Season 2 Gag Reel.mkv
Silver Lagoon - Season 2 - Official Trailer.mkv
Silver Lagoon.S02.Trailer.mkv
Silver Lagoon.S01.Extras.mkv
Silver Lagoon - S01 Bonus 1.mkv
Featurettes/01 The Making.mkv
Featurettes/Season 1/02.mkv
Featurettes/S01E03.mkv
Season 1/Featurettes/03.mkv
Season 1/Extras/04 - Set Tour.mkv
Season 1/Behind The Scenes/Episode 5.mkv
Season 1/Bonus/Episode 6.mkv
Season 2/Deleted Scenes/S02E03.mkv
Season 2/Interviews/02.mkv
Season 2/Trailers/2.mkv
Season 2/Samples/s02e02.mkv
Extras/S01E05 Extra.mkv
Extras/Disc 1/01.mkv
Bonus Disc/01.mkv
Bonus Features/02.mkv
Special Features/03.mkv
Extra/04.mkv
DVD Extras/05.mkv
NC/[G] Silver Lagoon NCOP 1.mkv
Menu/01.mkv
PV&CM/[G] Silver Lagoon [01].mkv
CM/03.mkv
特典/01.mkv
特典映像/Silver Lagoon 第1話 オーディオコメンタリー.mkv
映像特典/02.mkv
特典ディスク/03.mkv
メイキング 第3話.mkv
Silver Lagoon 予告 第5話.mkv
Silver Lagoon 次回予告 06.mkv
花絮/03.mp4
幕后花絮/第4集.mp4
Silver Lagoon 第5集 花絮.mp4
Silver Lagoon 第6集预告.mp4
Silver Lagoon 第7集 精彩片段.mp4
Silver Lagoon 片头曲.mp4
Silver Lagoon 主题曲MV 01.mp4
Silver Lagoon 采访01.mp4
预告片/02.mp4
Трейлеры/3.mp4
Silver Lagoon Трейлер 2.avi
Дополнительно/Серия 3.avi
Бонусы/01. Интервью.avi
Удаленные сцены/Серия 5.avi
Как снимали 2 серию.avi
Zusatzmaterial/Folge 3.avi
Bonusmaterial/02.avi
Silver Lagoon - Hinter den Kulissen 2.avi
Outtakes Folge 4.avi
Bonus/Épisode 4.avi
Coulisses/02.avi
Bande-annonce 2.mp4
Contenido extra/Capitulo 3.avi
Tomas falsas 2.avi
Contenuti speciali/Puntata 4.avi
Dodatki/Odcinek 4.avi
Ekstra/2.mp4
메이킹 3화.mp4
예고편/4화.mp4
비하인드/5화.mp4
Silver Lagoon 5화 예고.mp4
Silver Lagoon 6회 메이킹.mp4
Proof/silver.lagoon.s01e01.proof.mkv
RARBG.mp4
RARBG.com.mp4
Screens/1.mkv
OST/01.mkv
MV/02.mkv
Live/03 Live Event.mkv
Theme Songs/02.mkv
Silver Lagoon - Music Video 3.mkv
Silver Lagoon - Character PV 04.mkv
Silver Lagoon S01 Featurette 3 - The World.mkv
Silver Lagoon - Inside the Episode 4.mkv
Silver Lagoon S02E02 Inside the Episode.mkv
Silver Lagoon - Cast Interviews 2.mkv
Silver Lagoon - Photo Gallery 5.mkv
Silver Lagoon - Unaired Pilot Commentary 1.mkv
shorts/Silver Lagoon Short 03.mkv
backdrops/2.mp4
theme-music/3.mp4
other/5.mkv
clips/6.mkv
scenes/7.mkv
`
  .trim()
  .split('\n');

/** Words of languages that nobody taught: only the episodes beside them show that they are none. */
const UNKNOWN_WORDS = ['Dodatki/Odcinek 4.avi', 'Live/03 Live Event.mkv'];

const EPISODES = [1, 2].flatMap((season) =>
  Array.from(
    { length: season === 1 ? 12 : 10 },
    (_, at) => `Season ${season}/${T} S0${season}E${String(at + 1).padStart(2, '0')}.mkv`,
  ),
);

const planned = (paths: readonly string[]): string[] =>
  readFolder(
    paths.map((path) => ({ path })),
    { show: SHOW },
  )
    .files.filter((file) => file.class === 'episode' && file.confidence >= PLAN_CONFIDENCE)
    .map(({ path }) => path);

describe('VIDEO-31 extras are never episodes, whatever numbers they carry', () => {
  test('beside all episodes', () => {
    expect(planned([...EPISODES, ...EXTRAS])).toEqual(EPISODES);
  });

  test('alone', () => {
    expect(planned(EXTRAS.filter((path) => !UNKNOWN_WORDS.includes(path)))).toEqual([]);
  });

  test('one by one', () => {
    const known = EXTRAS.filter((path) => !UNKNOWN_WORDS.includes(path));
    expect(known.filter((path) => planned([path]).length > 0)).toEqual([]);
  });

  test.each([
    'Silver Lagoon S01E02 - The Interview.mkv',
    'Silver Lagoon S01E03 - Trailer Trash.mkv',
    'Silver Lagoon S01E04 - The Bonus Round.mkv',
    'Silver Lagoon 1x05 - A Special Opening Night.mkv',
    'Silver Lagoon S01E06 - The Making of a King.mkv',
    'Silver Lagoon - 07 - Special Delivery.mkv',
    'Silver Lagoon S00E02 - Behind the Scenes.mkv',
  ])('VIDEO-31, VIDEO-100 %s is one, where no other file is that episode', (path) => {
    expect(planned([path])).toEqual([path]);
  });

  test('VIDEO-31, VIDEO-100 a title of the catalog is a title', () => {
    const show = plainShow(T, { 1: 3 }, { '1x2': 'Deleted Scenes', '1x3': 'Trailer' });
    const reading = readFolder([{ path: 'Silver Lagoon - Deleted Scenes.mkv' }, { path: 'Silver Lagoon S01E01.mkv' }], {
      show,
    });
    expect(reading.files[0]).toMatchObject({ class: 'episode', season: 1, episodes: [2] });
  });
});
