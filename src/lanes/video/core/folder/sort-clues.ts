/** VIDEO-31: which videos can be episodes at all, and by what. */
import type { Clue } from './clue.ts';
import { type KnownShow, matchTitle } from './known-show.ts';

export interface SortedClues {
  numbered: Clue[];
  dated: Clue[];
  specials: Clue[];
  /** Neither number nor day: only a title can say it. */
  wordy: Clue[];
  movies: Clue[];
  extras: Clue[];
  /** S01E05 with a word of extras in it: an extra, unless no other file is that episode. */
  doubtful: Clue[];
}

/** Kinds that a name's reader is sure of: no episode's title is so. */
const SURELY_EXTRA = /sample|\bnc|creditless|opening|ending|menu/iu;

/** @param titles of the show, as names and catalog write it: their words are no words of extras */
export function sortClues(clues: readonly Clue[], show: KnownShow, titles: readonly string[]): SortedClues {
  const small = titles
    .map((title) => title.normalize('NFC').toLowerCase())
    .filter((title) => title !== '' && extraWordIn(title) !== 'sure');
  const sorted: SortedClues = {
    numbered: [],
    dated: [],
    specials: [],
    wordy: [],
    movies: [],
    extras: [],
    doubtful: [],
  };
  for (const clue of clues) sorted[placeOf(clue, show, small)].push(clue);
  return sorted;
}

function placeOf(clue: Clue, show: KnownShow, titles: readonly string[]): keyof SortedClues {
  const { own, role, seasonBy, season, numbers } = clue;
  const marked = seasonBy === 'marked';
  const word = extraWordOf(clue, titles);
  if (marked && season === 0 && word !== 'sure' && (show.counted ? isThere(clue, show) : word === null && !role.extras))
    return 'specials';
  if (role.extras) return 'extras';
  const titled = word === 'sure' || marked ? null : matchTitle(clue.stem, show.episodes, show);
  // The catalog has it by this title, word for word; a number that the title has in it counts nothing.
  const isTitled = titled !== null && titled.likeness >= SAME && explains(titled.episode.title ?? '', numbers);
  if (isTitled && (word === null || titled.likeness === 1) && !saysMovie(clue))
    return titled.episode.season === 0 ? 'specials' : 'wordy';
  if (word === 'sure' || (word === 'perhaps' && (!marked || season === 0))) return 'extras';
  if (word === 'perhaps') return 'doubtful';
  if (isFestive(clue, show, titles)) return 'specials';
  if (isMovie(clue)) return 'movies';
  if (clue.special) return 'specials';
  if (clue.dates.length > 0 && (numbers.length === 0 || clue.dates.some(({ day }) => show.byDate(day).length > 0)))
    return 'dated';
  if (numbers.length === 0) return 'wordy';
  if (numbers.includes(0) && show.at({ season: season ?? 1, episode: 0 }) === null) return 'specials';
  return own.type === 'movie' && !clue.byColumn && own.year !== null ? 'movies' : 'numbered';
}

const FESTIVE =
  /(?<!\p{L})(?:(?:christmas|xmas|holiday|halloween|easter|new[\s._-]year(?:'?s)?(?:[\s._-]eve)?|thanksgiving|anniversary|reunion)(?!\p{L})|weihnacht|silvester|ostern|jubiläum|noël|navidad|natale|natal(?!\p{L})|jul(?:special|avsnitt|kalender)?(?!\p{L})|новогодн|рождеств|specials?(?!\p{L}))/iu;

/** The show's title with a feast or "special" behind it, where the catalog has specials: no film, though a year is in it. */
function isFestive(clue: Clue, show: KnownShow, titles: readonly string[]): boolean {
  if (show.specials.length === 0 || clue.own.type !== 'movie' || clue.numbers.length > 0 || saysMovie(clue))
    return false;
  const stem = clue.stem.normalize('NFC').toLowerCase().replace(/[._]+/g, ' ');
  const title = titles.find((one) => stem.startsWith(one));
  return title !== undefined && FESTIVE.test(stem.slice(title.length));
}

const SAME = 0.95;

const explains = (title: string, numbers: readonly number[]): boolean =>
  numbers.every((number) => (title.match(/\d+/g) ?? []).some((one) => Number(one) === number));

/** What the name without the show's title says. */
function extraWordOf({ own, stem }: Clue, titles: readonly string[]): ExtraWord | null {
  let rest = stem.normalize('NFC').toLowerCase();
  for (const title of titles) rest = rest.replace(title, ' ').replace(title.replaceAll(' ', '.'), ' ');
  const word = extraWordIn(rest);
  if (own.type !== 'extra') return word;
  return word === 'sure' || SURELY_EXTRA.test(own.special ?? '') ? 'sure' : 'perhaps';
}

const isThere = ({ numbers }: Clue, show: KnownShow): boolean =>
  numbers.length > 0 && numbers.every((episode) => show.at({ season: 0, episode }) !== null);

function isMovie(clue: Clue): boolean {
  if (clue.role.movies || saysMovie(clue)) return true;
  return clue.own.type === 'movie' && clue.numbers.length === 0 && clue.own.year !== null;
}

const MOVIE =
  /(?:^|[^\p{L}])(?:(?:the[\s._-]*)?movie|gekijou?-?ban|eiga|film)(?!\p{L})|劇場版|剧场版|电影版|電影版|映画|극장판|фильм/iu;

/** Says of itself that it is a film, before any number that its neighbours count at: after that comes a title. */
function saysMovie({ stem, role, seasonBy, column, own }: Clue): boolean {
  if (role.movies) return true;
  if (seasonBy === 'marked') return false;
  const title = own.title ?? '';
  if (
    title !== '' &&
    MOVIE.test(title) &&
    own.type === 'episode' &&
    column !== null &&
    !MOVIE.test(title.replace(MOVIE, ' '))
  ) {
    return MOVIE.test(column.before);
  }
  return MOVIE.test(column === null ? stem : column.before);
}

/** VIDEO-31: words by which names of a show's folder call themselves extras, in the languages that names are seen in. */
type ExtraWord = 'sure' | 'perhaps';

/** No title of an episode: marks of releases. */
const SURE =
  /(?:^|[^\p{L}])(?:nc[\s._-]?(?:op|ed)|creditless|textless|clean[\s._-](?:opening|ending|op|ed)|ノンクレジット|ノンテロップ)|(?:^|[^\p{L}\p{N}])(?:pv|cm|menu|sample|rarbg)[\s._-]*\d{0,2}(?=$|[^\p{L}\p{N}])|-(?:behindthescenes|deleted|featurette|interview|scene|short|trailer|other)\d{0,2}$/iu;
/** Some episode may be called so: they count where nothing speaks against it. */
const PERHAPS =
  /(?:^|[^\p{L}])(?:making[\s._-]of|behind[\s._-]?the[\s._-]?scenes|inside[\s._-]the[\s._-]episode|commentary|music[\s._-]videos?|photo[\s._-]gallery|picture[\s._-]drama|deleted[\s._-]scenes?|gag[\s._-]reel|bloopers?|outtakes?|featurettes?|interviews?|trailers?|teasers?|promos?|previews?|sneak[\s._-]peek|opening|ending|op[\s._-]?\d{0,2}|ed[\s._-]?\d{0,2}|bonus|extras?|hinter[\s._-]den[\s._-]kulissen|verpatzte[\s._-]szenen|bande[\s._-]annonce|b[êe]tisier|en[\s._-]coulisses|d[ée]tr[áa]s[\s._-]de[\s._-](?:las[\s._-])?c[áa]maras|tomas[\s._-]falsas|dietro[\s._-]le[\s._-]quinte|zwiastun|трейлер|тизер|анонс|фильм[\s._-]о[\s._-]фильме|как[\s._-]снимали|неудачные[\s._-]дубли|за[\s._-]кадром|удал[её]нные[\s._-]сцены|интервью)(?![\p{L}])|花絮|幕后|幕後|预告|預告|片花|主题曲|主題曲|片头|片頭|片尾|采访|採訪|制作特辑|メイキング|予告|映像特典|特典|インタビュー|座談会|次回|예고|메이킹|인터뷰|비하인드|하이라이트|精彩片段|精彩集锦|制作花絮|导演剪辑访谈/iu;

/** What the text, without the show's title, says of itself; null where nothing. */
export function extraWordIn(text: string): ExtraWord | null {
  const plain = text.normalize('NFKC');
  return SURE.test(plain) ? 'sure' : PERHAPS.test(plain) ? 'perhaps' : null;
}

/** Nothing but such words: "The Interview" may be an episode's title, "Bloopers" and "Cast Interviews 2" are none. */
export function isOnlyExtraWords(text: string): boolean {
  const rest = text
    .normalize('NFKC')
    .replace(new RegExp(PERHAPS.source, 'giu'), ' ')
    .replace(/(?<!\p{L})(?:official|cast|crew|season|teaser|audio|video|with|and)(?!\p{L})/giu, ' ');
  return !/\p{L}/u.test(rest);
}
