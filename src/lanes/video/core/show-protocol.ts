/**
 * Shows on the wire, parsed at both ends: the same fields as `Show` of core/video/show-catalog.ts. A show is one record
 * with one version; its seasons and episodes have no ids, their numbers name them.
 */
import * as v from 'valibot';
import type { Show } from './show-catalog.ts';
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

export const EpisodeSchema = v.object({
  number: EpisodeNumberSchema,
  title: MaybeTitle,
  /** ISO 8601 day. */
  air_date: v.optional(v.nullable(AirDate), null),
  /** Counted over all seasons; null: it is counted (core/video/absolute.ts). */
  absolute: v.optional(v.nullable(Whole(99_999)), null),
});
const Episodes = v.pipe(v.array(EpisodeSchema), v.maxLength(MAX_EPISODES), oncePerNumber());

export const SeasonSchema = v.object({
  number: SeasonNumberSchema,
  title: MaybeTitle,
  episodes: v.optional(Episodes, []),
});
const Seasons = v.pipe(v.array(SeasonSchema), v.maxLength(MAX_SEASONS), oncePerNumber());
const Titles = v.pipe(v.array(Title), v.maxLength(MAX_TITLES));

export const ShowSchema = v.object({
  id: IdSchema,
  title: Title,
  titles: v.optional(Titles, []),
  year: v.optional(Year, null),
  seasons: v.optional(Seasons, []),
}) satisfies v.GenericSchema<unknown, Show>;

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
export const EpisodeBodySchema = v.object({
  title: EpisodeSchema.entries.title,
  air_date: EpisodeSchema.entries.air_date,
  absolute: EpisodeSchema.entries.absolute,
});

/** A show in a list: with how much of it there is, specials not counted. */
export const ShowHeadSchema = v.object({
  id: IdSchema,
  title: v.string(),
  titles: v.array(v.string()),
  year: Year,
  seasons: v.number(),
  episodes: v.number(),
});
/** A show with its version, for `If-Match`. */
export const ShowAnswerSchema = v.object({ ...ShowSchema.entries, version: v.optional(v.number()) });

/** A page of the shows' own feed: `put` carries the whole show. Other kinds are passed over. */
export const ShowChangesPageSchema = changesPageOf(v.string());
export type ShowChangesPage = v.InferOutput<typeof ShowChangesPageSchema>;
