/** VIDEO-33: names that count alike: of one season, one disc, one title. */
import type { Clue } from './clue.ts';
import type { Group } from './counting.ts';
import { titleKey, type TitleVote } from './title-vote.ts';

/** So many names under another title make a sequel of their own; fewer are a title misread. */
const FEWEST = 3;

export function groupClues(clues: readonly Clue[], vote: TitleVote): Group[] {
  const titles = new Map<string, number>();
  for (const clue of clues) if (clue.season === null) titles.set(titleKey(clue), (titles.get(titleKey(clue)) ?? 0) + 1);
  const [main] = [...titles].filter(([title]) => title !== '').sort((a, b) => b[1] - a[1] || a[0].length - b[0].length);
  const groups = new Map<string, Group>();
  for (const clue of clues) {
    const title = titleKey(clue);
    const sequel =
      clue.season === null &&
      title !== '' &&
      title !== main?.[0] &&
      (titles.get(title) ?? 0) >= FEWEST &&
      vote.counts.has(title);
    const disc = clue.role.disc;
    const large = clue.season === null && clue.numbers.some((number) => number >= 100);
    const key = [clue.season, clue.seasonBy, disc, sequel ? title : '', large, ''].join('|');
    const group = groups.get(key) ?? { season: clue.season, by: clue.seasonBy, disc, sequel, clues: [] };
    group.clues.push(clue);
    groups.set(key, group);
  }
  return [...groups.values()];
}
