/**
 * "Season" in the languages that folders and names are written in, as media servers' language packs have it.
 * `plural` words promise several numbers.
 */
const SEASON_BY_LANGUAGE: readonly (readonly [language: string, singular: string, plural: string])[] = [
  ['English', 'season seas', 'seasons'],
  ['French', 'saison', 'saisons'],
  ['German', 'staffel', 'staffeln'],
  ['Spanish, Portuguese', 'temporada temp', 'temporadas'],
  ['Italian', 'stagione', 'stagioni'],
  ['Dutch', 'seizoen', 'seizoenen'],
  ['Polish', 'sezon', 'sezony'],
  ['Romanian', 'sezonul', 'sezoanele'],
  ['Czech, Slovak', 'sezóna série řada séria', 'sezóny'],
  ['Slovenian, Croatian', 'sezona', 'sezone'],
  ['Swedish', 'säsong seasong', 'säsonger'],
  ['Norwegian', 'sesong', 'sesonger'],
  ['Danish', 'sæson', 'sæsoner'],
  ['Finnish', 'kausi tuotantokausi', 'kaudet'],
  ['Hungarian', 'évad', 'évadok'],
  ['Turkish', 'sezonu', 'sezonları'],
  ['Icelandic', 'þáttaröð', ''],
  ['Greek', 'σεζόν κύκλος', ''],
  ['Russian, Ukrainian, Bulgarian', 'сезон сезона сез', 'сезоны сезони'],
  ['Russian in Latin letters', 'sez', ''],
  ['Arabic', 'الموسم موسم', ''],
  ['Hebrew', 'עונה', ''],
  ['Japanese', 'シーズン', ''],
  ['Korean', '시즌', ''],
  ['Thai', 'ซีซั่น ฤดูกาล', ''],
  ['Vietnamese', 'phần', ''],
  ['Indonesian', 'musim', ''],
];

/** Longest first, so that an alternation takes the whole word. */
const sorted = (words: string[]): string[] => words.filter((word) => word !== '').sort((a, b) => b.length - a.length);

export const SEASON_WORDS = sorted(SEASON_BY_LANGUAGE.flatMap(([, one, many]) => `${one} ${many}`.split(' ')));
export const PLURAL_SEASON_WORDS = new Set(sorted(SEASON_BY_LANGUAGE.flatMap(([, , many]) => many.split(' '))));

/** "Episode" in the languages that names are written in, as broadcasters and media servers' language packs have it. */
const EPISODE_BY_LANGUAGE: readonly (readonly [language: string, words: string])[] = [
  ['English', 'episode episodes eps epi ep'],
  ['French', 'épisode épisodes'],
  ['Spanish, Portuguese', 'episodio episódio episodios episódios capitulo capítulo capitulos capítulos cap'],
  ['Italian', 'puntata episodi'],
  ['German', 'folge folgen'],
  ['Dutch', 'aflevering afl'],
  ['Polish', 'odcinek odcinki odc'],
  ['Czech, Slovak', 'epizoda díl dil'],
  ['Swedish, Norwegian, Danish', 'avsnitt afsnit episoden'],
  ['Finnish', 'jakso osa'],
  ['Hungarian', 'rész epizód'],
  ['Turkish', 'bölüm bolum'],
  ['Romanian', 'episodul'],
  ['Greek', 'επεισόδιο'],
  ['Russian, Ukrainian', 'серия серии серий серія сер эпизод эпизоды епізод выпуск випуск выпуски'],
  ['Russian in Latin letters', 'seriya serija serii serij serya ser epizod vypusk'],
  ['Arabic', 'الحلقة حلقة'],
  ['Hebrew', 'פרק'],
  ['Thai', 'ตอนที่ ตอน'],
  ['Vietnamese', 'tập'],
  ['Indonesian', 'episod'],
];

export const EPISODE_WORDS = sorted(EPISODE_BY_LANGUAGE.flatMap(([, words]) => words.split(' ')));
