/** Reads one name alone: claims of all rules, the best that agree, and the title between them. */
import type { NameReading } from '../name-reading.ts';
import { extraOfName } from './extras.ts';
import { findNoise, maskOf, type Noise } from './noise.ts';
import type { NormalText } from './normal-text.ts';
import { findBareNumbers } from './rules/bare-numbers.ts';
import { findDates, type DateClaim } from './rules/dates.ts';
import { EPISODES } from './rules/episodes.ts';
import { findPair } from './rules/pairs.ts';
import { findParts } from './rules/parts.ts';
import { runRules, type Claim } from './rules/rule.types.ts';
import { SEASON_EPISODE } from './rules/season-episode.ts';
import { SEASONS } from './rules/seasons.ts';
import { cleanTitle, noiseEnd, titleStart, withoutTail } from './title.ts';
import { findYear } from './year.ts';

export interface BaseContext {
  /** Season that a folder says, null for none. */
  inSeason: number | null;
  /** Folders that may be called after the show. */
  folders: readonly string[];
}

export interface BaseReading {
  reading: NameReading;
  /** 0..1: of season and episode alone; 0 where nothing was said of them. */
  certainty: number;
  /** Whether it carries technical words, as a release does. */
  technical: boolean;
  reasons: string[];
}

const SPECIAL = /(?<![\p{L}\p{N}])(OVA|OAD|ONA|OAV|SP(?=\d|[ ._]?\d{1,2}(?!\p{N}))|Specials?|Special)(?![\p{L}])/iu;
const SCRAMBLED = /^(?:[0-9a-f]{16,}|(?=[A-Za-z]*\d)(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{12,})$/;
const ENOUGH = 2;

export function readBase(name: NormalText, context: BaseContext): BaseReading {
  const { text } = name;
  const reasons: string[] = [];
  if (SCRAMBLED.test(text.trim()))
    return { reading: empty(['The name is scrambled.']), certainty: 0, technical: false, reasons };
  const noise = findNoise(text);
  const mask = maskOf(noise, text.length);
  const technical = noise.some(({ hard, kind }) => hard && kind !== 'version');
  const dates = findDates(text);
  const from = titleStart(text, noise);
  const fanRelease = /^\s*(?:\d+\s)?[[(][^\])]*\p{L}/u.test(text) || noise.some(({ kind }) => kind === 'checksum');

  const chosen = choose(name, { noise, mask, dates, from, fanRelease, context });
  const { claims, date } = chosen;
  const extra = extraOfName(text.trim());
  for (const claim of claims) reasons.push(claim.reason);
  if (date !== null) reasons.push(date.reason);

  const marks: (Claim | DateClaim)[] = [...claims, ...(date === null ? [] : [date])].sort((a, b) => a.start - b.start);
  const first = marks.find(({ start }) => start >= from) ?? marks[0];
  const year = findYear(text, noise, from, first?.start ?? text.length);
  const parts = findParts(text);
  const title = titleOf(name, {
    noise,
    from,
    marks,
    year,
    extra: extra === null ? null : extra.start,
    parts,
    fanRelease,
  });

  const strongest = claims.reduce((most, { strength }) => Math.max(most, strength), 0);
  const numbered = claims.some(({ episodes, absolute }) => episodes.length + absolute.length > 0);
  const seasons = claims.find(({ season }) => season.length > 0)?.season ?? [];
  const isExtra = extra !== null && strongest < 0.8;
  const special = extra !== null && isExtra ? extra.kind : (SPECIAL.exec(text)?.[1] ?? null);
  const episodic = numbered || seasons.length > 0 || date !== null;
  const reading: NameReading = {
    type: isExtra
      ? 'extra'
      : episodic
        ? 'episode'
        : title === null && year === null
          ? 'unknown'
          : special !== null && fanRelease
            ? 'episode'
            : 'movie',
    title,
    season: seasons.length > 1 ? seasons : (seasons[0] ?? null),
    episodes: isExtra ? [] : sorted(claims.flatMap(({ episodes }) => episodes)),
    absolute: isExtra ? [] : sorted(claims.flatMap(({ absolute }) => absolute)),
    year: year?.year ?? yearOfSeason(seasons),
    date: date?.date ?? null,
    dates: date?.others ?? [],
    part: parts.find(({ kind }) => kind === 'part')?.part ?? null,
    episode_title: null,
    version: claims.find(({ version }) => version !== null)?.version ?? null,
    special,
    confidence: 0,
    reasons,
  };
  reading.confidence = isExtra
    ? 0.8
    : episodic
      ? Math.max(strongest, date?.strength ?? 0)
      : reading.type === 'movie'
        ? year === null
          ? 0.4
          : 0.8
        : 0.1;
  return { reading, certainty: Math.max(strongest, date?.strength ?? 0), technical, reasons };
}

interface Found {
  noise: readonly Noise[];
  mask: Uint8Array;
  dates: readonly DateClaim[];
  from: number;
  fanRelease: boolean;
  context: BaseContext;
}

/** The claims that agree, the strongest kind first: both together, each by its word, pairs, bare numbers. */
function choose(name: NormalText, found: Found): { claims: Claim[]; date: DateClaim | null } {
  const { text } = name;
  const { mask, dates, from, fanRelease, context } = found;
  const apart = (claim: { start: number; end: number }) => (other: { start: number; end: number }) =>
    other.end <= claim.start || other.start >= claim.end;
  const dated = dates.filter(({ strength }) => strength >= 0.85);
  const undated = (claim: Claim): boolean => dated.every((day) => apart(day)(claim));
  const both = best(runRules(SEASON_EPISODE, text, mask).filter(undated));
  if (both !== null)
    return { claims: [both], date: dates.filter(apart(both)).find(({ strength }) => strength > 0.5) ?? null };
  const season = best(runRules(SEASONS, text, mask).filter(undated));
  const spanned = season === null ? text : blank(text, season);
  const episode = best(runRules(EPISODES, spanned, mask).filter(undated));
  const free = dates.filter(
    (date) => (season === null || apart(season)(date)) && (episode === null || apart(episode)(date)),
  );
  const date = free[0] ?? null;
  if (episode !== null)
    return {
      claims: season === null ? [episode] : [season, episode],
      date: date !== null && date.strength > 0.5 ? date : null,
    };
  const hasYear =
    /[[(](?:19|20)\d\d[\])]/.test(text) || /[\s._](?:19[2-9]|20[0-4])\d(?=[\s._]|$)/.test(text.slice(from + 1));
  let rest = season === null ? text : blank(text, season);
  if (date !== null) rest = blank(rest, date);
  if (season === null && (date === null || date.strength < 0.5)) {
    const pair = findPair({ text, mask, from, fanRelease, hasYear, inSeason: context.inSeason });
    if (pair !== null) return { claims: [pair], date: dates.find(apart(pair)) ?? null };
  }
  if (
    date !== null &&
    date.strength >= 0.6 &&
    season === null &&
    !(date.strength < 0.8 && / - \d{2,4} - /.test(rest))
  ) {
    const coded = /(?<!\p{N})(\d{1,2})(\d{2}) \((\d{1,3})\)/u.exec(rest);
    if (coded === null || Number(coded[2]) !== Number(coded[3])) return { claims: [], date };
    const claim: Claim = {
      rule: 'coded',
      start: coded.index,
      end: coded.index + coded[0].length,
      strength: 0.8,
      season: [Number(coded[1])],
      episodes: [Number(coded[2])],
      absolute: [],
      version: null,
      reason: `"${coded[0]}" says season and episode.`,
    };
    return { claims: [claim], date };
  }
  const [bare] = findBareNumbers({
    text: rest,
    mask,
    from: Math.min(from, rest.length),
    fanRelease,
    hasYear: hasYear && season === null,
    inSeason: context.inSeason !== null || season !== null,
    folders: context.folders,
  });
  if (bare === undefined || bare.score < ENOUGH) return { claims: season === null ? [] : [season], date };
  const whole = bare.numbers.filter((number) => Number.isInteger(number));
  const claim: Claim = {
    rule: 'bare-number',
    start: bare.start,
    end: bare.end,
    strength: Math.min(0.79, 0.3 + bare.score / 14),
    season: [],
    episodes: whole,
    absolute:
      season === null && context.inSeason === null
        ? bare.numbers
        : bare.numbers.filter((number) => !Number.isInteger(number)),
    version: bare.version,
    reason: `${bare.numbers.length > 1 ? `${bare.numbers[0]} to ${bare.numbers.at(-1)} are episodes` : `${bare.numbers[0]} is the episode`}: ${bare.why}.`,
  };
  const only = bare.numbers.length === 1 && bare.digits === 3 ? bare.numbers[0] : undefined;
  if (bare.other !== null && bare.numbers.length === 1) {
    const [number] = bare.numbers;
    claim.episodes = [Math.min(number ?? 0, bare.other)];
    claim.absolute = [Math.max(number ?? 0, bare.other)];
  } else if (only !== undefined && context.inSeason !== null && Math.floor(only / 100) === context.inSeason) {
    claim.season = [context.inSeason];
    claim.episodes = [only % 100];
    claim.absolute = [];
    claim.reason = `${only} in the folder of season ${context.inSeason} is its episode ${only % 100}.`;
  } else if (only !== undefined && bare.coded && season === null && context.inSeason === null) {
    claim.season = [Math.floor(only / 100)];
    claim.episodes = [only % 100];
    claim.absolute = [];
    claim.reason = `${only} in a release with dots is season ${Math.floor(only / 100)}, episode ${only % 100}.`;
  }
  return { claims: season === null ? [claim] : [season, claim], date };
}

const best = (claims: readonly Claim[]): Claim | null =>
  claims.reduce<Claim | null>((most, claim) => (most === null || claim.strength > most.strength ? claim : most), null);
const blank = (text: string, { start, end }: { start: number; end: number }): string =>
  text.slice(0, start) + '|'.repeat(end - start) + text.slice(end);
const sorted = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b);
const yearOfSeason = (seasons: readonly number[]): number | null =>
  seasons.length === 1 && (seasons[0] ?? 0) > 1900 ? (seasons[0] ?? null) : null;

interface TitleContext {
  noise: readonly Noise[];
  from: number;
  marks: readonly { start: number; end: number; episodes?: readonly number[] }[];
  year: { start: number; end: number } | null;
  extra: number | null;
  parts: readonly { start: number; kind: string }[];
  fanRelease: boolean;
}

function titleOf(
  name: NormalText,
  { noise, from, marks, year, extra, parts, fanRelease }: TitleContext,
): string | null {
  const { text } = name;
  const stops = [
    text.length,
    noiseEnd(text, noise, from),
    ...marks.map(({ start }) => start).filter((start) => start > from),
  ];
  if (year !== null && year.start > from) stops.push(year.start);
  if (extra !== null && extra > from) stops.push(extra);
  for (const part of parts) if (part.kind !== 'part' && part.start > from) stops.push(part.start);
  const first = marks[0];
  const closing = from > 0 && /[[(]/.test(text.charAt(from - 1)) ? /[\])]/.exec(text.slice(from)) : null;
  if (closing !== null && text.charAt(from - 1) === '[') stops.push(from + text.slice(from).indexOf(']'));
  let start = from;
  // The number comes first: "01 - Title".
  if (first !== undefined && first.start <= from) {
    start = first.end;
    const to = Math.min(...stops.filter((stop) => stop > start), text.length);
    const title = cleanTitle(name, start, to);
    const seasonOnly = first.episodes?.length === 0 && marks.length === 1;
    const between = marks.length > 1 && to < text.length && marks.some(({ start: at }) => at === to || at === to + 1);
    if (title !== '' && (seasonOnly || between)) return title;
    return /^\d/.test(text.slice(from)) && title !== '' && /[\p{L}]/u.test(title) && from > 0 ? title : null;
  }
  const end = Math.min(...stops);
  const title = cleanTitle(name, start, end);
  const told = fanRelease ? title.replace(/\s*\(TV\)$/, '') : withoutTail(title);
  return told === '' ? null : told;
}

function empty(reasons: string[]): NameReading {
  return {
    type: 'unknown',
    title: null,
    season: null,
    episodes: [],
    absolute: [],
    year: null,
    date: null,
    dates: [],
    part: null,
    episode_title: null,
    version: null,
    special: null,
    confidence: 0,
    reasons,
  };
}
