/**
 * VIDEO-37: places in season 0. What the catalog says by title goes first, then the number that the name says, then the
 * order of the names; a recap between two episodes also by the day between theirs. No special is invented: a catalog that
 * knows fewer leaves the others out.
 */
import type { Clue } from './clue.ts';
import { type KnownShow, type Place, matchTitle } from './known-show.ts';

export interface PlacedSpecial {
  clue: Clue;
  place: Place;
  by: 'said' | 'title' | 'number' | 'day' | 'order';
}

/** @param clues specials by their names, in any order */
export function placeSpecials(clues: readonly Clue[], show: KnownShow): PlacedSpecial[] {
  const placed: PlacedSpecial[] = [];
  const taken = new Set<number>();
  const put = (clue: Clue, episode: number, by: PlacedSpecial['by']): void => {
    placed.push({ clue, place: { season: 0, episode }, by });
    taken.add(episode);
  };
  let left = clues.toSorted(inOrder);
  const pass = (find: (clue: Clue) => { episode: number; by: PlacedSpecial['by'] } | null): void => {
    left = left.filter((clue) => {
      const found = find(clue);
      if (found !== null) put(clue, found.episode, found.by);
      return found === null;
    });
  };
  pass((clue) => said(clue, show));
  pass((clue) => titled(clue, show));
  pass((clue) => ofYear(clue, show, taken));
  pass((clue) => between(clue, show, taken));
  const alike = new Set<string>();
  const doubled = left.some((clue) => {
    const number = String(numberOf(clue));
    return number !== 'null' && (alike.has(number) || (alike.add(number), false));
  });
  if (!doubled)
    pass((clue) => {
      const number = numberOf(clue);
      const free = number !== null && !taken.has(number) && (!show.counted || isThere(show, number));
      return free ? { episode: number, by: 'number' } : null;
    });
  if (!show.counted) {
    let next = 1;
    pass(() => {
      while (taken.has(next)) next++;
      return { episode: next, by: 'order' };
    });
    return placed;
  }
  const vacant = show.specials.map(({ episode }) => episode).filter((episode) => !taken.has(episode));
  // Where the catalog names its specials and none is meant, only what is called a special by itself is one.
  const named = show.specials.length > 0 && show.specials.every(({ key }) => key !== null);
  const sure = left.filter((clue) => isKind(clue) || !named);
  const fitting = sure.length <= vacant.length ? sure : sure.filter(isKind);
  for (const [at, clue] of fitting.entries()) {
    const episode = vacant[at];
    if (episode !== undefined) put(clue, episode, 'order');
  }
  return placed;
}

/** Called a special by its own name, and not only by its folder. */
function isKind({ own, stem, numbers }: Clue): boolean {
  const fractional = numbers.some((number) => !Number.isInteger(number) || number === 0);
  return (
    fractional || own.special !== null || /ova|oad|oav|special|\bsp\d*\b|番外|特别|特別|総集|总集|特番/iu.test(stem)
  );
}

const isThere = (show: KnownShow, episode: number): boolean => show.specials.some((one) => one.episode === episode);

/** S00E03 says it itself. */
function said(clue: Clue, show: KnownShow): { episode: number; by: 'said' } | null {
  const [episode] = clue.numbers;
  if (clue.season !== 0 || clue.seasonBy !== 'marked' || episode === undefined) return null;
  return !show.counted || isThere(show, episode) ? { episode, by: 'said' } : null;
}

function titled(clue: Clue, show: KnownShow): { episode: number; by: 'title' } | null {
  const [number] = clue.numbers;
  if (number !== undefined && !Number.isInteger(number)) {
    const same = show.specials.filter(({ title }) => new RegExp(`(?<![\\d.])0*${number}(?!\\d)`).test(title ?? ''));
    if (same.length === 1 && same[0] !== undefined) return { episode: same[0].episode, by: 'title' };
  }
  for (const text of [clue.reading.episode_title, clue.stem]) {
    const hit = text === null ? null : matchTitle(text, show.specials, show);
    if (hit !== null) return { episode: hit.episode.episode, by: 'title' };
  }
  return null;
}

/** "Christmas Special 2013" is the one special of that year. */
function ofYear({ stem }: Clue, show: KnownShow, taken: ReadonlySet<number>): { episode: number; by: 'day' } | null {
  const year = /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(stem)?.[0];
  if (year === undefined) return null;
  const inside = show.specials.filter(({ air_date: day }) => day?.startsWith(year) === true);
  const [only] = inside;
  return inside.length === 1 && only !== undefined && !taken.has(only.episode)
    ? { episode: only.episode, by: 'day' }
    : null;
}

/** 26.5 is the special that went out between 26 and 27. */
function between(clue: Clue, show: KnownShow, taken: ReadonlySet<number>): { episode: number; by: 'day' } | null {
  const number = clue.numbers[0];
  if (number === undefined || Number.isInteger(number)) return null;
  const from = dayOf(clue, Math.floor(number), show);
  const to = dayOf(clue, Math.ceil(number), show);
  if (from === null || to === null) return null;
  const inside = show.specials.filter(
    ({ air_date: day, episode }) => day !== null && day > from && day < to && !taken.has(episode),
  );
  return inside.length === 1 && inside[0] !== undefined ? { episode: inside[0].episode, by: 'day' } : null;
}

function dayOf({ season }: Clue, episode: number, show: KnownShow): string | null {
  const found = season === null ? show.byAbsolute(episode) : show.at({ season, episode });
  return found?.air_date ?? null;
}

/** A fraction counts the episodes around it, and no specials; 0 is before all, and no number of a special. */
function numberOf({ numbers }: Clue): number | null {
  const [number] = numbers;
  return number === undefined || !Number.isInteger(number) || number === 0 ? null : number;
}

/** Fractions by their number, the rest as a person sorts names. */
function inOrder(a: Clue, b: Clue): number {
  const [x, y] = [a.numbers[0], b.numbers[0]];
  const fractions = x !== undefined && y !== undefined && (!Number.isInteger(x) || !Number.isInteger(y));
  return (fractions ? x - y : 0) || naturally(a.path, b.path);
}

const collator = new Intl.Collator('en', { numeric: true });
export const naturally = (a: string, b: string): number => collator.compare(a, b) || (a < b ? -1 : Number(a > b));
