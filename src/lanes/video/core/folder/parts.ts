/** VIDEO-140: a series that counts in parts: `Show - Part One`, `Show Part 2`, where the name alone could be a film's. */
import { NUMBER_WORD, numberOf } from '../names/number-words.ts';
import type { Clue } from './clue.ts';
import type { KnownShow } from './known-show.ts';
import { plain } from './mend-clues.ts';
import { isOtherShow } from './title-vote.ts';

const COUNTED = new RegExp(
  `(?<!\\p{L})(?:part|pt|parte|partie|teil|deel|del|osa|chapter|kapitel|chapitre|cap[íi]tulo|capitolo|rozdział|глава|часть|частина|część|czesc|část|časť|night|nacht|hour|stunde|act|akt)[\\s._-]{0,2}(\\d{1,2}|${NUMBER_WORD}|[ivx]{1,5})(?![\\p{L}\\p{N}])`,
  'iu',
);
/** Without a catalog, so many parts are a series; two are as often a film and its second half. */
const FEWEST = 3;

/** What a name says before the number of its part; null where it says none. */
export function titleBeforePart(stem: string): string | null {
  const text = stem.normalize('NFC');
  const found = COUNTED.exec(text);
  return found === null || found.index === 0
    ? null
    : text
        .slice(0, found.index)
        .replace(/[\s._([-]+$/, '')
        .replace(/[._]+/g, ' ');
}

/**
 * Clues whose names differ in the number of their part: it is the episode's.
 * @param titles of the show, as names and catalog write it
 */
export function countParts(clues: readonly Clue[], titles: readonly string[], show: KnownShow): Clue[] {
  const groups = new Map<string, Map<Clue, number>>();
  for (const clue of clues) {
    const found = isOpen(clue) ? COUNTED.exec(clue.stem.normalize('NFC')) : null;
    const part = found === null ? null : numberOf(found[1] ?? '');
    if (found === null || part === null || part === 0) continue;
    const title = titleBeforePart(clue.stem);
    if (title === null || (titles.length > 0 && titles.every((one) => isOtherShow(one, title)))) continue;
    const key = `${clue.directory}\n${plain(clue.stem.slice(0, found.index))}`;
    groups.set(key, (groups.get(key) ?? new Map<Clue, number>()).set(clue, part));
  }
  const counted = new Map<Clue, number>();
  for (const parts of groups.values()) {
    const numbers = new Set(parts.values());
    const season = show.seasons[0] ?? 1;
    const isKnown = show.counted && [...numbers].every((episode) => show.at({ season, episode }) !== null);
    if (numbers.size > 1 && (isKnown || numbers.size >= FEWEST))
      for (const [clue, part] of parts) counted.set(clue, part);
  }
  return clues.map((clue) => {
    const part = counted.get(clue);
    if (part === undefined) return clue;
    return { ...clue, numbers: [part], byColumn: true, reading: { ...clue.reading, part: null } };
  });
}

const isOpen = ({ own, numbers, dates, season, role }: Clue): boolean =>
  own.type === 'movie' && numbers.length === 0 && dates.length === 0 && season === null && !role.extras && !role.movies;
