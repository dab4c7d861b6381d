/** VIDEO-33: names that count alike: of one season, one disc, one title. */
import type { Clue } from './clue.ts';
import type { Group } from './counting.ts';
import { titleKey } from './title-vote.ts';

/** So many names under another title make a sequel of their own; fewer are a title misread. */
const FEWEST = 3;

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
