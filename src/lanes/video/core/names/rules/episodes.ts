/** An episode by its word or mark, without a season: `E05`, `Ep. 5`, `#5`, `第5話`, `5화`, `5 серия`, `5 of 6`. */
import {
  numberOf,
  NUMBER_WORD,
  SIGN_NUMBER,
  ARABIC_ORDINAL,
  EPISODE_WORDS,
  COUNTED_EPISODE_WORDS,
  OF_WORD,
  PART_WORD,
} from '../number-words.ts';
import { type Looseness, readList } from './number-list.ts';
import type { Rule } from './rule.types.ts';

const WORD = EPISODE_WORDS.join('|');
const sentence = (written: string, numbers: readonly number[]): string =>
  numbers.length === 1
    ? `"${written.trim()}" says episode ${numbers[0]}.`
    : `"${written.trim()}" says episodes ${numbers[0]} to ${numbers.at(-1)}.`;
/** Sources that only what was on television has. */
const TELEVISION = /(?<![\p{L}\p{N}])(?:hdtv|pdtv|sdtv|dsr|tvrip|hdtvrip|dvbrip|dvb|satrip|ahdtv|webtv)(?!\p{L})/iu;
/** Version and half-letter behind a number. */
const TAIL = /[a-d](?![\p{L}\p{N}])|[ ._]?v(\d)(?![\p{L}\p{N}])/iuy;

function said(text: string, match: RegExpExecArray, first: number, looseness: Looseness) {
  const list = readList(text, match.index + match[0].length, first, looseness);
  TAIL.lastIndex = list.end;
  const tail = TAIL.exec(text);
  return {
    episodes: list.numbers,
    end: list.end + (tail?.[0].length ?? 0),
    version: tail?.[1] === undefined ? null : Number(tail[1]),
    reason: sentence(text.slice(match.index, list.end), list.numbers),
  };
}

export const EPISODES: readonly Rule[] = [
  {
    name: 'fractional-episode',
    strength: 0.86,
    pattern: /(?<![\p{L}\p{N}])(?:e|ep|episode)[ ._]?(\d{1,4}\.5)(?!\p{N})/giu,
    read: (match) => ({
      absolute: [Number(match[1])],
      reason: `"${match[0]}" lies between two episodes: a recap or a special.`,
    }),
  },
  {
    name: 'e-episode',
    strength: 0.85,
    // Chinese and Japanese put no space before it.
    pattern:
      /(?<![\p{N}']|[^\P{L}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])(?:e|ep|eps)(\d{1,5})(?![\p{N}]|[a-z]{2})/giu,
    read: (match, text) => {
      const spaced = /^(?:[ ._]\d{2}(?!\d)){2,}/.exec(text.slice(match.index + match[0].length));
      const first = Number(match[1]);
      if (spaced !== null) {
        const more = [first, ...[...spaced[0].matchAll(/\d+/g)].map(([number]) => Number(number))];
        const end = match.index + match[0].length + spaced[0].length;
        return { episodes: more, end, reason: sentence(text.slice(match.index, end), more) };
      }
      return said(text, match, first, 'tight');
    },
  },
  {
    name: 'episode-word-number',
    strength: 0.9,
    pattern: new RegExp(
      `(?<!\\p{L})(${WORD})(?:[\\s._:]{0,3}(?:[-№#(]{1,2}[\\s._]?)?)(\\d{1,5}|(?:${NUMBER_WORD}|${ARABIC_ORDINAL})(?!\\p{L}))(?!\\p{N})(?!\\.\\d{1,2}(?!\\p{N})(?!\\.\\p{L}))`,
      'giu',
    ),
    read: (match, text) => {
      const number = numberOf(match[2] ?? '');
      if (number === null) return null;
      // "5. díl (2)": the number of the word is before it.
      if (match[0].includes('(') && /\d[.ªº°]?[\s._]{0,2}$/.test(text.slice(0, match.index))) return null;
      return said(text, match, number, /\d$/.test(match[0]) ? 'worded' : 'marked');
    },
  },
  {
    name: 'number-episode-word',
    strength: 0.88,
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}]|[-]\\d)(?:(\\d{1,4})-)?(\\d{1,4})(?:[\\s._]?(?:-?(?:я|ая|ый|й|ой)|\\.|ª|º|°|th|st|nd|rd|[ea]|ème|eme)?[\\s._]{0,2}(?:${COUNTED_EPISODE_WORDS})|(?:\\.|ª|º|°|th|st|nd|rd|ème|eme|e)[\\s._]{1,2}(?:${WORD}))(?!\\p{L})`,
      'giu',
    ),
    read: (match) => spanned(match[0], match[1] ?? match[2], match[2]),
  },
  {
    name: 'number-of-number',
    strength: 0.82,
    pattern:
      /(?<![\p{L}\p{N}]|(?<!\d)\d\.)(?:(?:part|pt)[ ._]?)?(?:(\d{1,3})-)?(\d{1,3})[ ._]?(?:of|iz|из|de|von|sur|di)[ ._]?(\d{1,3})(?![\p{L}\p{N}])/giu,
    read: (match) => {
      const [last, all] = [Number(match[2]), Number(match[3])];
      const first = match[1] === undefined ? last : Number(match[1]);
      if (last > all || first > last || all < 2) return null;
      if (/d[ei]|sur|von/i.test(match[0]) && all > 60) return null;
      const episodes = Array.from({ length: last - first + 1 }, (_, n) => first + n);
      return { episodes, reason: `"${match[0]}" counts episode ${last} of ${all}.` };
    },
  },
  {
    name: 'part-of-number',
    strength: 0.84,
    pattern: new RegExp(
      `(?<!\\p{L})(?:${PART_WORD})[\\s._]{0,2}(\\d{1,3}|${NUMBER_WORD})[\\s._]{1,2}(?:${OF_WORD})[\\s._]{1,2}(\\d{1,3}|${NUMBER_WORD})(?![\\p{L}\\p{N}])`,
      'giu',
    ),
    read: (match) => {
      const [number, all] = [numberOf(match[1] ?? ''), numberOf(match[2] ?? '')];
      if (number === null || all === null || number < 1 || number > all || all < 2) return null;
      return { episodes: [number], reason: `"${match[0]}" counts part ${number} of ${all}.` };
    },
  },
  {
    name: 'part-of-television',
    strength: 0.7,
    pattern: new RegExp(
      `(?<=[\\s._-])(?:part|pt|parte|partie|teil|deel)[\\s._]{0,2}(\\d{1,2}|${NUMBER_WORD}|[ivx]{1,4})(?![\\p{L}\\p{N}])`,
      'giu',
    ),
    read: (match, text) => {
      const number = numberOf(match[1] ?? '');
      const isBroadcast = TELEVISION.test(text) && !/(?<!\d)(?:19|20)\d\d(?![\dxp])/.test(text);
      if (number === null || number === 0 || !isBroadcast) return null;
      return { episodes: [number], reason: `"${match[0]}" counts part ${number} of what was on television.` };
    },
  },
  {
    name: 'special-number',
    strength: 0.75,
    pattern:
      /(?<=[\s_.-])(?:[Oo][Vv][Aa]|[Oo][Aa][Dd]|ONA|SP|EX|Special)(?:[ ._-]| - )?(\d{1,2})(?:v\d)?(?![\p{L}\p{N}])/gu,
    read: (match) => ({ episodes: [Number(match[1])], reason: `"${match[0]}" is special ${Number(match[1])}.` }),
  },
  {
    name: 'hash-episode',
    strength: 0.8,
    pattern: /(?<=^|[\s_([-])#(\d{1,4})(?!\p{N})/gu,
    // "321 - Viewer Mail #1": the name begins with the number that counts.
    read: (match, text) => (/^\d{1,4} - /.test(text) ? null : said(text, match, Number(match[1]), 'tight')),
  },
  {
    name: 'chinese-episode',
    foreign: true,
    strength: 0.95,
    pattern: new RegExp(
      `第[\\s]?(\\d{1,4}|${SIGN_NUMBER})(?:[\\s]?[-~][\\s]?第?(\\d{1,4}|${SIGN_NUMBER}))?[\\s]?(?:話|话|集|回|夜|弾|幕|羽|章)`,
      'gu',
    ),
    read: (match) => spanned(match[0], match[1], match[2]),
  },
  {
    name: 'counted-episode',
    foreign: true,
    strength: 0.88,
    pattern: /(?<![\p{N}.全])제?(\d{1,4})(?:[\s]?[-~][\s]?(\d{1,4}))?[\s]?(?:話|话|集|回|화|회|편)(?!全)/gu,
    read: (match, text) => (/[全共]$/.test(text.slice(0, match.index)) ? null : spanned(match[0], match[1], match[2])),
  },
];

function spanned(written: string, from: string | undefined, to: string | undefined) {
  const first = numberOf(from ?? '');
  const last = to === undefined ? first : numberOf(to);
  if (first === null || last === null || last < first || last - first > 500) return null;
  const episodes = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  return { episodes, reason: sentence(written, episodes) };
}
