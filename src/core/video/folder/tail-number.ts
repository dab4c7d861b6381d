/** VIDEO-35: the show's title with a number behind it is an episode of it, where the name alone could be a film's. */
import type { Clue } from './clue.ts';
import { plain } from './plain.ts';

/** From here on a number behind a title is a year. */
const YEARS = 1900;

/** @param titles of the show, as names and catalog write it */
export function withTailNumber(clue: Clue, titles: readonly string[]): Clue {
  if (clue.numbers.length > 0 || clue.dates.length > 0 || clue.own.type === 'extra' || clue.own.type === 'episode')
    return clue;
  const stem = plain(clue.stem.replace(/^\[[^\]]*\]/, ''));
  for (const title of titles) {
    const start = plain(title);
    if (start === '' || !stem.startsWith(start)) continue;
    const found = /^(\d{1,4})(?:v\d)?(?:$| (?!\d))/.exec(stem.slice(start.length).trimStart());
    const number = Number(found?.[1] ?? Infinity);
    if (number < YEARS) return { ...clue, numbers: [number] };
  }
  return clue;
}
