/** Which claims of the rules hold together: the strongest kind first, a weaker one only where no stronger is. */
import type { NormalText } from './normal-text.ts';
import { findBareNumbers, type BareContext, type BareNumber } from './rules/bare-numbers.ts';
import type { DateClaim } from './rules/dates.ts';
import { EPISODES } from './rules/episodes.ts';
import { runRules, type Claim } from './rules/rule.types.ts';
import { SEASON_EPISODE } from './rules/season-episode.ts';
import { SEASONS } from './rules/seasons.ts';

/** Two numbers without a word between them: season and episode (`2-06`, `6.01`, `11_06`), or two episodes (`13-15`)? */
interface PairContext extends Omit<BareContext, 'inSeason' | 'alone' | 'folders'> {
  /** Season that the folder says; two numbers in it are episodes. */
  inSeason: number | null;
}

const PAIR = /(?<![\p{L}\p{N}]|(?<!(?:19|20)\d)\d[._-])(\d{1,2})([-._])(\d{1,2})(?![\p{L}\p{N}%]|[._-]\d)/gu;

/** The pair that says season and episode, or null. */
function findPair(context: PairContext): Claim | null {
  const { text, mask, from } = context;
  if (context.inSeason !== null || context.fanRelease) return null;
  PAIR.lastIndex = 0;
  for (let match = PAIR.exec(text); match !== null; match = PAIR.exec(text)) {
    const start = match.index;
    if (mask[start] === 1) continue;
    const [season, episode] = [Number(match[1]), Number(match[3])];
    if (season < 1 || season > 40 || episode === 0) continue;
    const end = start + match[0].length;
    const [before, after] = [text.slice(start < from ? 0 : from, start), text.slice(end)];
    const atStart = before.trim() === '';
    const bracketed = /[[(]$/.test(before) && /^[\])]/.test(after);
    const skipped = /^[\s._]*[[(]?/.exec(after)?.[0].length ?? 0;
    const ends = /^(?:[\s._-]*f)?[\s._-]*$/i.test(after) || (skipped > 0 && (mask[end + skipped] ?? 0) > 0);
    const dated = /^[\s._-]+(?:19|20)\d\d[ ._-]\d/.test(after);
    if (context.hasYear && !bracketed && !(dated && atStart)) continue;
    const sign = match[2];
    // One digit alone is an episode only where its date follows it.
    if (match[3]?.length === 1 && !(dated && atStart)) continue;
    const fits =
      (bracketed && sign === '.') ||
      (sign === '-' &&
        ((atStart && /^(?:[.\s]|$)/.test(after) && (match[1]?.length === 1 || episode > season + 8)) ||
          (ends && /[\p{L}\d][\s._-]$/u.test(before) && / $/.test(before)))) ||
      (sign === '_' && ends) ||
      (sign === '.' &&
        ((atStart && /^\s-\s/.test(after)) ||
          (/-\s$/.test(before) && /^\s-\s/.test(after)) ||
          (/[\p{L}\d](?:\s|\s-\s)$/u.test(before) && (ends || /^\s-\s/.test(after))) ||
          (ends && !/\s/.test(text.slice(from).trim())))) ||
      (sign === '-' && match[1]?.length === 1 && /\s-\s$/.test(before) && /^\s-\s/.test(after)) ||
      (dated && atStart);
    if (!fits) continue;
    return {
      rule: 'pair',
      start,
      end,
      strength: 0.6,
      season: [season],
      episodes: [episode],
      absolute: [],
      version: null,
      reason: `"${match[0]}" can be season ${season} and episode ${episode}.`,
    };
  }
  return null;
}

export interface NameContext {
  /** Season that a folder says, null for none. */
  inSeason: number | null;
  /** Nothing is known of the folders around. */
  alone: boolean;
  /** Folders that may be called after the show. */
  folders: readonly string[];
}

/** What was found in a name before the claims are weighed. */
export interface Found {
  /** Places of technical words. */
  mask: Uint8Array;
  dates: readonly DateClaim[];
  /** Where the title may begin. */
  from: number;
  /** A group in brackets leads, or a checksum follows: numbers are counted over all seasons there. */
  fanRelease: boolean;
  context: NameContext;
}

export interface Chosen {
  claims: Claim[];
  date: DateClaim | null;
}

interface Span {
  start: number;
  end: number;
}

/** A bare number with fewer points is a word of the title. */
const ENOUGH = 2;
/** A date that no number of an episode contests. */
const SURE_DATE = 0.85;
const YEAR_APART = /[[(](?:19|20)\d\d[\])]/;
const YEAR_BETWEEN = /[\s._](?:19[2-9]|20[0-4])\d(?=[\s._]|$)/;

/**
 * 1. season and episode said together; 2. each by its word; 3. a pair of numbers; 4. a date; 5. a bare number, beside a
 * season where one is said.
 */
export function choose({ text }: NormalText, found: Found): Chosen {
  const { mask, dates, from, fanRelease, context } = found;
  const sure = dates.filter(({ strength }) => strength >= SURE_DATE);
  const claimsOf = (rules: Parameters<typeof runRules>[0], within: string): Claim | null =>
    best(runRules(rules, within, mask).filter((claim) => sure.every((day) => apart(day, claim))));
  const dateApart = (claims: readonly Claim[]): DateClaim | null =>
    dates.find((day) => day.strength > 0.5 && claims.every((claim) => apart(day, claim))) ?? null;

  const both = claimsOf(SEASON_EPISODE, text);
  if (both !== null) {
    const date = dateApart([both]);
    // "11.22.63.S01E05": nothing else is there to be the title.
    const isTitle = date !== null && date.strength < SURE_DATE && date.start <= from && both.start - date.end < 4;
    return { claims: [both, ...saidBefore(text, both, mask, from)], date: isTitle ? null : date };
  }

  const season = claimsOf(SEASONS, text);
  const seasons = season === null ? [] : [season];
  const episode = claimsOf(EPISODES, season === null ? text : blank(text, season));
  if (episode !== null) return { claims: [...seasons, episode], date: dateApart([...seasons, episode]) };

  const date = dates.find((day) => seasons.every((claim) => apart(day, claim))) ?? null;
  const hasYear = season === null && (YEAR_APART.test(text) || YEAR_BETWEEN.test(text.slice(from + 1)));
  if (season === null) {
    const pair = findPair({ text, mask, from, fanRelease, hasYear, inSeason: context.inSeason });
    // "8-6 2006.07.16": the pair leads, its date follows.
    const agrees = date === null || date.strength < 0.5 || (pair !== null && pair.start <= from && apart(date, pair));
    if (pair !== null && agrees) return { claims: [pair], date: dates.find((day) => apart(day, pair)) ?? null };
  }
  const rest = [season, date].reduce((left, span) => (span === null ? left : blank(left, span)), text);
  // A short date is doubtful itself: "Show - 516 - Title - 1-09-70".
  const contested = date !== null && date.strength < 0.8 && / - \d{2,4} - /.test(rest);
  if (season === null && date !== null && date.strength >= 0.6 && !contested) return { claims: [], date };

  const [number] = findBareNumbers({
    ...context,
    text: rest,
    mask,
    from,
    fanRelease,
    hasYear,
    inSeason: context.inSeason !== null || season !== null,
  });
  if (number === undefined || number.score < ENOUGH) return { claims: seasons, date };
  return { claims: [...seasons, claimOf(number, season !== null, context.inSeason)], date };
}

/** The season that is said once more, in front of where it is said with its episode: "Show Season 3 [Cap.312]". */
function saidBefore(text: string, both: Claim, mask: Uint8Array, from: number): Claim[] {
  const before = text.slice(0, both.start);
  if (!/\d/.test(before.slice(from))) return [];
  const [season] = both.season;
  return runRules(SEASONS, before, mask).filter(
    (claim) => claim.season.length === 1 && claim.season[0] === season && claim.start > from,
  );
}

/** What a bare number says, with or without a season beside it. */
function claimOf(bare: BareNumber, hasSeason: boolean, inSeason: number | null): Claim {
  const [first = 0] = bare.numbers;
  const last = bare.numbers.at(-1) ?? first;
  const many = bare.numbers.length > 1;
  const claim: Claim = {
    rule: 'bare-number',
    start: bare.start,
    end: bare.end,
    strength: Math.min(0.79, 0.3 + bare.score / 14),
    season: [],
    episodes: bare.numbers.filter((number) => Number.isInteger(number)),
    absolute: bare.numbers.filter((number) => (!hasSeason && inSeason === null) || !Number.isInteger(number)),
    version: bare.version,
    reason: `${many ? `${first} to ${last} are episodes` : `${first} is the episode`}: ${bare.why}.`,
  };
  if (many) return claim;
  if (bare.other !== null) {
    const [within, over] = [Math.min(first, bare.other), Math.max(first, bare.other)];
    const reason = `${first} and ${bare.other} in brackets count one episode, within its season and over all.`;
    return { ...claim, episodes: [within], absolute: [over], reason };
  }
  const [season, episode] = [Math.floor(first / 100), first % 100];
  if (bare.digits === 3 && inSeason !== null && season === inSeason) {
    const reason = `${first} in the folder of season ${season} is its episode ${episode}.`;
    return { ...claim, season: [season], episodes: [episode], absolute: [], reason };
  }
  if (!bare.coded || hasSeason || inSeason !== null) return claim;
  const reason = `${first} can be season ${season}, episode ${episode}, or number ${first} of all.`;
  const strength = Math.min(claim.strength, 0.5);
  return { ...claim, strength, season: [season], episodes: [episode], absolute: [first], reason };
}

const best = (claims: readonly Claim[]): Claim | null =>
  claims.reduce<Claim | null>((most, claim) => (most === null || claim.strength > most.strength ? claim : most), null);
const apart = (one: Span, other: Span): boolean => other.end <= one.start || other.start >= one.end;
const blank = (text: string, { start, end }: Span): string =>
  text.slice(0, start) + '|'.repeat(end - start) + text.slice(end);
