import { expect, test } from 'vitest';
import { channel, faultsOf, guide, hours, programme, type Said } from './guide-world.ts';

const NUMBER = '<episode-num system="onscreen">S1E2</episode-num>';
/** The faults of programmes one after the other, by their place in the row. */
async function faultsAt(said: readonly Said[], channels?: string): Promise<string[]> {
  const faults = await faultsOf(guide(hours(said), channels));
  return faults.map((fault) =>
    fault.replace(/^a@202405(\d\d)(\d\d)0000 \+0000/, (_, day: string, hour: string) =>
      String((Number(day) - 1) * 24 + Number(hour)),
    ),
  );
}
const category = (text: string): string => `<category>${text}</category>`;

test.each([
  'Film',
  'FILMS',
  'Movie',
  'Feature Film',
  'TV Movie',
  'Action / Movie',
  'Movie/Drama',
  'Krimi;Spielfilm',
  'Fernsehfilm',
  'Téléfilm',
  'Long métrage',
  'Largometraje',
  'Película',
  'Filme',
  'Longa-metragem',
  'Film per la TV',
  'Speelfilm',
  'Långfilm',
  'Spillefilm',
  'Elokuva',
  'Mängufilm',
  'Film fabularny',
  'Celovečerní film',
  'Játékfilm',
  'Film artistic',
  'Sinema filmi',
  'Igrani film',
  'Κινηματογραφική Ταινία',
  'Vaidybinis filmas',
  'Mākslas filma',
  'Художественный фильм',
  'х/ф',
  'Художній фільм',
  'Игрален филм',
  'Pel·lícula',
  'סרט',
  'فيلم',
  'فیلم سینمایی',
  'फ़िल्म',
  'திரைப்படம்',
  'ภาพยนตร์',
  'Phim truyện',
  'Filem',
  '映画',
  '電影',
  '电影',
  '영화',
  'drama | movie',
  'Comedy, Film',
  '映画／洋画',
])('GUIDE-16 a category "%s" is of a film', async (name) => {
  expect(await faultsAt([{ inside: category(name) }])).toEqual(['0 MOVIE_YEAR_MISSING']);
});

test.each([
  'Film News',
  'Film Magazine',
  'Movie Trailers',
  'Filmmagazin',
  'Making of',
  'Filming',
  'Про кино сегодня',
  'Drama',
  'Movies and more',
])('GUIDE-16 a category "%s" is of none', async (name) => {
  expect(await faultsAt([{ inside: category(name) }])).toEqual(['0 EPISODE_NUM_MISSING']);
});

test.each([
  ['1887', 1],
  ['1888', 0],
  ['2100', 0],
  ['2101', 1],
  ['19991231', 0],
  [' 2001 ', 0],
  ['99', 1],
  ['ca. 1999', 1],
  ['', 1],
])('GUIDE-16 a film of "%s"', async (date, faults) => {
  expect(await faultsAt([{ inside: `<date>${date}</date>${category('Film')}` }])).toHaveLength(faults);
});

test.each([
  ['News', 'Nachrichten'],
  ['Weather', 'Météo'],
  ['Sports', 'Deportes'],
  ['Paid Programming', 'Teleshopping'],
  ['Music', 'Музыка'],
  ['Religious', 'Náboženství'],
  ['Off Air', 'Sendeschluss'],
  ['Telediario', 'Telegiornale'],
  ['Uutiset', 'ニュース/報道'],
  ['Wiadomości', 'News / Current affairs'],
  ['스포츠', '体育'],
  ['طقس', 'Погода'],
])('GUIDE-17 %s and %s need no number', async (one, other) => {
  expect(await faultsAt([{ inside: category(one) }, { inside: category(other) }])).toEqual([]);
});

test('GUIDE-17 a kind that the guide numbers half of the time is missed where it is not', async () => {
  const bare = { inside: category('Sport') };
  const numbered = { inside: `${category('Sport')}${NUMBER}` };
  expect(await faultsAt([bare, numbered])).toEqual(['0 EPISODE_NUM_MISSING']);
  expect(await faultsAt([bare, bare, numbered])).toEqual([]);
  // Its words count together, in all languages.
  expect(await faultsAt([bare, { inside: `${category('Deportes')}${NUMBER}` }])).toEqual(['0 EPISODE_NUM_MISSING']);
  // One kind of several is enough.
  expect(await faultsAt([{ inside: category('Sport') + category('News') }, numbered])).toEqual([]);
});

test('GUIDE-17 a number has a letter or a digit in it', async () => {
  const number = (text: string): Said => ({ inside: `<episode-num system="onscreen">${text}</episode-num>` });
  expect(await faultsAt([number('-'), number('..'), number('٣'), number('pilot'), { inside: '' }])).toEqual([
    '0 EPISODE_NUM_MISSING',
    '1 EPISODE_NUM_MISSING',
    '4 EPISODE_NUM_MISSING',
  ]);
});

test.each([
  'TBA',
  't.b.a.',
  '(TBC)',
  'TBD',
  'To be announced',
  'To Be Confirmed',
  'To-be-announced...',
  'Unknown',
  'UNKNOWN TITLE',
  'Untitled',
  'N/A',
  'n.a.',
  'No Title',
  'No information available',
  'No Programme Information',
  'Program information unavailable',
  'No data',
  'No EPG data',
  '<unknown>',
  'Keine Informationen verfügbar',
  'Kein Titel',
  'Programm wird noch bekannt gegeben',
  'unbekannt',
  'k. A.',
  'Sans titre',
  'Programme à déterminer',
  'À confirmer',
  'Pas d’informations',
  'Aucune information disponible',
  'Titre non communiqué',
  'Sin título',
  'Por confirmar',
  'Programa sin información',
  'Información no disponible',
  'Sem título',
  'Programação não informada',
  'A definir',
  'Senza titolo',
  'Da definire',
  'Informazioni non disponibili',
  'Geen informatie beschikbaar',
  'Onbekend programma',
  'Nog niet bekend',
  'Okänt program',
  'Information saknas',
  'Ingen informasjon',
  'Ukjent',
  'Ukendt',
  'Ingen titel',
  'Ei tietoja',
  'Tuntematon ohjelma',
  'Tundmatu',
  'Brak informacji o programie',
  'Bez tytułu',
  'Program bude upřesněn',
  'Neznámý pořad',
  'Bez názvu',
  'Nincs információ',
  'Ismeretlen',
  'Fără titlu',
  'Program necunoscut',
  'Bilinmiyor',
  'Program bilgisi yok',
  'İSİMSİZ',
  'Нет информации',
  'Название неизвестно',
  'Программа уточняется',
  'Немає даних',
  'Без назви',
  'Няма информация',
  'Непознато',
  'Nema podataka',
  'Bez naslova',
  'Ni podatkov',
  'Χωρίς τίτλο',
  'Θα ανακοινωθεί',
  'Nėra duomenų',
  'Nav informācijas',
  'Sense informació',
  'Izenbururik gabe',
  'ללא כותרת',
  'אין מידע',
  'بدون عنوان',
  'لا توجد معلومات',
  'غير معروف',
  'نامشخص',
  'कोई जानकारी नहीं',
  'अज्ञात',
  'তথ্য নেই',
  'ไม่มีข้อมูล',
  'Không có thông tin',
  'Đang cập nhật',
  'Tidak ada informasi',
  'Tiada maklumat',
  '番組未定',
  'タイトル未定',
  '情報なし',
  '番組情報がありません',
  '待定',
  '暂无节目信息',
  '未知節目',
  '제목 없음',
  '정보 없음',
  '방송 미정',
  'ＴＢＡ',
])('GUIDE-18 the title "%s" says nothing', async (title) => {
  const written = title.replace('<', '&lt;').replace('>', '&gt;');
  expect(await faultsAt([{ title: written }])).toEqual(['0 PLACEHOLDER_TITLE']);
});

test.each([
  'Unknown Pleasures',
  'The Unknown',
  'Unknown Soldier',
  'Untitled Love Story',
  'TBA Live',
  'No Information, Please',
  'To Be Announced Later: A Comedy',
  'Titanic',
  'Anonymous',
  'No Reservations',
  'Nobody Knows',
  'Sans toit ni loi',
  'Der Unbekannte am See',
  'Sin City',
  'Inconnu à cette adresse',
  'Unbekannt verzogen',
  'Без названия: история',
  'Неизвестная война',
  '未知との遭遇',
  '未定義の恋',
  'N.C.I.S.',
  'NA',
  'K',
  'Who Knows?',
  '?!: The Show',
])('GUIDE-18 the title "%s" is one', async (title) => {
  expect(await faultsAt([{ title }])).toEqual([]);
});

test.each([
  'Episode 7',
  'EPISODE #12',
  'Ep. 3',
  'Item 4',
  'Programme 12',
  'Program No. 3',
  'Folge 12',
  '12. Folge',
  'Sendung 5',
  'Épisode 4',
  'Émission 2',
  'Episodio 9',
  'Capítulo 33',
  'Cap. 33',
  'Programa 8',
  'Puntata 4',
  '4ª puntata',
  'Aflevering 6',
  'Avsnitt 3',
  'Afsnit 3',
  'Jakso 8',
  'Odcinek 120',
  'odc. 7',
  '7. díl',
  'Díl 7',
  '7. rész',
  'Episodul 5',
  '5. Bölüm',
  'Bölüm 5',
  'Серия 4',
  '4 серия',
  '4-я серия',
  'Выпуск 12',
  'Епізод 3',
  'Епизод 3',
  'Επεισόδιο 8',
  'Tập 5',
  'פרק 7',
  'الحلقة 7',
  'الحلقة ٧',
  'قسمت ۷',
  'ตอนที่ 7',
  'एपिसोड 7',
  '第7話',
  '第７話',
  '第7集',
  '第七回',
  '#7話'.slice(1),
  '제7회',
  '7화',
  'エピソード 3',
  '番組5',
  'Episode 3/10',
])('GUIDE-19 "%s" is a number and nothing else', async (title) => {
  expect(await faultsAt([{ title }])).toEqual(['0 PLACEHOLDER_TITLE']);
});

test.each([
  '...',
  '-',
  '***',
  '?',
  '–',
  '。',
  '¿?',
  'clip.mp4',
  'IMG_1234.JPG',
  'holiday video.mov',
  'Show.S01E02.720p.HDTV.x264-ABC',
  'Show_S01E02_1080p_WEB-DL',
  '/media/tv/Show/01.ts',
  'C:\\video\\01.avi',
  'DSC_0042',
  'VID_20240102_101500',
  'recording.m2ts',
  'фильм.mkv',
  '20240501-2015 News.TS',
])('GUIDE-19 "%s" is no title', async (title) => {
  expect(await faultsAt([{ title }])).toEqual(['0 PLACEHOLDER_TITLE']);
});

test.each([
  'Episode 7: The Return',
  'Episodes',
  'Item of Interest',
  '24',
  '1923',
  '9-1-1',
  'Programme for Peace',
  'Folge dem Licht',
  'Episode',
  'Серия А',
  '7 Days',
  'M*A*S*H',
  'S.W.A.T.',
  'E.R.',
  '$',
  'Mr. Robot',
  'www.love.com',
  'Dr. No',
  'Route 66',
  '第7騎兵隊',
  'Program the World 7',
  'Fast.Forward',
  '3 Idiots',
  'Ep and the Band 3',
])('GUIDE-19 "%s" is a title', async (title) => {
  expect(await faultsAt([{ title }])).toEqual(title === '$' ? ['0 PLACEHOLDER_TITLE'] : []);
});

test('GUIDE-19 the first title decides that is not blank', async () => {
  const second = (title: string): string => `<title lang="de">${title}</title>${NUMBER}`;
  expect(await faultsAt([{ title: 'TBA', inside: second('Der Weg') }])).toEqual(['0 PLACEHOLDER_TITLE']);
  expect(await faultsAt([{ title: ' ', inside: second('Kein Titel') }])).toEqual(['0 PLACEHOLDER_TITLE']);
  expect(await faultsAt([{ inside: second('Kein Titel') }])).toEqual([]);
});

test("GUIDE-20 a channel's own name is a title where something else is known", async () => {
  const own = { title: 'ALPHA' };
  const sport = category('Sport');
  expect(await faultsAt([{ ...own, inside: sport }])).toEqual(['0 PLACEHOLDER_TITLE']);
  expect(await faultsAt([{ ...own, inside: '' }])).toEqual(['0 EPISODE_NUM_MISSING', '0 PLACEHOLDER_TITLE']);
  expect(await faultsAt([{ ...own, inside: `<desc>said</desc>${sport}` }])).toEqual([]);
  expect(await faultsAt([{ ...own, inside: `<sub-title>said</sub-title>${sport}` }])).toEqual([]);
  expect(await faultsAt([{ ...own, inside: NUMBER }])).toEqual([]);
  // Its number is no name.
  expect(await faultsAt([{ title: '24', inside: sport }], channel('a', 'Alpha', '24'))).toEqual([]);
  expect(await faultsAt([{ title: 'Beta', inside: sport }])).toEqual([]);
  // Also where the channel comes behind.
  const behind = `<tv>${programme({ title: 'Alpha', inside: sport })}${channel('a', 'Alpha')}</tv>`;
  expect(await faultsOf(behind)).toEqual(['a@20240501100000 +0000 PLACEHOLDER_TITLE', 'tv notvalid:order']);
});
