/** Figures of reading names: shares of rows, 0..1. */
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import { answerName, NameRowSchema, type NameAnswer, type NameRow } from '../recognize-names.ts';

/** Rows of names with what they should be read as, and the rules by which an answer is right. */
const NumberSchema = v.optional(v.nullable(v.union([v.number(), v.array(v.number())])));
const ListSchema = v.optional(v.nullable(v.array(v.number())));

/** Only what is asserted is set; `[]` and `null` are asserted absences. */
const ExpectedSchema = v.looseObject({
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
type Expected = v.InferOutput<typeof ExpectedSchema>;

type Said = Pick<NameAnswer, 'title' | 'season' | 'episodes' | 'absolute' | 'year' | 'date'>;

export const listOf = (value: number | readonly number[] | null | undefined): number[] =>
  value === null || value === undefined ? [] : typeof value === 'number' ? [value] : [...value];
export const same = (a: readonly number[], b: readonly number[]): boolean =>
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

const RowSchema = v.object({
  ...NameRowSchema.entries,
  source: v.optional(v.string(), ''),
  /** Set where the source's own test ran with settings: such a row is not counted. */
  options: v.optional(v.nullable(v.union([v.string(), v.looseObject({})]))),
  expected: ExpectedSchema,
});
export type LabelledName = v.InferOutput<typeof RowSchema>;

/** Of names that are no videos at all: counted when a data set has no such rows of its own. */
const JUNK = [
  '',
  ' ',
  '...',
  'New folder',
  'untitled',
  'Thumbs.db',
  'desktop.ini',
  '.DS_Store',
  'README.txt',
  'notes',
  'asdfghjkl',
  '🎬🎬🎬',
  'f3a1c09d7be24418a5c0ffee12345678.mkv',
  'aB3dE9fG1hJ7kL2m.mkv',
  '____----____',
  '[]()[]',
  'password.rar',
  'cover.jpg',
  'RARBG_DO_NOT_MIRROR.exe',
  'Torrent downloaded from somewhere.txt',
];

interface Share {
  right: number;
  all: number;
}

/** Rows of names with what is expected of them. Throws as readJsonLines. */
export const readLabelledNames = (file: string): Promise<LabelledName[]> => readJsonLines(file, RowSchema);

/** Figures by name, with those of each source under `names.<source>.`; `answer`: another reader, to compare. */
export function nameFigures(
  rows: readonly LabelledName[],
  answer: (row: NameRow) => NameAnswer = answerName,
): Record<string, number> {
  const shares = new Map<string, Share>();
  const count = (name: string, source: string, right: boolean): void => {
    for (const key of [`names.${name}`, ...(source === '' ? [] : [`names.${source}.${name}`])]) {
      const share = shares.get(key) ?? { right: 0, all: 0 };
      shares.set(key, { right: share.right + Number(right), all: share.all + 1 });
    }
  };
  for (const name of ['se', 'title', 'false_episode', 'junk']) shares.set(`names.${name}`, { right: 0, all: 0 });
  for (const row of rows) {
    const { expected, source, kind } = row;
    const said = answer(row);
    const numbered = said.episodes.length + said.absolute.length > 0;
    if (kind === 'folder') count('season_folder', source, said.season === (expected.season ?? null));
    if (kind === 'extra') {
      count('extra', source, (said.type === 'extra') === (expected.extra === true));
      if (saysNone(expected)) count('false_episode', source, numbered);
    }
    if (kind === 'folder' || kind === 'extra' || (row.options ?? null) !== null) continue;
    if (saysEpisode(expected)) count('se', source, isRightEpisode(expected, said));
    if ((expected.title ?? '') !== '') count('title', source, isRightTitle(expected, said.title));
    if (saysNone(expected)) count('false_episode', source, numbered);
    if (expected.parses === false) count('junk', source, numbered || said.season !== null);
    if ((expected.year ?? null) !== null) count('year', source, said.year === expected.year);
    if ((expected.date ?? null) !== null) count('date', source, said.date === expected.date);
  }
  if (shares.get('names.junk')?.all === 0)
    for (const name of JUNK) {
      const said = answer({ id: name, input: name });
      count('junk', '', said.episodes.length + said.absolute.length > 0 || said.season !== null);
    }
  return Object.fromEntries([...shares].map(([name, { right, all }]) => [name, all === 0 ? 0 : right / all]));
}
