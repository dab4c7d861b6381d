/** The year of a show or film: in brackets, or bare before what ends a title. */
import type { Noise } from './noise.ts';

export interface YearMark {
  year: number;
  start: number;
  end: number;
  bracketed: boolean;
}

const BRACKETED = /[[(]\s?(?:[^()[\]\d]{0,40}[ ,.]\s?)?((?:19|20)\d\d)(?:\s?[-~]\s?(?:(?:19|20)?\d\d)?)?\s?[\])]/gu;
const BARE =
  /(?<![\p{L}\p{N}.,]|\d[-.])((?:19[0-9]|20[0-4])\d)(?:-(?:19|20)\d\d)?(?![\p{L}\p{N}]|[-:]\d|\.\d(?!\d{2,3}p|\D))/gu;
const DOTTED = /(?<=[\p{L})\]\d][.])((?:19[2-9]|20[0-4])\d)(?:-(?:19|20)\d\d)?(?=$|[.](?!\d{1,2}[.])|[ _[(-])/gu;

/** The year that a name says, null for none. `until`: where the first claim stands. */
export function findYear(text: string, noise: readonly Noise[], from: number, until: number): YearMark | null {
  const marks: YearMark[] = [];
  for (const match of text.matchAll(BRACKETED)) {
    if (match.index < from) continue;
    marks.push({ year: Number(match[1]), start: match.index, end: match.index + match[0].length, bracketed: true });
  }
  if (marks[0] !== undefined) return marks[0];
  for (const pattern of [BARE, DOTTED])
    for (const match of text.matchAll(pattern)) {
      // At the front it is the title ("2012.2009.720p").
      if (match.index <= from) continue;
      if (noise.some(({ start, end, hard }) => hard && match.index >= start && match.index < end)) continue;
      marks.push({ year: Number(match[1]), start: match.index, end: match.index + match[0].length, bracketed: false });
    }
  marks.sort((a, b) => a.start - b.start);
  const before = marks.filter(({ start }) => start < until);
  return before.at(-1) ?? null;
}
