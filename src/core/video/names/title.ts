/** The words of a title between what the rules have claimed. */
import type { NormalText } from './normal-text.ts';
import type { Noise } from './noise.ts';

const EDGES = /^[\s._\-~+&,;:|/\\#]+|[\s._\-~+&,;:|/\\#]+$/g;

/** Where a title may begin: behind the bracket of a group, technical words and such at the front. */
export function titleStart(text: string, noise: readonly Noise[]): number {
  let at = 0;
  for (let count = 0; count < 6; count++) {
    const space = /^[\s._-]*/.exec(text.slice(at))?.[0].length ?? 0;
    const rest = text.slice(at + space);
    const bracket = /^(?:\[[^[\]]*\]|\{[^{}]*\}|\((?=[^()]*(?:hi10|raw|sub|fan|team)|\d{1,2}\))[^()]*\))\]?/i.exec(
      rest,
    );
    if (bracket !== null) {
      if (count === 0 && !/\p{L}/u.test(withoutBrackets(rest))) return bracketedTitle(text, noise);
      at += space + bracket[0].length;
      continue;
    }
    const hard = noise.find(({ start, hard: technical }) => technical && start === at + space);
    if (hard !== undefined && hard.end < text.length && /^[\s._-]/.test(text.slice(hard.end))) {
      at = hard.end;
      continue;
    }
    return at + space;
  }
  return at;
}

const withoutBrackets = (text: string): string => text.replace(/[[({][^[\](){}]*[\])}]/g, '');

/** "[Group][Title][07][1080p]": the title is the last of the worded brackets before the first number or technical one. */
function bracketedTitle(text: string, noise: readonly Noise[]): number {
  let start = 0;
  let worded = 0;
  for (const match of text.matchAll(/[[({]([^[\](){}]*)[\])}]/g)) {
    const [inner, at] = [match[1] ?? '', match.index + 1];
    const technical = noise.some((word) => word.hard && word.start >= at && word.start < at + 2);
    if (technical || !/\p{L}/u.test(inner) || /^(?:ep|e|第|#)?\s?\d+/iu.test(inner)) {
      if (worded > 0) break;
      continue;
    }
    if (worded === 2) continue;
    start = at;
    worded += 1;
  }
  return start;
}

/** Where a title that begins at `from` must end: before technical words, with the soft ones that lead up to them. */
export function noiseEnd(text: string, noise: readonly Noise[], from: number): number {
  const hardAt = noise.findIndex(({ hard, start }) => hard && start >= from);
  if (hardAt === -1) return text.length;
  let end = noise[hardAt]?.start ?? text.length;
  for (let at = hardAt - 1; at >= 0; at--) {
    const soft = noise[at];
    if (soft === undefined || soft.start <= from || !/^[\s._\-+&,()[\]{}']*$/.test(text.slice(soft.end, end))) break;
    end = soft.start;
  }
  return end;
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
    if (!/[[({]/.test(title)) title = title.replace(/[\])}]+$/, '');
    if (before === title) break;
  }
  return title;
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
