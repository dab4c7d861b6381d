/** Season and episode, said together in a text: `S01E03`, `1x03`, `Staffel 2, Folge 10`, `第1季第2集`. */
import { withoutAccents } from '../faults/words/fold.ts';

export interface SaidNumber {
  season: number;
  episode: number;
}

const SEASON_WORDS =
  'season series seas ser saison staffel temporada temp stagione stag seizoen sezon sezony sezonul sezóna série séria řada sezona säsong sesong sæson kausi tuotantokausi évad σεζόν κύκλος сезон сез الموسم عונה עונה シーズン シリーズ 시즌 ซีซั่น phần mùa musim hooaeg sezonas sezonā serie þáttaröð sezoni فصل सीज़न సీజన్ সিজন சீசன் denboraldia cyfres sraith';
const EPISODE_WORDS =
  'episode episodes ep eps épisode épis episodio episódio capitulo capítulo cap puntata folge flg aflevering afl odcinek odc epizoda epizóda díl dil diel časť avsnitt afsnit jakso osa rész epizód bölüm episodul επεισόδιο серия серія сер эпизод епізод епизод выпуск випуск вып الحلقة حلقة פרק エピソード ตอนที่ ตอน tập episod þáttur capítol sērija epizodas episodi قسمت एपिसोड পর্ব எபிசோட் ఎపిసోడ్ atala pennod';

const words = (of: string): string =>
  of
    .split(' ')
    .map(withoutAccents)
    .sort((a, b) => b.length - a.length)
    .join('|');
const SEASON = `(?:${words(SEASON_WORDS)})`;
const EPISODE = `(?:${words(EPISODE_WORDS)})`;
const NUMBER = '(\\p{Nd}{1,4})';
const SHORT = '(\\p{Nd}{1,2})';
const GAP = '[\\s.,;:()/–-]*';
const SIGN = '(?:#|n[ro]?[.°º]?)?\\s*';
const TH = '(?:\\.|ª|º|a|o|e|er|eme|st|nd|rd|th|-?(?:и|я|ыи|и))?';

/** Each with the season first and the episode second, but for those of `SWAPPED`. */
const FORMS: readonly string[] = [
  `s\\s?${SHORT}[\\s.,:_/-]{0,2}(?:e|ep|eps|episode|f|x)\\.?\\s?${NUMBER}`,
  `t\\s?${SHORT}[\\s.,:_/-]{0,2}(?:e|ep|cap)\\.?\\s?${NUMBER}`,
  `${SHORT}x(\\p{Nd}{2,4})`,
  `${SEASON}\\.?\\s*${SIGN}${SHORT}${GAP}${EPISODE}\\.?\\s*${SIGN}${NUMBER}`,
  `${SHORT}${TH}\\s*${SEASON}${GAP}${NUMBER}${TH}\\s*${EPISODE}`,
  `${SHORT}${TH}\\s*${SEASON}${GAP}${EPISODE}\\.?\\s*${SIGN}${NUMBER}`,
  `${SEASON}\\.?\\s*${SHORT}${GAP}${NUMBER}${TH}\\s*${EPISODE}`,
  `第?\\s*${SHORT}\\s*(?:季|期)\\s*,?\\s*第?\\s*${NUMBER}\\s*[集話话回]`,
  `(?:シースン|シリース)\\s*${SHORT}\\s*[,、]?\\s*第?\\s*${NUMBER}\\s*[話回]`,
  `${withoutAccents('시즌')}\\s*${SHORT}\\s*,?\\s*(?:${withoutAccents('제')})?\\s*${NUMBER}\\s*(?:${withoutAccents('회')}|${withoutAccents('화')})`,
];
const SWAPPED: readonly string[] = [
  `${EPISODE}\\.?\\s*${SIGN}${NUMBER}${GAP}(?:of\\s+)?${SEASON}\\.?\\s*${SIGN}${SHORT}`,
  `${NUMBER}${TH}\\s*${EPISODE}${GAP}${SHORT}${TH}\\s*${SEASON}`,
];

const patterns = (before: string, after: string): readonly (readonly [pattern: RegExp, swapped: boolean])[] => [
  ...FORMS.map((form) => [new RegExp(`${before}${form}${after}`, 'gu'), false] as const),
  ...SWAPPED.map((form) => [new RegExp(`${before}${form}${after}`, 'gu'), true] as const),
];
/** Neither within a word or number, nor one of several. */
const BEGINS = '(?<![\\p{L}\\p{N}])(?<!\\p{Nd}\\s?[-–&+/]\\s?)';
const ENDS = '(?![\\p{L}\\p{N}])(?!\\s?[-–&+/]\\s?(?:s\\p{Nd}+)?(?:e|ep|x)?\\.?\\s?\\p{Nd})';

const ANYWHERE = patterns(BEGINS, ENDS);
const AT_BEGIN = patterns('^[\\s(\\[]*', ENDS);
const AT_END = patterns(`${BEGINS}`, '[\\s)\\].!]*$');

/** What a sub-title says, wherever in it; null: nothing, or several things. */
export const numberInTitle = (text: string): SaidNumber | null => only(find(withoutAccents(text), ANYWHERE));

/** What the beginning and the end of a description say. */
export function numbersInDescription(text: string): SaidNumber[] {
  const plain = withoutAccents(text.trim());
  const begin = find(plain.slice(0, LONGEST), AT_BEGIN);
  const end = find(plain.slice(-LONGEST), AT_END);
  return [...begin, ...end].filter(({ loose }) => !loose).map(({ season, episode }) => ({ season, episode }));
}

/** No number of season and episode is longer. */
const LONGEST = 80;

interface Found extends SaidNumber {
  /** `2x05` among words, which may as well be a measure. */
  loose: boolean;
}

function find(text: string, among: readonly (readonly [pattern: RegExp, swapped: boolean])[]): Found[] {
  const found: Found[] = [];
  for (const [pattern, swapped] of among)
    for (const match of text.matchAll(pattern)) {
      const [first, second] = [digitsOf(match[1] ?? ''), digitsOf(match[2] ?? '')];
      const [season, episode] = swapped ? [second, first] : [first, second];
      const loose = /\p{Nd}x\p{Nd}/u.test(match[0]) && !isApart(text, match.index, match.index + match[0].length);
      if (episode > 0) found.push({ season, episode, loose });
    }
  return found;
}

/** In brackets, the whole text, before a mark, or behind the end of a sentence. */
function isApart(text: string, from: number, to: number): boolean {
  const before = text.slice(0, from).trimEnd();
  const after = text.slice(to).trimStart();
  const isBegin = before === '' && (after === '' || /^[)\]:.,;–-]/.test(after));
  const isEnd = after === '' && /[.!?…([:–-]$/.test(before);
  return isBegin || isEnd || (/[([]$/.test(before) && /^[)\]]/.test(after)) || /[)\]]/.test(text.slice(from, to));
}

/** Digits of any script. */
function digitsOf(written: string): number {
  let value = 0;
  for (const digit of written) {
    const code = digit.codePointAt(0) ?? 0;
    // Digits of a script stand one after the other, and each script's zero follows no digit.
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    value = value * 10 + (code - zero);
  }
  return value;
}

function only(found: readonly SaidNumber[]): SaidNumber | null {
  const [first] = found;
  if (first === undefined) return null;
  const agree = found.every(({ season, episode }) => season === first.season && episode === first.episode);
  return agree ? { season: first.season, episode: first.episode } : null;
}
