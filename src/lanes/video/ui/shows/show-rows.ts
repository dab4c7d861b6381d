/** Rows of episodes in the editor of a show. Pure. */
import { absoluteNumbers } from '#lanes/video/core/show-catalog.ts';
import type { EpisodeDraft, SeasonDraft, ShowDraft } from './show-draft.ts';

/** The absolute number of each row, by its key: as typed, else counted. Reads the numbers alone. */
export function countedRows(draft: Pick<ShowDraft, 'seasons'>): Map<string, number> {
  const seasons = draft.seasons.map((season) => ({
    number: Number(season.number),
    title: null,
    episodes: season.episodes.map(({ key, number, absolute }) => ({
      ...{ key, number: Number(number), title: null, air_date: null },
      absolute: absolute.trim() === '' ? null : Number(absolute),
    })),
  }));
  const numbers = new Map(absoluteNumbers({ seasons }).map((one) => [`${one.season}x${one.episode}`, one.absolute]));
  const counted = new Map<string, number>();
  for (const season of seasons)
    for (const { key, number } of season.episodes) {
      const absolute = numbers.get(`${season.number}x${number}`) ?? NaN;
      if (!isNaN(absolute)) counted.set(key, absolute);
    }
  return counted;
}

/** Pasted rows whose number is there fill in that row; the others are added in their order. */
export function withPasted(rows: readonly EpisodeDraft[], pasted: readonly EpisodeDraft[]): EpisodeDraft[] {
  const byNumber = new Map(pasted.map((row) => [Number(row.number), row]));
  const filled = rows.map((row) => {
    const { title = '', air_date = '' } = byNumber.get(Number(row.number)) ?? {};
    return { ...row, title: title || row.title, air_date: air_date || row.air_date };
  });
  const there = new Set(rows.map((row) => Number(row.number)));
  const added = pasted.filter((row) => !there.has(Number(row.number)));
  // A row whose number is not typed yet is last.
  const place = ({ number }: EpisodeDraft): number =>
    number.trim() === '' || isNaN(Number(number)) ? 1e9 : Number(number);
  return [...filled, ...added].sort((a, b) => place(a) - place(b));
}

/** Behind the last row. */
export function nextNumber(season: SeasonDraft): string {
  return String((Number(season.episodes.at(-1)?.number) || 0) + 1);
}

/** Where a pasted list without numbers begins: at the first row that has no title, else behind the last. */
export function firstUntitled(season: SeasonDraft): number {
  return Number(season.episodes.find(({ title }) => title.trim() === '')?.number) || Number(nextNumber(season));
}
