/**
 * VIDEO-33: the ways in which a group of names can count, and what each of them makes of a name's numbers.
 *
 *   by season    number 5 below `Season 2` is S02E05; where no season is said, of the first
 *   absolute     counted over all seasons: 14 is S02E01 where the first has 13
 *   compact      season and episode in one number: 203 is S02E03
 *   after        goes on after what is in the seasons or discs before: the catalog has one season where the names have two
 *   of season k  nothing says the season, but the numbers are taken already: a sequel under its own title
 */
import type { Clue } from './clue.ts';
import { titleKey } from './title-vote.ts';
import type { KnownShow, Place } from './known-show.ts';

export type CountingKind = 'season' | 'absolute' | 'compact' | 'after' | 'sequel';

export interface Counting {
  kind: CountingKind;
  /** How unusual it is to count like this, before the folder is asked; 0 is the usual. */
  cost: number;
  /** Null where the numbers cannot be read like this. */
  place(clue: Clue): Place[] | null;
}

/** Clues that count alike. */
export interface Group {
  /** Null where neither names nor folders say one. */
  season: number | null;
  by: Clue['seasonBy'];
  disc: number | null;
  /** Its title, where that is another one than most files of the folder have; empty else. */
  sequel: string;
  clues: Clue[];
}

/** All that can be meant by the numbers of a group. */
export function countingsOf(group: Group, groups: readonly Group[], show: KnownShow): Counting[] {
  const { season, by } = group;
  const home = season ?? soleSeason(show);
  const found: Counting[] = [{ kind: 'season', cost: 0, place: (clue) => within(home, clue.numbers) }];
  if (show.counted)
    found.push({
      kind: 'absolute',
      cost: by === 'marked' ? 3 : by === null ? 0.2 : 0.5,
      place: (clue) => counted(show, clue.numbers),
    });
  if (by !== 'marked') {
    const said =
      group.clues.filter(({ reading }) => typeof reading.season === 'number').length * 2 >= group.clues.length;
    found.push({
      kind: 'compact',
      cost: season !== null || said ? 0.3 : 0.7,
      place: ({ numbers }) => compact(numbers, season),
    });
  }
  const before = countedBefore(group, groups);
  if (before > 0)
    found.push({
      kind: 'after',
      cost: by === 'marked' ? 3 : 2,
      place: ({ numbers }) => {
        const shifted = numbers.map((number) => number + before);
        if (group.disc !== null) return within(home, shifted);
        return show.counted ? counted(show, shifted) : null;
      },
    });
  if (season === null && (group.sequel !== '' || group.disc !== null))
    for (const other of show.seasons.filter((number) => number !== home))
      found.push({ kind: 'sequel', cost: 2 + other / 10, place: ({ numbers }) => within(other, numbers) });
  return found;
}

/** Season 1, unless the catalog has one only and calls it otherwise. */
function soleSeason(show: KnownShow): number {
  return show.seasons.length === 1 ? (show.seasons[0] ?? 1) : 1;
}

const within = (season: number, numbers: readonly number[]): Place[] => numbers.map((episode) => ({ season, episode }));

function counted(show: KnownShow, numbers: readonly number[]): Place[] | null {
  const found = numbers.map((number) => show.byAbsolute(number));
  return found.every((one) => one !== null) ? found.map(({ season, episode }) => ({ season, episode })) : null;
}

function compact(numbers: readonly number[], season: number | null): Place[] | null {
  const places = numbers.map((number) => ({ season: Math.floor(number / 100), episode: number % 100 }));
  const sound = places.every(
    (one) => one.season > 0 && one.season < 100 && one.episode > 0 && (season ?? one.season) === one.season,
  );
  return sound ? places : null;
}

/** The highest numbers of the seasons before, or of the discs before, in all. */
function countedBefore(group: Group, groups: readonly Group[]): number {
  const highest = new Map<number, number>();
  for (const other of groups) {
    const at = order(other, group);
    if (other === group || at === null || at >= (order(group, group) ?? 0)) continue;
    const numbers = other.clues.flatMap(({ numbers: said }) => said);
    highest.set(at, Math.max(highest.get(at) ?? 0, ...numbers));
  }
  return [...highest.values()].reduce((sum, number) => sum + number, 0);
}

/** Seasons among seasons, discs among discs of one season. */
function order(other: Group, like: Group): number | null {
  if (like.disc !== null) return other.season === like.season ? (other.disc ?? 1) : null;
  return like.season === null ? null : other.season;
}

/** So many names under another title make a sequel of their own; fewer are a title misread. */
const FEWEST = 3;

/** VIDEO-33: names that count alike: of one season, one disc, one title. */
export function groupClues(clues: readonly Clue[]): Group[] {
  const titles = new Map<string, number>();
  for (const clue of clues) if (clue.season === null) titles.set(titleKey(clue), (titles.get(titleKey(clue)) ?? 0) + 1);
  const main = mainTitle([...titles]);
  const groups = new Map<string, Group>();
  for (const clue of clues) {
    const title = titleKey(clue);
    const own = clue.season === null && (titles.get(title) ?? 0) >= FEWEST && goesOn(title, main);
    const sequel = own ? title : '';
    const disc = clue.role.disc;
    const large = clue.season === null && clue.numbers.some((number) => number >= 100);
    const key = [clue.season, clue.seasonBy, disc, sequel, large].join('|');
    const group = groups.get(key) ?? { season: clue.season, by: clue.seasonBy, disc, sequel, clues: [] };
    group.clues.push(clue);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** What most names are called; where that is another title with more to it, the shorter one is the show's. */
function mainTitle(titles: readonly (readonly [title: string, names: number])[]): string {
  const [most = ''] = titles
    .filter(([title]) => title !== '')
    .sort((a, b) => b[1] - a[1] || a[0].length - b[0].length)
    .map(([title]) => title);
  const shorter = titles
    .filter(([title, names]) => title !== '' && names >= FEWEST && title !== most && most.includes(title))
    .map(([title]) => title);
  return shorter.sort((a, b) => a.length - b.length)[0] ?? most;
}

/** The show's title with more to it; a wholly other title may be the same show in another language. */
const goesOn = (title: string, main: string): boolean => main !== '' && title !== main && title.includes(main);
