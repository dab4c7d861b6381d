/** Numbers that are written as words, Roman numerals or Chinese signs. */

const ROMAN: Record<string, number> = { I: 1, V: 5, X: 10, L: 50 };
/** The words of each line, parted by blanks, with the number of the line. */
const counted = (lines: readonly string[], first = 0): Map<string, number> =>
  new Map(lines.flatMap((words, at) => words.split(' ').map((word) => [word, first + at] as const)));
const SIGNS = counted([
  '零 〇',
  '一 壱 壹',
  '二 弐 贰 两 兩',
  '三 参 叁',
  '四 肆',
  '五 伍',
  '六 陆',
  '七 柒',
  '八 捌',
  '九 玖',
]);
const WORDS = counted([
  'zero',
  'one un une uno ein eins eine первый',
  'two deux dos zwei due второй',
  'three trois tres drei tre третий',
  'four quatre cuatro vier quattro',
  'five cinq cinco fünf cinque',
  'six seis sechs sei',
  'seven sept siete sieben sette',
  'eight huit ocho acht otto',
  'nine neuf nueve neun nove',
  'ten dix diez zehn dieci',
  'eleven onze once elf',
  'twelve douze doce zwölf',
]);
const ORDINALS = counted(
  [
    'first premiere première primera primeira prima erste الأول الأولى',
    'second deuxieme deuxième segunda seconda zweite الثاني الثانية',
    'third troisieme troisième tercera terceira terza dritte الثالث الثالثة',
    'fourth quatrieme quatrième cuarta quarta vierte الرابع الرابعة',
    'fifth cinquieme cinquième quinta fünfte الخامس الخامسة',
    'sixth sixieme sixième sexta sesta sechste السادس السادسة',
    'seventh septima settima السابع السابعة',
    'eighth octava ottava الثامن الثامنة',
    'ninth novena nona التاسع التاسعة',
    'tenth decima العاشر العاشرة',
    'eleventh',
    'twelfth',
  ],
  1,
);

/** All words of number, for patterns. */
export const NUMBER_WORD = [...WORDS.keys()].join('|');
export const ORDINAL_WORD = [...ORDINALS.keys()].join('|');
/** Arabic puts the word for the place behind the season's and the episode's. */
export const ARABIC_ORDINAL = [...ORDINALS.keys()].filter((word) => /^\p{Script=Arabic}/u.test(word)).join('|');
export const SIGN_NUMBER = '[零〇一壱壹二弐贰两三参叁四肆五伍六陆七柒八捌九玖十拾百]{1,7}';
export const ROMAN_NUMBER = '(?:x{0,3})(?:ix|iv|v?i{0,3})';

/** `12`, `xii`, `twelve`, `十二`; null for what is none. */
export function numberOf(written: string): number | null {
  if (/^\d{1,5}$/.test(written)) return Number(written);
  const lower = written.toLowerCase();
  return WORDS.get(lower) ?? ORDINALS.get(lower) ?? romanOf(written) ?? signsOf(written);
}

/** A Roman numeral up to 89; null for what is none, `IIX` too. */
export function romanOf(written: string): number | null {
  const upper = written.toUpperCase();
  if (!/^(?=.)L?X{0,3}(?:IX|IV|V?I{0,3})$/.test(upper)) return null;
  let sum = 0;
  for (let at = 0; at < upper.length; at++) {
    const value = ROMAN[upper.charAt(at)] ?? 0;
    sum += value < (ROMAN[upper.charAt(at + 1)] ?? 0) ? -value : value;
  }
  return sum;
}

/** Chinese numerals up to 999, by places (`二十一`) or by digits (`二一`). */
export function signsOf(written: string): number | null {
  let sum = 0;
  let digit: number | null = null;
  let places = false;
  let plain = '';
  for (const sign of written) {
    const value = SIGNS.get(sign);
    if (value !== undefined) {
      digit = value;
      plain += String(value);
    } else if (sign === '十' || sign === '拾' || sign === '百') {
      places = true;
      sum += (digit ?? 1) * (sign === '百' ? 100 : 10);
      digit = null;
    } else return null;
  }
  if (written === '') return null;
  return places ? sum + (digit ?? 0) : Number(plain);
}

/**
 * "Season" in the languages that folders and names are written in, as media servers' language packs have it.
 * `plural` words promise several numbers.
 */
const SEASON_BY_LANGUAGE: readonly (readonly [language: string, singular: string, plural: string])[] = [
  ['English', 'season seas', 'seasons'],
  ['French', 'saison', 'saisons'],
  ['German', 'staffel', 'staffeln'],
  ['Spanish, Portuguese', 'temporada temp', 'temporadas'],
  ['Italian', 'stagione stag', 'stagioni'],
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
  ['Vietnamese', 'phần mùa', ''],
  ['Indonesian, Malay', 'musim', ''],
  ['Estonian', 'hooaeg', 'hooajad'],
  ['Lithuanian', 'sezonas', 'sezonai'],
  ['Latvian, Bosnian', 'sezonā', 'sezonas'],
  ['Serbian, Macedonian', 'сезоната', ''],
  ['Albanian', 'sezoni', 'sezonet'],
  ['Persian, Urdu', 'فصل سیزن', ''],
  ['Hindi, Marathi', 'सीज़न सीजन', ''],
  ['Bengali', 'সিজন', ''],
  ['Tamil', 'சீசன்', ''],
  ['Georgian', 'სეზონი', ''],
  ['Armenian', 'սեզոն', ''],
  ['Basque', 'denboraldia', ''],
  ['Welsh', 'cyfres', ''],
  ['Irish', 'sraith', ''],
];

/** Longest first, so that an alternation takes the whole word. */
const sorted = (words: string[]): string[] => words.filter((word) => word !== '').sort((a, b) => b.length - a.length);

export const SEASON_WORDS = sorted(
  SEASON_BY_LANGUAGE.flatMap(([, one, many]) => `${one} ${many}`.normalize('NFC').split(' ')),
);
export const PLURAL_SEASON_WORDS = new Set(sorted(SEASON_BY_LANGUAGE.flatMap(([, , many]) => many.split(' '))));

/** "Episode" in the languages that names are written in, as broadcasters and media servers' language packs have it. */
const EPISODE_BY_LANGUAGE: readonly (readonly [language: string, words: string])[] = [
  ['English', 'episode episodes eps epi ep'],
  ['French', 'épisode épisodes épis'],
  ['Spanish, Portuguese', 'episodio episódio episodios episódios capitulo capítulo capitulos capítulos cap'],
  ['Italian', 'puntata episodi'],
  ['German', 'folge folgen'],
  ['Dutch', 'aflevering afl'],
  ['Polish', 'odcinek odcinki odc'],
  ['Czech, Slovak', 'epizoda epizóda díl dil diel časť'],
  ['Swedish, Norwegian, Danish', 'avsnitt afsnit episoden'],
  ['Finnish', 'jakso osa'],
  ['Hungarian', 'rész epizód'],
  ['Turkish', 'bölüm bolum blm'],
  ['Romanian', 'episodul'],
  ['Greek', 'επεισόδιο'],
  ['Russian, Ukrainian', 'серия серии серий серія сер эпизод эпизоды епізод выпуск випуск выпуски'],
  ['Russian in Latin letters', 'seriya serija serii serij serya ser epizod vypusk'],
  ['Arabic', 'الحلقة حلقة'],
  ['Hebrew', 'פרק'],
  ['Thai', 'ตอนที่ ตอน'],
  ['Vietnamese', 'tập'],
  ['Indonesian, Malay', 'episod'],
  ['Icelandic', 'þáttur'],
  ['Catalan', 'capítol capitol'],
  ['Estonian', 'osa'],
  ['Lithuanian, Latvian', 'serija sērija epizodas'],
  ['Serbian, Bulgarian', 'епизода епизод'],
  ['Albanian', 'episodi'],
  ['Persian, Urdu', 'قسمت قسط'],
  ['Hindi, Marathi', 'एपिसोड भाग'],
  ['Bengali', 'পর্ব এপিসোড'],
  ['Tamil', 'எபிசோட்'],
  ['Georgian', 'სერია'],
  ['Armenian', 'սերիա'],
  ['Basque', 'atala'],
  ['Welsh', 'pennod'],
  ['Irish', 'eagrán'],
];

export const EPISODE_WORDS = sorted(EPISODE_BY_LANGUAGE.flatMap(([, words]) => words.normalize('NFC').split(' ')));
/** Those that a bare number stands before, too: "5 серия", "12 Bölüm". */
export const COUNTED_EPISODE_WORDS =
  'серия|серии|серій|серія|сер|эпизод|епизода|выпуск|seriya|seri[ij]a|serii|ser|bölüm|bolum|blm|avsnitt|afsnit|jakso|rész|epizód|epizoda|díl|odcinek|aflevering|folge|sērija|osa|epizodas|pennod';

/** A piece of what was made in parts, and the word between its number and how many there are. */
export const PART_WORD =
  'part|pt|parte|partie|teil|deel|del|osa|część|czesc|cz|část|časť|часть|частина|част|rész|bölüm|μέρος|episode|ep|folge|aflevering|díl|odcinek|capítulo|capitulo|épisode|episodio|episódio|avsnitt|afsnit|jakso';
export const OF_WORD = 'of|von|sur|van|de|di|du|av|af|z|ze|iz|из|з|от|från|out[\\s._]of';
