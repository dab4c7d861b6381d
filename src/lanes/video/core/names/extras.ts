/** Bonus material: it carries numbers and titles of episodes, and is none. */
import { normalText, splitPath } from './normal-text.ts';
import {
  FOLDERS,
  MARKS,
  SUFFIXES,
  SURE_MARKS,
  WORDED,
  type ExtraKind,
  type ExtraWords,
} from './vocabulary/extra-words.ts';

export interface ExtraMark {
  kind: ExtraKind;
  /** As written. */
  written: string;
  /** Place in the name. */
  start: number;
  end: number;
  /** `sure`: whatever else is said; `mark`: unless season and episode are; `words`: unless a number is before it. */
  rank: 'sure' | 'mark' | 'words';
}

/** The extra that a name (without extension) is by its own, null for none. */
export function extraOfName(text: string): ExtraMark | null {
  return (
    firstOf(SURE_MARKS, text, 'sure') ??
    firstOf(SUFFIXES, text, 'mark') ??
    firstOf(MARKS, text, 'mark') ??
    firstOf(WORDED, text, 'words')
  );
}

function firstOf(table: readonly ExtraWords[], text: string, rank: ExtraMark['rank']): ExtraMark | null {
  for (const [kind, pattern] of table) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const written = found[0].replace(/^[-._ ]+/, '');
    return { kind, written, start: found.index, end: found.index + found[0].length, rank };
  }
  return null;
}

/** The extra that a folder's name makes of all it holds, null for none. */
export function extraOfFolder(folder: string): ExtraKind | null {
  const name = normalText(folder).text.replace(/[_.]/g, ' ').trim();
  return FOLDERS.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}

/** The extra that a path is, by its name or by the folders around it; null for none. */
export function readExtra(path: string): ExtraKind | null {
  const { folders, name } = splitPath(path);
  const own = extraOfName(normalText(name).text.trim());
  if (own !== null) return own.kind;
  const folder = folders.at(-1);
  return folder === undefined ? null : extraOfFolder(folder);
}
