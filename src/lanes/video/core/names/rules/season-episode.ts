/** A season and an episode said together: `S01E02`, `1x02`, `S2 - 05`, `Episode 1.22`. */
import { type Looseness, readList } from './number-list.ts';
import { isYear, type Rule } from './rule.types.ts';

/** A season is below 200, or a year. */
const isSeason = (number: number): boolean => number < 200 || isYear(number);
const versionOf = (text: string, at: number): number | null => {
  const found = /^[ab]?[ ._]?v(\d)(?!\d)/i.exec(text.slice(at, at + 5));
  return found === null ? null : Number(found[1]);
};
/** A letter that halves an episode (`E01b`) or a version (`v2`) belongs to the number. */
const endOf = (text: string, at: number): number =>
  at + (/^[a-d](?![\p{L}\p{N}])|^(?:[ ._]?v\d)(?!\d)/iu.exec(text.slice(at, at + 5))?.[0].length ?? 0);
const two = (number: number): string => String(number).padStart(2, '0');

/** The match ends with the first episode; others may follow it. */
function both(match: RegExpExecArray, text: string, looseness: Looseness = 'tight'): ReturnType<Rule['read']> {
  const [season, episode] = [Number(match[1]), Number(match[2])];
  if (!isSeason(season)) return null;
  const { numbers, end } = readList(text, match.index + match[0].length, episode, looseness);
  const last = numbers.at(-1) ?? episode;
  const shown = `S${two(season)}E${two(episode)}${last === episode ? '' : `-E${two(last)}`}`;
  const reason = `"${match[0]}" says season and episode (${shown}).`;
  return { season: [season], episodes: numbers, version: versionOf(text, end), end: endOf(text, end), reason };
}

/** One season and one episode. */
function one(match: RegExpExecArray, season: number, episode: number, words = 'says season', more = ''): Said {
  const reason = `"${match[0]}" ${words} ${season} and episode ${episode}${more}.`;
  return { season: [season], episodes: [episode], reason };
}
type Said = NonNullable<ReturnType<Rule['read']>>;

export const SEASON_EPISODE: readonly Rule[] = [
  {
    name: 'season-e-episode',
    strength: 1,
    pattern:
      /(?<![\p{L}\p{N}])(?:s|t|se|sn|so|sezon|season|σ|k(?=\d\d))[ ._]?(\d{1,4})[ ._]{0,2}(?:[-,([#][ ._]{0,2})?(?:[xex]?e|ep|eps|episodes?|ex|folge|afl|cap|ε|f(?=\d)|[ab](?=\d\d))[ ._#-]{0,2}(\d{1,4})(?!\p{N})/giu,
    read: (match, text) => {
      // "EP #1.2" says the season too.
      if (/#\d+$/.test(match[0]) && /^\.\d/.test(text.slice(match.index + match[0].length))) return null;
      return both(match, text, /(?:episodes?|folge)[ ._]*\d+$/i.test(match[0]) ? 'worded' : 'tight');
    },
  },
  {
    name: 'episode-season',
    strength: 0.96,
    pattern: /(?<![\p{L}\p{N}])(?:e|ep)(\d{1,3})[ ._-]{0,3}s(\d{1,2})(?![\p{L}\p{N}])/giu,
    read: (match) => one(match, Number(match[2]), Number(match[1])),
  },
  {
    name: 'season-of-episode-of',
    strength: 1,
    pattern:
      /(?<![\p{L}\p{N}])(?:s|season|series|saison|staffel)[ ._]?(\d{1,2})[ ._]?of[ ._]?\d{1,2}[ ._-]{1,3}(\d{1,3})[ ._]?of[ ._]?\d{1,3}(?![\p{L}\p{N}])/giu,
    read: (match) => one(match, Number(match[1]), Number(match[2])),
  },
  {
    name: 'season-e-episode-glued',
    strength: 0.9,
    pattern: /(?<=\p{L})S(\d{2})[ ._]?E(\d{2,3})(?!\p{N})/gu,
    read: (match, text) => both(match, text),
  },
  {
    name: 'code-confirmed',
    strength: 0.85,
    pattern: /(?<![\p{L}\p{N}])([1-9]\d?)(\d{2})[ ._]\((\d{2})\)/gu,
    read: (match) => {
      const [season, episode] = [Number(match[1]), Number(match[2])];
      if (episode !== Number(match[3])) return null;
      return one(match, season, episode, undefined, ' twice');
    },
  },
  {
    name: 's-four-digits',
    strength: 0.85,
    pattern: /(?<![\p{L}\p{N}])S(\d{2})(\d{2})(?![\p{L}\p{N}])/gu,
    read: (match) => {
      const [season, episode] = [Number(match[1]), Number(match[2])];
      if (season === 0 || season > 40 || episode === 0 || /^S(?:19|20)/.test(match[0])) return null;
      return one(match, season, episode);
    },
  },
  {
    name: 'season-x-episode-glued',
    strength: 0.8,
    pattern: /(?<=\p{Ll})(\d{1,2})x(\d{2})(?![\p{L}\p{N}])/gu,
    read: (match, text) => both(match, text, 'marked'),
  },
  {
    name: 'season-dot-episode-bracketed',
    strength: 0.8,
    pattern: /(?<=[[(])(\d{1,2})\.(\d{2,3})(?=[\])])/gu,
    read: (match) => {
      const [season, episode] = [Number(match[1]), Number(match[2])];
      if (season === 0 || episode === 0) return null;
      return one(match, season, episode, 'in brackets says season');
    },
  },
  {
    name: 's-season-x-episode',
    strength: 0.97,
    pattern: /(?<![\p{L}\p{N}])[st](\d{1,4})x(\d{1,4})(?!\p{N})/giu,
    read: (match, text) => both(match, text),
  },
  {
    name: 'season-x-episode',
    strength: 0.95,
    pattern: /(?<![\p{L}\p{N}])(\d{1,4})[xх](\d{1,4})(?!\p{N})(?!p(?!\p{L}))/giu,
    read: (match, text) => {
      const [season, episode] = [Number(match[1]), Number(match[2])];
      if (season > 99 && !isYear(season)) return null;
      if (episode > 999 || /^26[2-6]$/.test(match[2] ?? '')) return null;
      // A frame's width and height, a picture's ratio.
      if (season > 99 && episode > 400) return null;
      return both(match, text);
    },
  },
  {
    name: 's-season-dash-episode',
    strength: 0.85,
    pattern:
      /(?<![\p{L}\p{N}])S(\d{1,2})(?:[ ._]?-[ ._]?|[ ._]{1,2})(?!(?:480|540|576|720|1080|2160)\b|\d{4}(?!\p{N})|0?\d{1,2}[ ._]of)(\d{1,4})(?![\p{L}\p{N}]|[.]\d\b)/giu,
    read: (match, text) => {
      const whole = match[0];
      const end = match.index + whole.length;
      const spaced = /-[ ._]|[ ._]-/.test(whole);
      const [season, episode] = [Number(match[1]), Number(match[2])];
      // "S01-07" is a pack of seasons; "S2-07" is none, for the widths differ.
      const tight = !spaced && whole.includes('-');
      if (tight && match[1]?.length === match[2]?.length && episode > season && episode <= season + 24) return null;
      if (tight && !/^[\s\])]|^$/.test(text.slice(end, end + 1))) return null;
      if (/^[ ._-]\d{1,2}(?![\p{L}\p{N}])/u.test(text.slice(end, end + 4)) && !spaced) return null;
      return both(match, text, spaced ? 'tight' : 'marked');
    },
  },
  {
    name: 'episode-dotted',
    strength: 0.85,
    pattern: /(?<![\p{L}\p{N}])(?:episode|ep)[ ._]?(?:(\d{1,2})\.(\d{2})|#(\d{1,2})\.(\d{1,2}))(?![\p{N}]|\.\d)/giu,
    read: (match) => {
      const [season, episode] = [Number(match[1] ?? match[3]), Number(match[2] ?? match[4])];
      return one(match, season, episode);
    },
  },
  {
    name: 'cap-three-digits',
    strength: 0.8,
    pattern: /(?<![\p{L}\p{N}])cap\.?[ ._]?(\d{1,2})(\d{2})(?:[_-](\d{1,2})?(\d{2}))?(?!\p{N})/giu,
    read: (match) => {
      const [season, episode, last] = [Number(match[1]), Number(match[2]), Number(match[4] ?? 0)];
      if (season === 0) return null;
      const episodes = [episode];
      for (let next = episode + 1; next <= last; next++) episodes.push(next);
      return { ...one(match, season, episode, 'names season', ' in the Spanish way'), episodes };
    },
  },
];
