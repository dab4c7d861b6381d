/** Rows of names with what they should be read as, and the rules by which an answer is right. */
import * as v from 'valibot';
import type { NameAnswer } from '../recognize-names.ts';

const NumberSchema = v.optional(v.nullable(v.union([v.number(), v.array(v.number())])));
const ListSchema = v.optional(v.nullable(v.array(v.number())));

/** Only what is asserted is set; `[]` and `null` are asserted absences. */
export const ExpectedSchema = v.looseObject({
  type: v.optional(v.nullable(v.string())),
  parses: v.optional(v.boolean()),
  title: v.optional(v.nullable(v.string())),
  title_any: v.optional(v.array(v.string())),
  season: NumberSchema,
  season_any: v.optional(v.boolean()),
  season_implicit: v.optional(v.boolean()),
  season_first: v.optional(v.number()),
  full_season: v.optional(v.boolean()),
  episode: ListSchema,
  absolute_episode: ListSchema,
  episode_first: v.optional(v.number()),
  episode_last: v.optional(v.number()),
  single_episode: v.optional(v.boolean()),
  year: v.optional(v.nullable(v.number())),
  date: v.optional(v.nullable(v.string())),
  extra: v.optional(v.boolean()),
});
export type Expected = v.InferOutput<typeof ExpectedSchema>;

type Said = Pick<NameAnswer, 'title' | 'season' | 'episodes' | 'absolute' | 'year' | 'date'>;

const listOf = (value: number | readonly number[] | null | undefined): number[] =>
  value === null || value === undefined ? [] : typeof value === 'number' ? [value] : [...value];
const same = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, at) => value === b[at]);
const rising = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);
const isEmpty = (list: readonly number[] | null | undefined): boolean => Array.isArray(list) && list.length === 0;

/** Whether a row says anything of an episode that an answer can have right. */
export function saysEpisode(expected: Expected): boolean {
  if (expected.parses === false || expected.type === 'movie') return false;
  if (isEmpty(expected.episode) && expected.full_season !== true) return false;
  return (['episode', 'absolute_episode', 'episode_first', 'episode_last', 'single_episode'] as const).some(
    (key) => key in expected,
  );
}

/** Whether a row says that there is no episode: films, junk, whole seasons, extras. */
export function saysNone(expected: Expected): boolean {
  if (expected.parses === false || expected.extra === true) return true;
  return isEmpty(expected.episode) && (expected.type === 'movie' || expected.full_season === true);
}

/** Season and episode both as expected. */
export const isRightEpisode = (expected: Expected, said: Said): boolean =>
  isRightSeason(expected, listOf(said.season)) && areRightNumbers(expected, said.episodes, said.absolute);

function isRightSeason(expected: Expected, season: readonly number[]): boolean {
  const { season_first: first, season: right } = expected;
  if (first !== undefined) return season.length > 0 && Math.min(...season) === first;
  if (!('season' in expected)) {
    const counted = (expected.absolute_episode ?? []).length > 0 && expected.season_any !== true;
    return !counted || season.length === 0 || same(season, [1]);
  }
  if (right === null || right === undefined) {
    const numbered = (expected.episode ?? []).length > 0 || (expected.episode_first ?? 0) > 0;
    return season.length === 0 || (numbered && same(season, [1]));
  }
  if (Array.isArray(right)) return same(rising(season), rising([...new Set(right)]));
  return (expected.season_implicit === true && season.length === 0) || same(season, [right]);
}

function areRightNumbers(expected: Expected, episodes: readonly number[], absolute: readonly number[]): boolean {
  const counted = expected.absolute_episode ?? [];
  if ('episode' in expected && !(isEmpty(expected.episode) && counted.length > 0)) {
    const right = expected.episode ?? [];
    return same(episodes, rising(right)) && (right.length > 0 || absolute.length === 0);
  }
  if (counted.length > 0) return same(episodes, counted) || same(absolute, counted);
  if (expected.episode_first !== undefined || expected.episode_last !== undefined) {
    const numbers = episodes.length > 0 ? episodes : absolute;
    if (numbers.length === 0) return false;
    if (expected.episode_first !== undefined && Math.min(...numbers) !== expected.episode_first) return false;
    return expected.episode_last === undefined || Math.max(...numbers) === expected.episode_last;
  }
  return expected.single_episode !== true || episodes.length <= 1;
}

/** Whether the title is right but for case, marks, a year or a season at its end. */
export function isRightTitle(expected: Expected, title: string | null): boolean {
  if (title === null || title === '') return false;
  const right = new Set((expected.title_any ?? [expected.title ?? '']).flatMap(titleForms));
  return titleForms(title).some((form) => right.has(form));
}

function titleForms(title: string): string[] {
  const plain = title
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/['’`]/g, '')
    .replace(/[^\p{L}\p{N}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const forms = [plain, plain.replace(/ (?:19|20)\d\d$/, '')];
  forms.push(...forms.map((form) => form.replace(/ (?:s\d{1,2}|season \d+|\d+(?:st|nd|rd|th) season)$/, '')));
  return forms.filter((form) => form !== '');
}
