/** VIDEO-43: how sure a file's place is, and why, in short sentences for a person. */
import type { Clue } from './clue.ts';
import { placeName, titleAgrees, type KnownShow, type Place } from './known-show.ts';
import type { PlacedSpecial } from './specials.ts';
import { OPEN_MARGIN, type CountingKind, type Weighed } from './weigh.ts';

const BY_MARK = { marked: 0.97, name: 0.94, folder: 0.93, none: 0.9 };
const BY_SPECIAL: Record<PlacedSpecial['by'], number> = { said: 0.96, title: 0.94, day: 0.9, number: 0.8, order: 0.66 };
/** Other countings nearly as likely as the one taken: no certainty. */
const NARROW_MARGIN = 3;
/** No catalog says that there is such an episode. */
const UNCHECKED = 0.88;
const OUTSIDE = 0.3;
const DISPUTED = 0.45;
/** Title and number say different episodes, and the folder's other names do, too. */
const OPEN_ORDER = 0.58;

/** By what a video became an episode; `places` null for a day that no catalog has, `surer`: the file that is it by a better name. */
export type Found =
  | { class: 'episode'; by: 'number'; weighed: Weighed; places: Place[]; surer?: string }
  | { class: 'episode'; by: 'date'; day: string; settled: boolean; places: Place[] | null }
  | { class: 'episode'; by: 'special'; how: PlacedSpecial['by']; places: Place[] }
  /** `open`: its number says another episode, and nobody said yet which of them counts. */
  | { class: 'episode'; by: 'title'; likeness: number; places: Place[]; open?: boolean }
  | { class: 'episode'; by: 'doubtful'; places: Place[] }
  /** `unplaced`: a special that the catalog has no place for; `small`: a sample by its size. */
  | { class: 'extra'; unplaced?: boolean; small?: boolean }
  | { class: 'movie' }
  /** `foreign`: named as another show. */
  | { class: 'other'; foreign?: string };

/** 0..1 */
export function confidenceOf(clue: Clue, found: Found, places: readonly Place[], show: KnownShow): number {
  if (found.class === 'extra') return found.unplaced === true ? 0.5 : 0.95;
  if (found.class === 'movie') return 0.8;
  if (found.class === 'other' || places.length === 0) return 0;
  const base = baseOf(clue, found);
  if (!show.counted) return base * (clue.seasonBy === null ? UNCHECKED - 0.1 : UNCHECKED);
  if (places.some((place) => show.at(place) === null)) return OUTSIDE;
  const titled = titleAgrees(clue.reading, places, show);
  return Math.min(0.99, titled === false ? Math.min(base, 0.6) : base + (titled === true ? 0.02 : 0));
}

function baseOf(clue: Clue, found: Found & { class: 'episode' }): number {
  switch (found.by) {
    case 'special':
      return BY_SPECIAL[found.how];
    case 'date':
      return found.settled ? 0.96 : 0.5;
    case 'title':
      return found.open === true ? OPEN_ORDER : 0.9 * found.likeness;
    case 'doubtful':
      return 0.6;
    case 'number':
      if (found.surer !== undefined) return DISPUTED;
      return Math.min(BY_MARK[clue.seasonBy ?? 'none'], ceiling(found.weighed), clue.byColumn ? 0.86 : 1);
  }
}

function ceiling({ counting, cost, next }: Weighed): number {
  const margin = next === null ? Infinity : next.cost - cost;
  const usual = counting.kind === 'after' || counting.kind === 'sequel' ? 0.75 : 1;
  return Math.min(usual, margin < OPEN_MARGIN ? 0.55 : margin < NARROW_MARGIN ? 0.8 : 1);
}

export function reasonsOf(clue: Clue, found: Found, places: readonly Place[], show: KnownShow): string[] {
  switch (found.class) {
    case 'extra':
      return [extraReason(clue, found)];
    case 'movie':
      return ['It is a film and no episode.'];
    case 'other':
      return [
        found.foreign === undefined
          ? clue.numbers.length > 0
            ? `The number ${clue.numbers.join('-')} fits no episode.`
            : 'Nothing in the name says which episode it is.'
          : `It is named as another show, "${found.foreign}".`,
      ];
    case 'episode':
      return [
        placedReason(clue, found, places),
        ...(found.by === 'number' && found.surer !== undefined
          ? [`"${found.surer}" is this episode more surely.`]
          : []),
        ...checks(clue, places, show),
      ];
  }
}

function extraReason({ role, reading }: Clue, found: Found & { class: 'extra' }): string {
  if (found.small === true) return 'Another file is this episode, many times as large: this is a sample.';
  if (found.unplaced === true) return 'It is called a special, but the catalog has no place for it.';
  if (role.extras) return 'It lies in a folder of extras.';
  return reading.special === null
    ? 'Its name says that it is an extra.'
    : `Its name says "${reading.special}", which is an extra.`;
}

function placedReason(clue: Clue, found: Found & { class: 'episode' }, places: readonly Place[]): string {
  const at = places.map(placeName).join(', ');
  switch (found.by) {
    case 'special':
      return `${SPECIAL_REASON[found.how]}: ${at}.`;
    case 'date':
      return found.settled
        ? `${at} was aired on ${found.day}.`
        : `The name says ${found.day}, a day that the catalog does not have.`;
    case 'title':
      return found.open === true
        ? `The name has the title of ${at}; its number is that of another episode.`
        : `The name has the title of ${at}.`;
    case 'doubtful':
      return `The name says ${at}; it also has a word of extras, but no other file is this episode.`;
    case 'number':
      return NUMBER_REASON[found.weighed.counting.kind](clue.numbers.join('-'), at, clue);
  }
}

const SPECIAL_REASON: Record<PlacedSpecial['by'], string> = {
  said: 'The name says the special',
  title: "The special has the catalog's title",
  day: 'The special was aired between the two episodes around its number',
  number: 'The special has its own number',
  order: 'The special is placed by the order of the names',
};

const NUMBER_REASON: Record<CountingKind, (number: string, at: string, clue: Clue) => string> = {
  absolute: (number, at) => `${number} is counted over all seasons: ${at}.`,
  compact: (number, at) => `${number} is season and episode in one: ${at}.`,
  after: (number, at) => `${number} goes on behind the seasons before it: ${at}.`,
  sequel: (_number, at) => `The title is another one and its numbers begin again: ${at}.`,
  season(number, at, { season, seasonBy }) {
    if (seasonBy === 'marked') return `The name says ${at}.`;
    if (seasonBy === null) return `The name says episode ${number}: ${at}.`;
    return `The ${seasonBy} says season ${season}, the name episode ${number}: ${at}.`;
  },
};

function checks(clue: Clue, places: readonly Place[], show: KnownShow): string[] {
  const found: string[] = [];
  if (clue.byColumn) found.push('The names beside it count at this number.');
  if (!show.counted) found.push('No catalog was there to check it.');
  else if (places.some((place) => show.at(place) === null)) found.push('The catalog has no such episode.');
  const titled = titleAgrees(clue.reading, places, show);
  if (titled === true) found.push("The title in the name is the catalog's.");
  if (titled === false) found.push('The title in the name is that of another episode.');
  return found;
}
