import { readName, type NameOptions } from '#lanes/video/core/names/read-name.ts';

/** A reading in short: `S1 E2,3`, `E12 A12`, `2019-05-12`, `S[1,2]`, `movie 2012`, `extra trailer`, `unknown`. */
export function said(input: string, options?: NameOptions): string {
  const { type, season, episodes, absolute, date, year, special } = readName(input, options);
  if (type === 'extra') return `extra ${special ?? ''}`.trim();
  const parts = [
    season === null ? '' : Array.isArray(season) ? `S[${season.join()}]` : `S${season}`,
    episodes.length === 0 ? '' : `E${episodes.join()}`,
    absolute.length === 0 || absolute.join() === episodes.join() ? '' : `A${absolute.join()}`,
    date ?? '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(' ') : type === 'movie' && year !== null ? `movie ${year}` : type;
}
