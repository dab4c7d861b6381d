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
export function noiseEnd(text: string, noise: readonly Noise[], from: number): number {
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
export function beforeEdition(text: string, from: number, end: number): number {
  const before = text.slice(from, end).replace(/[\s._([-]+$/, '');
  const found = EDITION.exec(before);
  if (found === null || found.index === 0 || /^[\s._]+(?:dc|om)$/.test(found[0])) return end;
  // "The Ultimate": an article before it makes it a title.
  return /(?:^|[\s._])(?:the|a|an|le|la|der|die|das|el)$/i.test(before.slice(0, found.index))
    ? end
    : from + found.index;
}

/** A title as a person would write it: separators as spaces, brackets' remains and edges off. Empty where nothing is. */
export function cleanTitle(name: NormalText, from: number, to: number): string {
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
export function withoutTail(title: string): string {
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
