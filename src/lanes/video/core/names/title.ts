/** The words of a title between what the rules have claimed. */
import type { NormalText } from './normal-text.ts';
import type { Noise } from './noise.ts';

const BRACKETS = /\[[^[\]]*\]|\([^()]*\)|\{[^{}]*\}/g;
/** Words that end an edition's name, and begin none. */
const EDITION_TAIL = /^(?:edition|version|cut)$/i;
const EDGES = /^[\s._\-~+&,;:|/\\#]+|[\s._\-~+&,;:|/\\#]+$/g;

/** Where a title may begin: behind the bracket of a group, technical words and such at the front. */
export function titleStart(text: string, noise: readonly Noise[]): number {
  let at = /^\s*\d{1,4}\s+(?=\[)/.exec(text)?.[0].length ?? 0;
  for (let count = 0; count < 6; count++) {
    const space = /^[\s._:-]*/.exec(text.slice(at))?.[0].length ?? 0;
    const rest = text.slice(at + space);
    const bracket = /^(?:\[{1,2}[^[\]]*\]|\{[^{}]*\}|\((?=[^()]*(?:hi10|raw|sub|fan|team)|\d{1,2}\))[^()]*\))\]?/i.exec(
      rest,
    );
    if (bracket !== null) {
      // "[Show] - 05 - Title": what a number follows at once is the show.
      if (count === 0 && /^[\s_]*-[\s_]*\d/.test(rest.slice(bracket[0].length))) return at + space + 1;
      const bare = withoutBrackets(rest);
      if (count === 0 && !/\p{L}|\d\S*[\s_]-[\s_]/u.test(bare)) return bracketedTitle(text, noise);
      at += space + bracket[0].length;
      continue;
    }
    const hard = noise.find(({ start, hard: technical }) => technical && start === at + space);
    if (hard !== undefined && hard.end < text.length && /^[\s._:-]/.test(text.slice(hard.end))) {
      at = hard.end;
      continue;
    }
    return at + space;
  }
  return at;
}

const withoutBrackets = (text: string): string => text.replace(BRACKETS, '');

/** "[Group][Title][07][1080p]": the title is the last of the worded brackets before the first number or technical one. */
function bracketedTitle(text: string, noise: readonly Noise[]): number {
  const worded: { at: number; latin: boolean }[] = [];
  for (const match of text.matchAll(BRACKETS)) {
    const [inner, at] = [match[0].slice(1, -1), match.index + 1];
    if (worded.length > 0 && match[0].startsWith('(')) continue;
    const technical = noise.some((word) => word.hard && word.start >= at && word.start < at + 2);
    if (technical || !/\p{L}/u.test(inner) || /^(?:ep|e|第|#)?\s?\d+/iu.test(inner)) {
      if (worded.length > 0) break;
      continue;
    }
    worded.push({ at, latin: /[A-Za-z]{2}/.test(inner) });
  }
  const [group, ...titles] = worded;
  // The same title in two scripts: the Latin one is the one that catalogs have.
  return (titles.find(({ latin }) => latin) ?? titles[0] ?? group)?.at ?? 0;
}

/** Where a title that begins at `from` must end: before technical words, with the soft ones that lead up to them. */
function noiseEnd(text: string, noise: readonly Noise[], from: number): number {
  const hardAt = noise.findIndex(({ hard, start }) => hard && start >= from);
  if (hardAt === -1) return text.length;
  let end = noise[hardAt]?.start ?? text.length;
  let tail: number | null = null;
  for (let at = hardAt - 1; at >= 0; at--) {
    const soft = noise[at];
    if (soft === undefined || soft.start <= from || !/^[\s._\-+&,()[\]{}']*$/.test(text.slice(soft.end, end))) break;
    end = soft.start;
    tail = EDITION_TAIL.test(text.slice(soft.start, soft.end)) ? soft.end : null;
  }
  return tail ?? end;
}

/** Names of a cut or an edition that lead up to a year: "Film Criterion Edition (1985)". */
const EDITION =
  /[\s._]+(?:extended|uncut|unrated|uncensored|remastered|theatrical|(?:the[\s._])?director'?s?|criterion|ultimate|special|collector'?s?|imax|DC|OM|EXTENDED)(?:[\s._]+(?:edition|cut|version|collector))*$|[\s._]+edition[\s._]+\w{1,12}$/iu;

/** The place before the edition that ends at `end`, or `end`. */
function beforeEdition(text: string, from: number, end: number): number {
  const before = text.slice(from, end).replace(/[\s._([-]+$/, '');
  const found = EDITION.exec(before);
  if (found === null || found.index === 0 || /^[\s._]+(?:dc|om)$/.test(found[0])) return end;
  // "The Ultimate": an article before it makes it a title.
  return /(?:^|[\s._])(?:the|a|an|le|la|der|die|das|el)$/i.test(before.slice(0, found.index))
    ? end
    : from + found.index;
}

/** A title as a person would write it: separators as spaces, brackets' remains and edges off. Empty where nothing is. */
function cleanTitle(name: NormalText, from: number, to: number): string {
  const raw = name.raw.slice(from, to);
  let title = raw.trim();
  // Dots and underscores separate only where no space does, except that an underscore always does.
  title = title.replace(/_/g, ' ');
  if (!/\S\s\S/.test(title.replace(/\s-\s/g, '')) || /^\S+$/.test(raw.trim())) title = dotsApart(title);
  title = title.replace(/\s{2,}/g, ' ');
  for (let count = 0; count < 4; count++) {
    const before = title;
    title = title
      .replace(EDGES, '')
      .replace(/[\s]*[[({]+\s*$/, '')
      .replace(/^[\])}]+/, '')
      .replace(/^'(?=[^']*$)/, '');
    title = title.replace(/\s*[[(][^\])]*$/, '');
    if (!/[[({]/.test(title)) title = title.replace(/[\])}]+$/, '');
    if (before === title) break;
  }
  return title;
}

/** Without what brackets at its end add: a country, a maker, a second title. */
function withoutTail(title: string): string {
  const short = title.replace(/(?:\s*(?:\([^()]*\)|\[[^[\]]*\]))+$/, '').trim();
  return short === '' ? title : short;
}

/** Dots as spaces, but not within `R.O.D` or `1.11`. */
function dotsApart(title: string): string {
  return title.replace(/\./g, (dot, at: number) => {
    const [before2, before, after, after2] = [
      title.charAt(at - 2),
      title.charAt(at - 1),
      title.charAt(at + 1),
      title.charAt(at + 2),
    ];
    const initials =
      /\p{Lu}/u.test(before) &&
      !/[\p{L}\p{N}]/u.test(before2) &&
      /\p{Lu}/u.test(after) &&
      !/[\p{L}\p{N}]/u.test(after2);
    return initials ? dot : ' ';
  });
}

/** Where the titles of the show and of the episode are, between what the rules have claimed. */
interface TitleContext {
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
