/** VIDEO-33, VIDEO-34: which way of counting explains all names of a folder: nothing twice, nothing that there is not. */
import type { FolderQuestion } from '../folder-reading.ts';
import type { Clue } from './clue.ts';
import { placeKey, placeName, titleAgrees, type KnownShow, type Place } from './known-show.ts';
import { textKey } from '#core/text/similarity.ts';
import { titleKey } from './title-vote.ts';

/**
 * VIDEO-33: the ways in which a group of names can count, and what each of them makes of a name's numbers.
 *
 *   by season    number 5 below `Season 2` is S02E05; where no season is said, of the first
 *   absolute     counted over all seasons: 14 is S02E01 where the first has 13
 *   compact      season and episode in one number: 203 is S02E03
 *   after        goes on after what is in the seasons or discs before: the catalog has one season where the names have two
 *   of season k  nothing says the season, but the numbers are taken already: a sequel under its own title
 */
export type CountingKind = 'season' | 'absolute' | 'compact' | 'after' | 'sequel';

interface Counting {
  kind: CountingKind;
  /** How unusual it is to count like this, before the folder is asked; 0 is the usual. */
  cost: number;
  /** Null where the numbers cannot be read like this. */
  place(clue: Clue): Place[] | null;
}

/** Clues that count alike. */
interface Group {
  /** Null where neither names nor folders say one. */
  season: number | null;
  by: Clue['seasonBy'];
  disc: number | null;
  /** Its title, where that is another one than most files of the folder have; empty else. */
  sequel: string;
  clues: Clue[];
}

/** All that can be meant by the numbers of a group. */
function countingsOf(group: Group, groups: readonly Group[], show: KnownShow): Counting[] {
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

/** An episode that the catalog has not. */
const OUTSIDE = 10;
/** The name or its folder says another season. */
const OTHER_SEASON = { marked: 6, name: 4, folder: 4 };
/** Another name has this episode already, by another number. */
const TAKEN = 3;
/** A season begins in its middle. */
const HEADLESS = 2;
const SAME_TITLE = -1;
const OTHER_TITLE = 2;
/** Other countings as likely as the one taken: a question. */
export const OPEN_MARGIN = 1.5;
/** Passes over the groups; each takes the others as they are. Two settle what depends on each other. */
const PASSES = 3;

export interface Weighed {
  group: Group;
  counting: Counting;
  cost: number;
  /** The next best that says something else of at least one file; null where there is none. */
  next: { counting: Counting; cost: number } | null;
}

/** @param chosen what a person answered for the numbers that can be read in several ways; null where nobody did */
export function weighGroups(groups: readonly Group[], show: KnownShow, chosen: CountingKind | null): Weighed[] {
  const options = groups.map((group) => {
    const all = countingsOf(group, groups, show).filter(({ place }) =>
      group.clues.some((clue) => place(clue) !== null),
    );
    const wanted = all.filter(({ kind }) => kind === chosen);
    return wanted.length > 0 && group.by !== 'marked' ? wanted : all;
  });
  const taken = (except: number, picks: readonly number[]): Map<string, Set<string>> => {
    const places = new Map<string, Set<string>>();
    for (const [at, group] of groups.entries()) {
      const counting = options[at]?.[picks[at] ?? 0];
      if (at === except || counting === undefined) continue;
      for (const clue of group.clues) claim(places, clue, group, counting);
    }
    return places;
  };
  const picks = groups.map((group, at) => best(options[at] ?? [], group, show, new Map()));
  for (let pass = 0; pass < PASSES; pass++)
    for (const [at, group] of groups.entries()) picks[at] = best(options[at] ?? [], group, show, taken(at, picks));
  return groups.flatMap((group, at): Weighed[] => {
    const counting = options[at]?.[picks[at] ?? 0];
    if (counting === undefined) return [];
    const others = taken(at, picks);
    const next = (options[at] ?? [])
      .filter((one) => one !== counting && differs(one, counting, group))
      .map((one) => ({ counting: one, cost: costOf(one, group, show, others) }))
      .sort((a, b) => a.cost - b.cost)[0];
    return [{ group, counting, cost: costOf(counting, group, show, others), next: next ?? null }];
  });
}

function best(
  options: readonly Counting[],
  group: Group,
  show: KnownShow,
  taken: ReadonlyMap<string, Set<string>>,
): number {
  const costs = options.map((counting) => costOf(counting, group, show, taken));
  return Math.max(0, costs.indexOf(Math.min(...costs)));
}

const differs = (a: Counting, b: Counting, { clues }: Group): boolean =>
  clues.some((clue) => JSON.stringify(a.place(clue)) !== JSON.stringify(b.place(clue)));

/** What makes two names the same statement: a second release or a part of the same episode takes nothing away. */
const statement = (clue: Clue, { sequel, disc }: Group): string =>
  [clue.season, disc, sequel, clue.numbers.join()].join(' ');

function claim(places: Map<string, Set<string>>, clue: Clue, group: Group, counting: Counting): void {
  for (const place of counting.place(clue) ?? []) {
    const key = placeKey(place);
    places.set(key, (places.get(key) ?? new Set()).add(statement(clue, group)));
  }
}

function costOf(counting: Counting, group: Group, show: KnownShow, others: ReadonlyMap<string, Set<string>>): number {
  const own = new Map<string, Set<string>>();
  for (const clue of group.clues) claim(own, clue, group, counting);
  let cost = counting.cost;
  const placed: Place[] = [];
  for (const clue of group.clues) {
    const places = counting.place(clue);
    if (places === null || (show.counted && places.some((place) => show.at(place) === null))) {
      cost += OUTSIDE;
      continue;
    }
    placed.push(...places);
    if (clue.season !== null && clue.seasonBy !== null && places.some(({ season }) => season !== clue.season))
      cost += OTHER_SEASON[clue.seasonBy];
    if (places.some((place) => isTaken(place, statement(clue, group), own, others))) cost += TAKEN;
    cost += titleCost(clue, places, show);
  }
  return cost + headless(placed, show);
}

function isTaken(place: Place, own: string, ...claims: ReadonlyMap<string, Set<string>>[]): boolean {
  const key = placeKey(place);
  return claims.some((of) => [...(of.get(key) ?? [])].some((said) => said !== own));
}

function headless(placed: readonly Place[], show: KnownShow): number {
  const first = new Map<number, number>();
  for (const { season, episode } of placed) first.set(season, Math.min(first.get(season) ?? episode, episode));
  const cut = [...first].filter(([season, episode]) => episode > Math.max(1, show.span(season)?.first ?? 1));
  return cut.length > 0 ? HEADLESS : 0;
}

/** 0 where name or catalog has no title. */
function titleCost({ reading }: Clue, places: readonly Place[], show: KnownShow): number {
  if (textKey(reading.episode_title ?? '').compact.length < 4) return 0;
  const agrees = titleAgrees(reading, places, show);
  return agrees === null ? 0 : agrees ? SAME_TITLE : OTHER_TITLE;
}

/** VIDEO-41: one question where the numbers of many files can be read in two ways. Null where every group's numbers can be read in one way only, or one is by far the better. */
export function numberingQuestion(weighed: readonly Weighed[]): FolderQuestion | null {
  const open = weighed
    .filter(({ next, cost, group }) => next !== null && group.by !== 'marked' && next.cost - cost < OPEN_MARGIN)
    .sort((a, b) => b.group.clues.length - a.group.clues.length)[0];
  if (open?.next === undefined || open.next === null) return null;
  const clue = open.group.clues.find((one) => outcome(open.counting, one) !== outcome(open.next?.counting, one));
  if (clue === undefined) return null;
  const name = clue.path.slice(clue.path.lastIndexOf('/') + 1);
  const [first, second] = [open.counting, open.next.counting];
  const option = (counting: Counting) => ({
    id: counting.kind,
    label: `${LABELS[counting.kind]}: "${name}" is ${outcome(counting, clue)}`,
  });
  const files = open.group.clues.length;
  return {
    kind: 'which-numbering',
    sentence: `How do the numbers of ${files === 1 ? `"${name}"` : `${files} files`} count?`,
    options: [option(first), option(second)],
  };
}

const LABELS: Record<CountingKind, string> = {
  season: 'Within the season',
  absolute: 'Through all seasons',
  compact: 'Season and episode in one number',
  after: 'On from the seasons before',
  sequel: 'As a season of their own',
};

function outcome(counting: Counting | undefined, clue: Weighed['group']['clues'][number]): string {
  const places = counting?.place(clue) ?? null;
  return places === null ? 'no episode' : places.map(placeName).join(', ');
}
