/** A season, or several: `S02`, `Season 2`, `2nd Season`, `Сезон: 1-8`, `第2季`, `Temporadas 1 & 2`. */
import {
  ARABIC_ORDINAL,
  EPISODE_WORDS,
  numberOf,
  NUMBER_WORD,
  ORDINAL_WORD,
  ROMAN_NUMBER,
  SIGN_NUMBER,
  PLURAL_SEASON_WORDS,
  SEASON_WORDS,
} from '../number-words.ts';
import { isYear, type Rule } from './rule.types.ts';

/** Words that a number before them counts, so that it is no season: "сезон 24 серия". */
const EPISODE_WORD = 'серия|серии|серій|серія|сер|эпизод|выпуск|seriya|seri[ij]a|serii|ser|bölüm|avsnitt|rész|díl';
const WORD = SEASON_WORDS.join('|');
const ORDINAL_MARK = '(?:st|nd|rd|th|ª|º|°|Â[ªºao]|a\\.?|o\\.?|er|e|ème|eme|-?[йяе]|-?(?:ой|ый|ий)|\\.)';
const sentence = (written: string, season: readonly number[]): string =>
  season.length === 1
    ? `"${written.trim()}" says season ${season[0]}.`
    : `"${written.trim()}" says seasons ${season[0]} to ${season.at(-1)}.`;
const MOST_SEASONS = 60;

/** Further seasons behind the first, as long as they rise: a list by commas and the like, one by spaces, or a span. */
function readSeasons(text: string, from: number, first: number, plural: boolean): { season: number[]; end: number } {
  const season = [first];
  let end = from;
  const next =
    /[\s._]*(?:(-{1,2}|~|:|to|through|до|по|ao?|al|bis|à)[\s._]*|[,&+/;]+[\s._]*[&+]?[\s._]*|[\s._]+(?:and|et|y|e|und|и)[\s._]+|[\s._]+|(?=s\d\d))(?:s(?:eason)?[\s._]?)?(\d{1,2})(?!(?!s\d\d)\p{L}|\p{N}|\s?(?:of|из|iz)\s?\d)/iuy;
  for (let count = 0; count < MOST_SEASONS; count++) {
    next.lastIndex = end;
    const match = next.exec(text);
    if (match === null) break;
    const value = Number(match[2]);
    const last = season.at(-1) ?? first;
    const written = match[0];
    if (value <= last || value > MOST_SEASONS) break;
    const marked = /s/i.test(written.replace(/and|seasons?/gi, (word) => (word.startsWith('s') ? 's' : '')));
    const dashed = match[1] !== undefined;
    const bySpace = !dashed && /^[\s._]*\d+$/.test(written);
    if (bySpace && !marked && !plural) {
      // "S02 03" is an episode; "S01 02 03" are seasons.
      const after = text.slice(end + written.length);
      if (
        value !== last + 1 ||
        (season.length === 1 && !new RegExp(`^[\\s._]+(?:[&+]\\s*)?0?${value + 1}(?![\\p{L}\\p{N}])`, 'u').test(after))
      )
        break;
    }
    if (dashed && !marked && !plural && /[\s._]-|-[\s._]/.test(written)) {
      // "Season 2 - 08" is an episode; "Season 1 - 4 Complete" are seasons.
      const padded = /0\d$/.test(written);
      const after = text.slice(end + written.length, end + written.length + 24);
      if (padded || value > 9 || !/complet|\+|full|pack|box|all/i.test(after)) break;
    }
    if (dashed) for (let between = last + 1; between < value; between++) season.push(between);
    season.push(value);
    end += written.length;
  }
  return { season, end };
}

const EPISODE_BEFORE = new RegExp(
  `(?<!\\p{L}|\\d[.ªº°]?[\\s._]{0,2})(?:${EPISODE_WORDS.join('|')})[\\s._]{0,2}$`,
  'iu',
);

/** One season, as a digit or a word says it; "Ep.6.Season.2": the number is an episode's. */
function one(match: RegExpExecArray, text: string): ReturnType<Rule['read']> {
  if (/^\d+\./.test(match[0]) && EPISODE_BEFORE.test(text.slice(Math.max(0, match.index - 24), match.index)))
    return null;
  const number = numberOf((match[1] ?? match[2] ?? '').replace(/[\s._]+$/, ''));
  return number === null ? null : { season: [number], reason: sentence(match[0], [number]) };
}

export const SEASONS: readonly Rule[] = [
  {
    name: 's-season',
    strength: 0.85,
    pattern:
      /(?<![\p{L}\p{N}']|\p{N}-)(?:s|se\.?(?=\d)|sezons?o?|t(?=0))(\d{1,2}|(?:19|20)\d\d|0\d\d)(?:(?![\p{L}\p{N}])|(?=S\d\d(?!\p{N}|E)|extras?|bonus|specials?))/giu,
    read: (match, text) => {
      const read = readSeasons(text, match.index + match[0].length, Number(match[1]), false);
      return { ...read, reason: sentence(text.slice(match.index, read.end), read.season) };
    },
  },
  {
    name: 's-season-disc',
    strength: 0.85,
    pattern: /(?<![\p{L}\p{N}'])s(\d{1,2})[ ._]?(?=(?:d|disc|dvd|vol)[ ._]?\d{1,2}(?!\p{N}))/giu,
    read: one,
  },
  {
    name: 'season-word-number',
    strength: 0.9,
    pattern: new RegExp(
      `(?<!\\p{L})(${WORD}|series(?![\\s._:]{0,3}s))[\\s._:]{0,3}(?:[-№#n°º(]{1,2}[\\s._]?)?(?:(?<=sezon)so?)?(\\d{1,4}|${NUMBER_WORD}|${ARABIC_ORDINAL}|${ROMAN_NUMBER}|${SIGN_NUMBER})(?![\\p{L}\\p{N}]|[x]\\d)(?!(?:\\s?[-~]\\s?\\d{1,4})?(?:-?(?:я|ая|ый))?[\\s._]{0,2}(?:${EPISODE_WORD})(?!\\p{L})(?![\\s._:№#]*\\d{1,3}(?![\\dpi])))`,
      'giu',
    ),
    read: (match, text) => {
      // "Final Season - 07": the number is an episode's.
      if (/(?:final|last)[\s._]$/i.test(text.slice(Math.max(0, match.index - 6), match.index)) && /-/.test(match[0]))
        return null;
      const word = (match[1] ?? '').toLowerCase();
      const written = match[2] ?? '';
      if (written === '') return null;
      const number = numberOf(written);
      if (number === null || (number > 199 && !isYear(number))) return null;
      if (word === 'series' && number > 99 && /^[ ._]*e\d/i.test(text.slice(match.index + match[0].length)))
        return null;
      if (/^[a-z]+$/i.test(written) && !/[\s._:]/.test(match[0])) return null;
      // "Season (8)" is a title's tail; "Series 1" is British.
      if (/\($/.test(match[0].slice(0, -written.length))) return null;
      const read = readSeasons(text, match.index + match[0].length, number, PLURAL_SEASON_WORDS.has(word));
      return { ...read, reason: sentence(text.slice(match.index, read.end), read.season) };
    },
  },
  {
    name: 'ordinal-season-word',
    strength: 0.93,
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}]|[-.]\\d|\\p{L}-)(?:(\\d{1,2}[\\s._]?(?=${ORDINAL_MARK})|[IVX]{1,4}(?=\\.?[\\s._]))(?:${ORDINAL_MARK})?[\\s._]{0,2}|(${ORDINAL_WORD})[\\s._])(?:tv[\\s._])?(?:${WORD})(?!\\p{L})`,
      'giu',
    ),
    read: one,
  },
  {
    name: 'number-season-word',
    strength: 0.84,
    pattern: new RegExp(`(?<![\\p{L}\\p{N}]|[-.]\\d|\\p{L}-)(\\d{1,2})[\\s._]{0,2}(?:${WORD})(?!\\p{L})`, 'giu'),
    read: one,
  },
  {
    name: 'chinese-season',
    foreign: true,
    strength: 0.92,
    pattern: new RegExp(`第[\\s]?(\\d{1,3}|${SIGN_NUMBER})[\\s]?(?:季|期|シーズン|シリーズ)`, 'gu'),
    read: one,
  },
  {
    name: 'counted-season',
    foreign: true,
    strength: 0.85,
    pattern: new RegExp(`(?<!\\p{N})(\\d{1,2})[\\s]?(?:기|期(?!間)|季)(?!\\p{L})|([一二三四五六七八九十])季`, 'gu'),
    read: one,
  },
];
