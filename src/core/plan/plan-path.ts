/** Paths of plans (absolute, POSIX) and of trees (below the folder), always by whole segments. */
import type { TreeRules } from './file-tree.ts';
import { encodeUtf8 } from '../utf8.ts';

export type Located =
  | { ok: true; /** Below the folder. */ below: string }
  | { ok: false; code: 'outside-media-folder' | 'invalid-name'; why: string };

/** Where a path of a plan lies below its folder. `/media/Show2/a` is not below `/media/Show`. */
export function locate(folder: string, path: string): Located {
  const within = segments(folder);
  const asked = segments(path);
  if (!path.startsWith('/')) return outside('is not an absolute path');
  if (asked.length <= within.length || within.some((part, i) => asked[i] !== part)) {
    const isFolder = asked.length === within.length && within.every((part, i) => asked[i] === part);
    return outside(isFolder ? 'is the folder itself' : `is not inside "${folder}"`);
  }
  const below = asked.slice(within.length).join('/');
  // What was spelled with `..`, `//` or a slash at its end reads as one place and means another: not this one.
  if (path !== `/${asked.join('/')}`)
    return { ok: false, code: 'invalid-name', why: 'has an empty part, "." or ".." in it' };
  if (path.includes('\0')) return { ok: false, code: 'invalid-name', why: 'has a NUL character in it' };
  return { ok: true, below };
}

function outside(why: string): Located {
  return { ok: false, code: 'outside-media-folder', why };
}

/** With `.`, `..` and empty parts worked out. */
function segments(path: string): string[] {
  const out: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') out.pop();
    else if (part !== '' && part !== '.') out.push(part);
  }
  return out;
}

/** `a/b/c` -> `['a', 'a/b']`: the folders it lies in, outermost first. */
export function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) parents.push(path.slice(0, at));
  return parents;
}

/** `a/b/c` -> `a/b`; `''` for what lies in the folder itself. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

/** `a/b/c` -> `c`. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `a/b.mkv` -> `.mkv`, as it is written; `''` where there is none. A name that begins with a dot has none by that. */
export function extensionOf(path: string): string {
  const name = lastPart(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 || !/^\.[\p{L}\p{N}-]{1,10}$/u.test(name.slice(dot)) ? '' : name.slice(dot);
}

/** `a/b.mkv` -> `b`. */
export function stemOf(path: string): string {
  const name = lastPart(path);
  return name.slice(0, name.length - extensionOf(path).length);
}

/** The name in other letters, and in the other Unicode form; itself where it has none: by them a file system shows its rules. */
export function otherCase(name: string): string {
  const upper = name.toUpperCase();
  return upper === name ? name.toLowerCase() : upper;
}
export function otherForm(name: string): string {
  const composed = name.normalize('NFC');
  return composed === name ? name.normalize('NFD') : composed;
}

/** Equal for paths that the file system takes for one. */
export function pathKey(path: string, rules: Pick<TreeRules, 'caseSensitive' | 'unicode'>): string {
  let key = rules.unicode === 'nfc-insensitive' ? path.normalize('NFC') : path;
  if (rules.caseSensitive) return key;
  key = /^[\0-\x7f]*$/.test(key) ? key.toLowerCase() : Array.from(key, foldCharacter).join('');
  return rules.unicode === 'nfc-insensitive' ? key.normalize('NFC') : key;
}

/**
 * One character without its case, one for one as file systems do it: `ß` is not `ss` there. The dotless `ı` is a letter
 * of its own.
 */
function foldCharacter(character: string): string {
  if (character === 'ı') return character;
  return single(single(character, character.toUpperCase()), single(character, character.toUpperCase()).toLowerCase());
}

function single(before: string, after: string): string {
  return [...after].length === 1 ? after : before;
}

/** Which names a file may be given. */

const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;
/** Control characters, line ends, and what turns the direction of text: a name must be what it looks like. */
const HIDDEN: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
];

function hasHidden(name: string): boolean {
  return [...name].some((character) => {
    const code = character.codePointAt(0) ?? 0;
    return HIDDEN.some(([from, to]) => code >= from && code <= to);
  });
}

/** Why a new name is refused (`it ...`), or null; the same on every system (PLAN-89). One segment of a path; its length is a question of its own. */
export function nameFault(name: string, kind: 'file' | 'folder'): string | null {
  if (name.trim() === '') return 'is blank';
  if (name === '.' || name === '..' || name.includes('/')) return 'is not a name';
  if (!name.isWellFormed()) return 'has a broken character in it';
  if (hasHidden(name)) return 'has a character in it that cannot be seen';
  if (kind === 'file' && isBareEnding(name)) return 'has nothing before its ending';
  const taken = /[<>:"|?*\\]/.exec(name);
  if (taken !== null) return `has ${taken[0]} in it, which Windows refuses`;
  if (/[. ]$/.test(name)) return 'ends in a dot or a blank, which Windows drops';
  if (WINDOWS_DEVICE.test(name)) return 'is reserved by Windows';
  return null;
}

/** `.mkv` and ` .mkv`: the name of an episode whose title came out empty. */
function isBareEnding(name: string): boolean {
  const dot = name.lastIndexOf('.');
  return dot !== -1 && /^[.\s]*$/.test(name.slice(0, dot));
}

interface Limits {
  name: number;
  path: number;
  unit: 'bytes' | 'units';
}

/** What the tree says, or what its kind of system usually takes: 259 units of a whole path on Windows, else 4095 bytes. */
export function limitsOf(rules: TreeRules): Limits {
  if (rules.limits !== undefined) return rules.limits;
  return rules.windowsNames ? { name: 255, path: 259, unit: 'units' } : { name: 255, path: 4095, unit: 'bytes' };
}

/** In the unit of these limits. */
export function lengthOf(text: string, unit: Limits['unit']): number {
  return unit === 'units' ? text.length : encodeUtf8(text).length;
}
