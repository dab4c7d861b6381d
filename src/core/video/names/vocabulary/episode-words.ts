/** "Episode" in the languages that names are written in, as broadcasters and media servers' language packs have it. */
const BY_LANGUAGE: readonly (readonly [language: string, words: string])[] = [
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

/** Longest first, so that an alternation takes the whole word. */
export const EPISODE_WORDS = BY_LANGUAGE.flatMap(([, words]) => words.split(' ')).sort((a, b) => b.length - a.length);
