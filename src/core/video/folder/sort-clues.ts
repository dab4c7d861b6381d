/** VIDEO-31: which videos can be episodes at all, and by what. */
import type { Clue } from './clue.ts';
import type { KnownShow } from './known-show.ts';
import { extraWordIn, type ExtraWord } from './extra-words.ts';
import { matchTitle } from './title-match.ts';

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
  if (isMovie(clue)) return 'movies';
  if (clue.special) return 'specials';
  if (clue.dates.length > 0 && (numbers.length === 0 || clue.dates.some(({ day }) => show.byDate(day).length > 0)))
    return 'dated';
  if (numbers.length === 0) return 'wordy';
  if (numbers.includes(0) && show.at({ season: season ?? 1, episode: 0 }) === null) return 'specials';
  return own.type === 'movie' && !clue.byColumn && own.year !== null ? 'movies' : 'numbered';
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

/** Says of itself that it is a film, before any number that its neighbours count at: behind that stands a title. */
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
