/** Which names a file may be given. */
import { encodeUtf8 } from '../utf8.ts';
import type { TreeRules } from './file-tree.ts';

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

/** Why a new name is refused (`it ...`), or null. One segment of a path; its length is a question of its own. */
export function nameFault(
  name: string,
  kind: 'file' | 'folder',
  rules: Pick<TreeRules, 'windowsNames'>,
): string | null {
  if (name.trim() === '') return 'is blank';
  if (name === '.' || name === '..' || name.includes('/')) return 'is not a name';
  if (!name.isWellFormed()) return 'has a broken character in it';
  if (hasHidden(name)) return 'has a character in it that cannot be seen';
  if (kind === 'file' && isBareEnding(name)) return 'has nothing before its ending';
  if (!rules.windowsNames) return null;
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

export interface Limits {
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
