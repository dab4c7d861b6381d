/** The words of a title between what the rules have claimed. */
import type { NormalText } from './normal-text.ts';
import { isTechnical, type Noise } from './noise.ts';

const BRACKETS = /\[[^[\]]*\]|\([^()]*\)|\{[^{}]*\}/g;
/** Words that end an edition's name, and begin none. */
const EDITION_TAIL = /^(?:edition|version|cut)$/i;
const EDGES = /^[\s._\-‐-―−~+&,;:|/\\#]+|[\s._\-‐-―−~+&,;:|/\\#]+$/g;

/** A group in round brackets, told by what follows its title: a dash, the number, brackets. */
const ROUND_GROUP = /^\([\p{L}][^()]{1,24}\)(?=[\s_][^()[\]]*[\s_]-[\s_]\d{2,4}(?:v\d)?[\s_]*[[(])/u;
/** A maker's word glued to the first bracket: "EvoBot.[Group] Title". */
const BEFORE_GROUP = /^[A-Za-z]{3,12}\.(?=\[[^[\]]+\][\s_]*\p{L})/u;
/** Where a title may begin: behind the bracket of a group, technical words and such at the front. */
export function titleStart(text: string, noise: readonly Noise[]): number {
  let at = (/^\s*\d{1,4}\s+(?=\[)/.exec(text) ?? BEFORE_GROUP.exec(text))?.[0].length ?? 0;
  for (let count = 0; count < 6; count++) {
    const space = /^[\s._:-]*/.exec(text.slice(at))?.[0].length ?? 0;
    const rest = text.slice(at + space);
    const bracket =
      (count === 0 ? ROUND_GROUP.exec(rest) : null) ??
      /^(?:\[{1,2}[^[\]]*\]|\{[^{}]*\}|\((?=[^()]*(?:hi10|raw|sub|fan|team)|\d{1,2}\))[^()]*\))\]?/i.exec(rest);
    if (bracket !== null) {
      // "[Show] - 05 - Title": what a number follows at once is the show.
      if (count === 0 && /^[\s_]*-[\s_]*\d/.test(rest.slice(bracket[0].length))) return at + space + 1;
      const bare = withoutBrackets(rest);
      if (count === 0 && !/\p{L}|\d\S*[\s_]-[\s_]/u.test(bare)) return bracketedTitle(text, noise);
      at += space + bracket[0].length;
      continue;
    }
    const hard = noise.find(
      ({ start, end, hard: technical }) => technical && start === at + space && !isPlainWord(text, start, end),
    );
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

/** Words of releases that are plain words, too: where another plain word follows, they are the title's. */
const PLAIN =
  /^(?:internal|proper|proof|dolby|opus|stereo|mono|pal|satellite|vod|web|screener|remux|line|retail|read|obfuscated|scrambled|postbot|bd|hd|sd|dd|scr|r5|stv|hc)$/i;
function isPlainWord(text: string, start: number, end: number): boolean {
  const word = text.slice(start, end);
  const isShouted = word === word.toUpperCase() && /[a-z]/.test(text);
  if (!PLAIN.test(word) || isShouted || /^i[A-Z]/.test(word)) return false;
  const next = /^[\s._]+(\p{L}[\p{L}'’]+)(?=[\s._-]|$)/u.exec(text.slice(end))?.[1];
  return next !== undefined && !isTechnical(next) && !/^(?:s\d|e\d|ep\d)/i.test(next);
}

/** Where a title that begins at `from` must end: before technical words, with the soft ones that lead up to them. */
function noiseEnd(text: string, noise: readonly Noise[], from: number): number {
  const hardAt = noise.findIndex(({ hard, start, end }) => hard && start >= from && !isPlainWord(text, start, end));
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
  /[\s._]+(?:extended|uncut|unrated|uncensored|remastered|theatrical|(?:the[\s._])?director'?s?|criterion|ultimate|special(?=[\s._]+(?:edition|cut|version))|collector'?s?|imax|DC|OM|EXTENDED)(?:[\s._]+(?:edition|cut|version|collector))*$|[\s._]+edition[\s._]+\w{1,12}$/iu;

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

/** What leads up to a date: "News vom 4. November", "Le Journal du 4 novembre". */
const BEFORE_DATE = /[\s_.]+(?:vom|am|du|le|del?|d[ao]|dell?[ao]?|van|from|of|on|от|за|fra|från|z|ze|zo)$/iu;

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

/** Countries by which shows of one name are told apart, as catalogs write them behind the title. */
const COUNTRY =
  /\s*\((?:US|USA|UK|GB|AU|NZ|CA|IE|ZA|IN|JP|KR|CN|TW|DE|AT|CH|FR|BE|NL|ES|MX|AR|BR|PT|IT|SE|NO|DK|FI|PL|CZ|RU|TR|IL)\)$/i;

/** Without what brackets at its end add: a maker, a second title; a country stays. */
function withoutTail(title: string): string {
  if (COUNTRY.test(title)) return title;
  const short = title.replace(/(?:\s*(?:\([^()]*\)|\[[^[\]]*\]))+$/, '').trim();
  return short === '' ? title : short;
}

/** What of a pack is no word of its show's title, and a number over all seasons that leads up to season and episode. */
const PACK =
  /(?:[\s_.,-]+|\s*[[(])(?:the[\s._])?(?:(?:complete|entire|whole)(?:[\s._]+(?:tv[\s._])?(?:series|collection|show|saga|box[\s._]?set|pack|seasons?))?|box[\s._]?set|komplett(?:e[\s._](?:serie|staffel))?|int[ée]grale?|(?:serie|colecci[óo]n)[\s._]completa)[\s\])]*$/iu;
const OVER_ALL = /\s+-\s+#?\d{2,4}(?:v\d)?[\s([-]*$/;

/** A title that stands before season and episode, without what counts or packs it. */
function withoutPack(title: string): string {
  const short = title.replace(OVER_ALL, '').replace(PACK, '').trim();
  return /\p{L}/u.test(short) && !/^(?:the|a|an|le|la|der|die|das|el|il)$/i.test(short) ? short : title;
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
  marks: readonly {
    start: number;
    end: number;
    rule?: string;
    season?: readonly number[];
    episodes?: readonly number[];
  }[];
  year: { start: number; end: number } | null;
  /** Where an extra's mark is, null for none. */
  extra: number | null;
  parts: readonly { start: number; end: number; kind: string }[];
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
  // "Film Vol. 2 (2004)": a volume right before the year is the title's.
  for (const { kind, start, end } of parts)
    if (kind !== 'part' && !(kind === 'volume' && year !== null && year.start - end < 3)) stops.push(start);
  // The title that is in brackets itself ends with them.
  if (text.charAt(from - 1) === '[' && text.includes(']', from)) stops.push(text.indexOf(']', from));
  const first = marks[0];
  if (first !== undefined && first.start <= from) return behindNumber(name, first, stops, context);
  const stop = Math.min(...stops.filter((at) => at > from));
  const whole = cleanTitle(name, from, stop === text.length ? beforeEdition(text, from, stop) : stop);
  const isDated = first !== undefined && first.start === stop && first.rule === undefined;
  const title = isDated && / /.test(whole) ? whole.replace(BEFORE_DATE, '') : whole;
  const short = fanRelease ? title.replace(/\s*\(TV\)$/, '') : withoutTail(title);
  const isNumbered = first?.season !== undefined && first.season.length > 0;
  return short === '' ? null : isNumbered ? withoutPack(short) : short;
}

/** The number leads: "05 - Show - Title", "[Group] 05 - Show [720p]", "3 сезон Show"; "05 - Title" names no show. */
function behindNumber(
  name: NormalText,
  { end }: { end: number },
  stops: readonly number[],
  { from, marks, alone }: TitleContext,
): string | null {
  // "Episode 6 - Show", "20211130 - Show": what a word or a day counts, and nothing else names it.
  const [first] = marks;
  if (alone && first !== undefined && (first.rule === undefined || WORDED.test(first.rule)))
    return titleBehind(name, marks, stops);
  const stop = Math.min(...stops.filter((at) => at > end));
  const title = cleanTitle(name, end, stop);
  if (title === '') return null;
  const seasonOnly = marks.length === 1 && first?.episodes?.length === 0;
  if (seasonOnly || marks.some(({ start }) => start > end && Math.abs(start - stop) < 2)) return title;
  const [show = '', ...rest] = title.split(' - ');
  if (alone && rest.length > 0 && show.trim() !== '') return show.trim();
  return from > 0 && /\d/.test(name.text.charAt(from)) && /\p{L}/u.test(title) ? title : null;
}

/** Rules of which a number's word is a part. */
const WORDED = /word/;

/** The words behind the last of the marks that lead, up to what ends a title or to the next dash. */
function titleBehind(name: NormalText, marks: TitleContext['marks'], stops: readonly number[]): string | null {
  let end = marks[0]?.end ?? 0;
  for (const mark of marks) if (mark.start - end < 3) end = Math.max(end, mark.end);
  const title = cleanTitle(name, end, Math.min(...stops.filter((at) => at > end)));
  const [show = ''] = title.split(' - ');
  return /\p{L}/u.test(show) ? withoutTail(show.trim()) : null;
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
