/** The project's own names (tests/fixtures/video): what each of them should be read as, and the shares that are. */
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import type { NameReading } from '#lanes/video/core/folder-reading.ts';
import { readName } from '#lanes/video/core/names/read-name.ts';
import { isRightTitle, listOf, same } from './video-names.ts';

const RowSchema = v.looseObject({
  path: v.string(),
  /** `none`: junk and bonus material. */
  kind: v.picklist(['episode', 'movie', 'none']),
  /** Empty where nothing is asserted. */
  title: v.string(),
  year: v.nullable(v.number()),
  /** Null where the name says none; the first is as good then. */
  season: v.nullable(v.number()),
  episodes: v.array(v.number()),
  date: v.nullable(v.string()),
  class: v.string(),
});
export type OwnName = v.InferOutput<typeof RowSchema>;

/** Rows of own names. Throws as readJsonLines. */
export const readOwnNames = (file: string): Promise<OwnName[]> => readJsonLines(file, RowSchema);

type Said = Pick<NameReading, 'type' | 'title' | 'season' | 'episodes' | 'absolute' | 'date'>;

const saysNumber = ({ episodes, absolute }: Said): boolean => episodes.length + absolute.length > 0;

/** Season, episodes and day are those of the row; a row without a number asserts that there is none. */
export function isRightPlace({ kind, season, episodes, date }: OwnName, said: Said): boolean {
  if (kind !== 'episode') return !saysNumber(said) && said.date === null;
  if (date !== null && said.date !== date) return false;
  if (episodes.length === 0) return !saysNumber(said);
  const seasons = listOf(said.season);
  const isSeason = season === null ? seasons.length === 0 || same(seasons, [1]) : same(seasons, [season]);
  return isSeason && (same(said.episodes, episodes) || (season === null && same(said.absolute, episodes)));
}

const plain = (title: string): string => title.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');

/** But for case, marks, accents, and a year at its end. */
export const isRightOwnTitle = ({ title }: OwnName, said: Said): boolean =>
  isRightTitle({ title: plain(title) }, said.title === null ? null : plain(said.title));

/**
 * Shares under `<name>.`: `se` (episodes whose season, episodes and day are right), `title`, `false_episode` (films, junk
 * and extras with a number or a day), `junk` (junk and extras with one), and by class the shares `se` and `title` of
 * the classes that are not whole.
 */
export function ownNameFigures(rows: readonly OwnName[], name: string): Record<string, number> {
  const shares = new Map<string, { right: number; all: number }>();
  const count = (key: string, of: string, right: boolean): void => {
    for (const each of [key, `class.${of}.${key}`]) {
      const share = shares.get(each) ?? { right: 0, all: 0 };
      shares.set(each, { right: share.right + Number(right), all: share.all + 1 });
    }
  };
  for (const row of rows) {
    const said = readName(row.path);
    const right = isRightPlace(row, said);
    if (row.kind === 'episode') count('se', row.class, right);
    else count('false_episode', row.class, !right);
    if (row.kind === 'none') count('junk', row.class, !right);
    else if (row.title !== '') count('title', row.class, isRightOwnTitle(row, said));
  }
  const isWorth = (key: string, value: number): boolean =>
    !key.startsWith('class.') || (/\.(?:se|title)$/.test(key) ? value < 1 : value > 0);
  return Object.fromEntries(
    [...shares]
      .map(([key, { right, all }]) => [key, right / all] as const)
      .filter(([key, value]) => isWorth(key, value))
      .map(([key, value]) => [`${name}.${key}`, value]),
  );
}
