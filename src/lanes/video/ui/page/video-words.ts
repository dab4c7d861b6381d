/** Videos in words for a person. */
import type { FileClass } from '#lanes/video/core/folder-reading.ts';
import { episodesText, type VideoRow } from './corrections.ts';

export const CLASS_WORDS: Record<FileClass, { one: string; many: string }> = {
  episode: { one: 'Episode', many: 'Episodes' },
  extra: { one: 'Extra', many: 'Extras' },
  movie: { one: 'Movie', many: 'Movies' },
  companion: { one: 'Companion file', many: 'Companion files' },
  other: { one: 'Other file', many: 'Other files' },
};

export function seasonName(season: number | null): string {
  return season === null ? 'Season unknown' : season === 0 ? 'Specials' : `Season ${season}`;
}

/** `S01E02`, `S01E02-03`, with its part; the class for what is no episode. */
export function recognisedAs(row: VideoRow): string {
  if (row.class !== 'episode') return CLASS_WORDS[row.class].one;
  const two = (number: number): string => `${number}`.padStart(2, '0');
  const season = row.season === null ? 'S?' : `S${two(row.season)}`;
  const episodes =
    row.episodes.length === 0
      ? 'E?'
      : `E${row.episodes.length === 1 ? two(row.episodes[0] ?? 0) : spans(row.episodes)}`;
  return `${season}${episodes}${row.part === null ? '' : ` part ${row.part}`}`;
}

const spans = (episodes: readonly number[]): string =>
  episodesText(episodes).replace(/\d+/g, (number) => number.padStart(2, '0'));

const MOST_GAPS = 40;

/** `3, 7-9`, cut where it grows long. */
export function gapWords(episodes: readonly number[]): string {
  const text = episodesText(episodes);
  return text.length > MOST_GAPS ? `${text.slice(0, text.lastIndexOf(',', MOST_GAPS))} and more` : text;
}

/** A season's number as a person types it: a whole number from 0 on. */
export function parseSeason(text: string): number | null {
  return /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : null;
}

export const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
