/** Where the titles of the show and of the episode are, between what the rules have claimed. */
import type { NormalText } from './normal-text.ts';
import type { Noise } from './noise.ts';
import { beforeEdition, cleanTitle, noiseEnd, withoutTail } from './title.ts';

export interface TitleContext {
  noise: readonly Noise[];
  /** Where the title may begin. */
  from: number;
  /** Claims and dates, by place. */
  marks: readonly { start: number; end: number; episodes?: readonly number[] }[];
  year: { start: number; end: number } | null;
  /** Where an extra's mark is, null for none. */
  extra: number | null;
  parts: readonly { start: number; kind: string }[];
  fanRelease: boolean;
  /** No folder can name the show. */
  alone: boolean;
}

/** The title of the show or film, null where the name has none. */
export function titleOf(name: NormalText, context: TitleContext): string | null {
  const { noise, from, marks, year, extra, parts, fanRelease } = context;
  const { text } = name;
  const stops = [text.length, noiseEnd(text, noise, from), ...marks.map(({ start }) => start)];
  if (year !== null) stops.push(beforeEdition(text, from, year.start));
  if (extra !== null) stops.push(extra);
  for (const { kind, start } of parts) if (kind !== 'part') stops.push(start);
  // The title that is in brackets itself ends with them.
  if (text.charAt(from - 1) === '[' && text.includes(']', from)) stops.push(text.indexOf(']', from));
  const first = marks[0];
  if (first !== undefined && first.start <= from) return behindNumber(name, first, stops, context);
  const stop = Math.min(...stops.filter((at) => at > from));
  const title = cleanTitle(name, from, stop === text.length ? beforeEdition(text, from, stop) : stop);
  const short = fanRelease ? title.replace(/\s*\(TV\)$/, '') : withoutTail(title);
  return short === '' ? null : short;
}

/** The number leads: "05 - Show - Title", "[Group] 05 - Show [720p]", "3 сезон Show"; "05 - Title" names no show. */
function behindNumber(
  name: NormalText,
  { end }: { end: number },
  stops: readonly number[],
  { from, marks, alone }: TitleContext,
): string | null {
  const stop = Math.min(...stops.filter((at) => at > end));
  const title = cleanTitle(name, end, stop);
  if (title === '') return null;
  const seasonOnly = marks.length === 1 && marks[0]?.episodes?.length === 0;
  if (seasonOnly || marks.some(({ start }) => start > end && Math.abs(start - stop) < 2)) return title;
  const [show = '', ...rest] = title.split(' - ');
  if (alone && rest.length > 0 && show.trim() !== '') return show.trim();
  return from > 0 && /\d/.test(name.text.charAt(from)) && /\p{L}/u.test(title) ? title : null;
}

/** The title of the episode behind its number, null where none is. */
export function episodeTitleOf(name: NormalText, noise: readonly Noise[], after: number): string | null {
  const { text } = name;
  const opened = text.slice(after).search(/[[({]/);
  const stop = Math.min(noiseEnd(text, noise, after), opened === -1 ? text.length : after + opened);
  // Something between: "E05" and "E05_" lead up to a title, "E05x" does not.
  if (stop <= after || !/^[\s._\])-]/.test(text.slice(after))) return null;
  const title = cleanTitle(name, after, stop);
  return /\p{L}{2}/u.test(title) ? title : null;
}
