/**
 * Shows: on the wire, parsed at both ends, and what is counted of them. A show is one record with one version; its seasons
 * and episodes have no ids, their numbers name them.
 */
import * as v from 'valibot';
import { changesPageOf, IdSchema, Year } from '#core/sync/fields.ts';

/** Other titles, seasons, and episodes of a season, that one show may have. */
const MAX_TITLES = 200;
export const MAX_SEASONS = 1000;
export const MAX_EPISODES = 10_000;

const Title = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(1000));
const MaybeTitle = v.optional(v.nullable(Title), null);
const Whole = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most));
/** 0: the specials. Some shows count their seasons by years. */
export const SeasonNumberSchema = Whole(9999);
export const EpisodeNumberSchema = Whole(99_999);
const AirDate = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}$/, 'an air date is YYYY-MM-DD'),
  v.check(isDay, 'there is no such day'),
);

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  // The 30th of February is read as a day of March.
  return !isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** No two entries with one number; the second is named by its place. */
const oncePerNumber = <T extends { number: number }>() =>
  v.rawCheck<T[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const seen = new Set<number>();
    for (const [key, entry] of dataset.value.entries()) {
      if (seen.has(entry.number)) {
        const path = { type: 'array', origin: 'value', input: dataset.value, key, value: entry } as const;
        addIssue({ message: `number ${entry.number} stands there twice`, path: [path] });
      }
      seen.add(entry.number);
    }
  });

const EpisodeSchema = v.object({
  number: EpisodeNumberSchema,
  title: MaybeTitle,
  /** ISO 8601 day. */
  air_date: v.optional(v.nullable(AirDate), null),
  /** Counted over all seasons; null where the catalog does not say: it is then counted. */
  absolute: v.optional(v.nullable(Whole(99_999)), null),
});
export type Episode = v.InferOutput<typeof EpisodeSchema>;
const Episodes = v.pipe(v.array(EpisodeSchema), v.maxLength(MAX_EPISODES), oncePerNumber());

const SeasonSchema = v.object({
  number: SeasonNumberSchema,
  title: MaybeTitle,
  episodes: v.optional(Episodes, []),
});
export type Season = v.InferOutput<typeof SeasonSchema>;
const Seasons = v.pipe(v.array(SeasonSchema), v.maxLength(MAX_SEASONS), oncePerNumber());
const Titles = v.pipe(v.array(Title), v.maxLength(MAX_TITLES));

/** A show as the catalog knows it. */
export const ShowSchema = v.object({
  id: IdSchema,
  title: Title,
  /** Of any language. */
  titles: v.optional(Titles, []),
  year: v.optional(Year, null),
  /** Season 0 holds the specials. */
  seasons: v.optional(Seasons, []),
});
export type Show = v.InferOutput<typeof ShowSchema>;

/** Bodies of the editor. POST makes the id where none is given. */
export const NewShowSchema = v.object({ ...ShowSchema.entries, id: v.optional(IdSchema) });
/** PATCH carries only what changes; `seasons`, where given, are all seasons of the show as they shall be. */
export const ShowPatchSchema = v.object({
  title: v.optional(Title),
  titles: v.optional(Titles),
  year: v.optional(Year),
  seasons: v.optional(Seasons),
});
/** PUT of a season, which is made where there is none. Without `episodes` it keeps those it has. */
export const SeasonBodySchema = v.object({ title: MaybeTitle, episodes: v.optional(Episodes) });
/** PUT of an episode, which is made where there is none. */
export const EpisodeBodySchema = v.omit(EpisodeSchema, ['number']);

/** A show in a list: with how much of it there is, specials not counted. */
export const ShowHeadSchema = v.object({
  id: IdSchema,
  title: v.string(),
  titles: v.array(v.string()),
  year: Year,
  seasons: v.number(),
  episodes: v.number(),
});
export type ShowHead = v.InferOutput<typeof ShowHeadSchema>;
/** A show with its version, for `If-Match`. */
export const ShowAnswerSchema = v.object({ ...ShowSchema.entries, version: v.optional(v.number()) });

/** A page of the shows' own feed: `put` carries the whole show. Other kinds are passed over. */
export const ShowChangesPageSchema = changesPageOf(v.string());
export type ShowChangesPage = v.InferOutput<typeof ShowChangesPageSchema>;

/** What a list shows of a show. */
export function headOf({ id, title, titles, year, seasons }: Show): ShowHead {
  const counted = seasons.filter((season) => season.number > 0);
  const episodes = counted.reduce((sum, season) => sum + season.episodes.length, 0);
  return { id, title, titles, year, seasons: counted.length, episodes };
}

/** Seasons and episodes in order, other titles each once and none that is the title itself. */
export function inOrder(show: Show): Show {
  const byNumber = (a: { number: number }, b: { number: number }): number => a.number - b.number;
  return {
    ...show,
    titles: [...new Set(show.titles)].filter((title) => title !== show.title),
    seasons: show.seasons.map((season) => ({ ...season, episodes: season.episodes.toSorted(byNumber) })).sort(byNumber),
  };
}

/** A show as it is found by its title. */
export type FoundShow = Pick<Show, 'id' | 'title' | 'year'>;

/** An episode with its place. */
export type PlacedEpisode = Omit<Episode, 'number'> & { season: number; episode: number };

/** Episodes of one show in one list. */
export interface FoundEpisodes {
  show: FoundShow;
  episodes: PlacedEpisode[];
}

/** Of one season, or of all. */
export function foundEpisodes({ id, title, year, seasons }: Show, season: number | null): FoundEpisodes {
  const wanted = seasons.filter(({ number }) => season === null || number === season);
  const episodes = wanted.flatMap(({ number, episodes: of }) =>
    of.map(({ number: episode, ...about }) => ({ season: number, episode, ...about })),
  );
  return { show: { id, title, year }, episodes };
}

/**
 * Every episode with its absolute number, in order of seasons and episodes; null for specials that the catalog gives none,
 * and for an episode 0. What the catalog says counts; the rest goes on
 * from the episode before it. A number that is missing in the catalog is left out in the count, too, and a season whose
 * numbers go on from the season before (S2 begins with E13) keeps its own.
 */
export function absoluteNumbers(show: Pick<Show, 'seasons'>): PlacedEpisode[] {
  const seasons = show.seasons.toSorted((a, b) => a.number - b.number);
  const counted: PlacedEpisode[] = [];
  let last = 0;
  for (const season of seasons) {
    let before: { episode: number; absolute: number } | null = null;
    const episodes = season.episodes.toSorted((a, b) => a.number - b.number);
    for (const { number: episode, absolute: said, ...about } of episodes) {
      const absolute: number | null =
        said ?? (season.number === 0 || episode === 0 ? null : following(episode, before, last));
      counted.push({ ...about, season: season.number, episode, absolute });
      // A special's number says nothing about the episodes.
      if (absolute === null || season.number === 0) continue;
      before = { episode, absolute };
      last = absolute;
    }
  }
  return counted;
}

/** @param before of the same season @param last the absolute number of the episode before, of whatever season */
function following(episode: number, before: { episode: number; absolute: number } | null, last: number): number {
  if (before !== null) return before.absolute + episode - before.episode;
  return episode > last ? episode : last + episode;
}
