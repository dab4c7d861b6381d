/** Shows with their episodes, as a look-up knows them. */
import * as v from 'valibot';
import { foldWords } from '../faults/words/fold.ts';

export const ShowCatalog = v.object({
  shows: v.array(
    v.looseObject({
      title: v.string(),
      titles: v.optional(v.array(v.string()), []),
      year: v.nullish(v.number()),
      seasons: v.array(
        v.looseObject({
          number: v.number(),
          episodes: v.array(
            v.looseObject({ number: v.number(), title: v.nullish(v.string()), air_date: v.nullish(v.string()) }),
          ),
        }),
      ),
    }),
  ),
});
export type ShowCatalog = v.InferOutput<typeof ShowCatalog>;
type Show = ShowCatalog['shows'][number];

export interface CatalogEpisode {
  season: number;
  episode: number;
  title: string;
  /** `YYYY-MM-DD`; null: not known. */
  day: string | null;
}

interface KnownShow {
  title: string;
  year: number | null;
  episodes: CatalogEpisode[];
}

/** The catalog by titles. */
export class ShowIndex {
  readonly #byTitle = new Map<string, KnownShow[]>();
  readonly #byEpisode = new Map<string, KnownShow[]>();

  constructor({ shows }: ShowCatalog) {
    for (const show of shows) {
      const known: KnownShow = { title: show.title, year: show.year ?? null, episodes: episodesOf(show) };
      for (const title of new Set([show.title, ...show.titles].map(foldWords))) push(this.#byTitle, title, known);
      for (const { season, episode, title } of known.episodes)
        push(this.#byEpisode, `${season}.${episode}.${foldWords(title)}`, known);
    }
  }

  /** The one show of a title, or of a title and a year; null: none, or several. */
  showOf(title: string, year: number | null): KnownShow | null {
    const named = /^(.*\S)\s*\((\d{4})\)$/.exec(title);
    const plain = this.#byTitle.get(foldWords(title)) ?? [];
    const shows =
      plain.length > 0 || named === null
        ? plain
        : (this.#byTitle.get(foldWords(named[1] ?? '')) ?? []).filter((show) => show.year === Number(named[2]));
    if (shows.length === 1) return shows[0] ?? null;
    const ofYear = shows.filter((show) => year !== null && show.year === year);
    return ofYear.length === 1 ? (ofYear[0] ?? null) : null;
  }

  /** Titles of the shows that have this episode under this number. */
  titlesOf(season: number, episode: number, episodeTitle: string): string[] {
    const shows = this.#byEpisode.get(`${season}.${episode}.${foldWords(episodeTitle)}`) ?? [];
    return [...new Set(shows)].map(({ title }) => title);
  }
}

function episodesOf({ seasons }: Show): CatalogEpisode[] {
  return seasons.flatMap(({ number: season, episodes }) =>
    episodes.map(({ number: episode, title, air_date: day }) => ({
      ...{ season, episode, title: title ?? '', day: day?.slice(0, 10) ?? null },
    })),
  );
}

/** What a show says of an episode: by its title, else by its first day; where both speak and differ, both. */
export function episodesSaid(show: KnownShow, subTitle: string | null, day: string | null): CatalogEpisode[] {
  const folded = subTitle === null ? '' : foldWords(subTitle);
  const byTitle = folded === '' ? [] : show.episodes.filter(({ title }) => foldWords(title) === folded);
  const byDay = day === null ? [] : show.episodes.filter((episode) => episode.day === day);
  const both = byTitle.filter((episode) => byDay.includes(episode));
  if (both.length === 1) return both;
  const said: CatalogEpisode[] = [];
  if (byTitle.length === 1) said.push(...byTitle);
  if (byDay.length === 1) said.push(...byDay);
  return said;
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
