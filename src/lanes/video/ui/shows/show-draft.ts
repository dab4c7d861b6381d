/** The form of a show as data: what is typed stays text until it is checked and sent. */
import * as v from 'valibot';
import { randomIds } from '#core/ids.ts';
import type { Show } from '#lanes/video/core/show-catalog.ts';

const EpisodeDraftSchema = v.object({
  /** Names the row, on the page only. */
  key: v.string(),
  number: v.string(),
  title: v.string(),
  /** `YYYY-MM-DD`, or empty. */
  air_date: v.string(),
  /** Empty: it is counted. */
  absolute: v.string(),
});
export type EpisodeDraft = v.InferOutput<typeof EpisodeDraftSchema>;

const SeasonDraftSchema = v.object({
  key: v.string(),
  number: v.string(),
  title: v.string(),
  episodes: v.array(EpisodeDraftSchema),
});
export type SeasonDraft = v.InferOutput<typeof SeasonDraftSchema>;

export const ShowDraftSchema = v.object({
  title: v.string(),
  year: v.string(),
  /** One a line. */
  titles: v.string(),
  seasons: v.array(SeasonDraftSchema),
});
/** Fields that messages are at are `title`, `titles`, `year`, and `<row key>.<field>`. */
export type ShowDraft = v.InferOutput<typeof ShowDraftSchema>;

export function emptyEpisode(number = '1'): EpisodeDraft {
  return { key: randomIds.next(), number, title: '', air_date: '', absolute: '' };
}

export function emptySeason(number = '1'): SeasonDraft {
  return { key: randomIds.next(), number, title: '', episodes: [emptyEpisode()] };
}

export function emptyShow(): ShowDraft {
  return { title: '', year: '', titles: '', seasons: [emptySeason()] };
}

/** The form filled in with a show of the catalog; seasons from 1, the specials last. */
export function draftOfShow(show: Show): ShowDraft {
  const seasons = show.seasons.toSorted((a, b) => (a.number || Infinity) - (b.number || Infinity));
  return {
    title: show.title,
    year: textOf(show.year),
    titles: show.titles.join('\n'),
    seasons: seasons.map(({ number, title, episodes }) => ({
      key: `season-${number}`,
      number: String(number),
      title: title ?? '',
      episodes: episodes.map((episode) => ({
        key: `${number}x${episode.number}`,
        number: String(episode.number),
        title: episode.title ?? '',
        air_date: episode.air_date ?? '',
        absolute: textOf(episode.absolute),
      })),
    })),
  };
}

/** What is sent. The draft must have passed `checkShow`; of one that has not, what is no number is NaN. */
export function showBody(draft: ShowDraft): Omit<Show, 'id'> {
  return {
    title: draft.title.trim(),
    year: numberOf(draft.year),
    titles: titleLines(draft.titles),
    seasons: draft.seasons.map((season) => ({
      number: Number(season.number),
      title: season.title.trim() || null,
      episodes: season.episodes.map((episode) => ({
        number: Number(episode.number),
        title: episode.title.trim() || null,
        air_date: episode.air_date.trim() || null,
        absolute: numberOf(episode.absolute),
      })),
    })),
  };
}

export function titleLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const textOf = (number: number | null): string => (number === null ? '' : String(number));
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
