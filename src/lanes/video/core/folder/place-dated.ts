/** VIDEO-36: days that can be read in two orders: the catalog settles it, else the order that most names are written in. */
import type { Clue } from './clue.ts';
import type { DateOrder, DateReading } from './dates.ts';
import type { Found } from './reasons.ts';
import { type KnownEpisode, type KnownShow, matchTitle } from './known-show.ts';
import { naturally } from './specials.ts';

export function placeDated(clues: readonly Clue[], show: KnownShow): Map<Clue, Found> {
  const found = new Map<Clue, Found>();
  const order = usualOrder(clues, show);
  const days = new Map<string, Clue[]>();
  for (const clue of clues) {
    const day = dayOf(clue.dates, order, show);
    if (day === null) continue;
    days.set(day, [...(days.get(day) ?? []), clue]);
  }
  for (const [day, of] of days) {
    const episodes = show.byDate(day);
    const sorted = of.toSorted((a, b) => naturally(a.path, b.path));
    for (const [at, clue] of sorted.entries()) {
      const places = episodesOf(clue, at, sorted.length, episodes, show);
      const numbers = clue.numbers.map((episode) => ({ season: clue.season ?? 1, episode }));
      const said = numbers.length > 0 && clue.season !== null ? numbers : null;
      found.set(clue, { class: 'episode', by: 'date', day, settled: places !== null, places: places ?? said });
    }
  }
  return found;
}

/** Of several episodes on one day: by title, by part, by the order of as many files; one file holds them all. */
function episodesOf(
  clue: Clue,
  at: number,
  files: number,
  episodes: readonly KnownEpisode[],
  show: KnownShow,
): KnownEpisode[] | null {
  if (episodes.length === 0) return null;
  const [first] = episodes;
  if (episodes.length === 1 && first !== undefined) return [first];
  const titled = matchTitle(clue.reading.episode_title ?? clue.stem, episodes, show)?.episode;
  if (titled !== undefined) return [titled];
  const numbered = episodes.find(
    ({ season, episode }) => clue.numbers.includes(episode) && (clue.season ?? season) === season,
  );
  if (numbered !== undefined) return [numbered];
  const nth =
    clue.reading.part !== null ? episodes[clue.reading.part - 1] : files === episodes.length ? episodes[at] : undefined;
  if (nth !== undefined) return [nth];
  const regular = episodes.filter(({ season }) => season !== 0);
  return files === 1 ? (regular.length > 0 ? regular : [...episodes]) : first === undefined ? null : [first];
}

/** The order in which most names can be read whose order is not open; year, month, day before all where none is. */
function usualOrder(clues: readonly Clue[], show: KnownShow): DateOrder | null {
  const counts = new Map<DateOrder, number>();
  for (const { dates } of clues) {
    if (dates.length < 1) continue;
    const aired = dates.filter(({ day }) => show.byDate(day).length > 0);
    const one = aired.length === 1 ? aired[0] : dates.length === 1 ? dates[0] : undefined;
    if (one !== undefined) counts.set(one.order, (counts.get(one.order) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

function dayOf(dates: readonly DateReading[], usual: DateOrder | null, show: KnownShow): string | null {
  const aired = dates.filter(({ day }) => show.byDate(day).length > 0);
  const among = aired.length > 0 ? aired : dates;
  return (among.find(({ order }) => order === usual) ?? among[0])?.day ?? null;
}
