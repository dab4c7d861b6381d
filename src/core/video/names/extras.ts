/** Bonus material: it carries numbers and titles of episodes, and is none. */
import { normalText } from './normal-text.ts';
import { splitPath } from './split-path.ts';

export type ExtraKind =
  | 'trailer'
  | 'sample'
  | 'scene'
  | 'clip'
  | 'interview'
  | 'behind-the-scenes'
  | 'deleted-scene'
  | 'featurette'
  | 'short'
  | 'theme'
  | 'extra'
  | 'opening'
  | 'ending'
  | 'menu'
  | 'promo';

const FOLDERS: readonly (readonly [kind: ExtraKind, pattern: RegExp])[] = [
  ['trailer', /^(?:trailers?|teasers?|previews?)$/i],
  ['sample', /^samples?$/i],
  ['scene', /^scenes?$/i],
  ['clip', /^clips?$/i],
  ['interview', /^interviews?$/i],
  ['behind-the-scenes', /^(?:behind the scenes|making of|making-?of|bts)$/i],
  ['deleted-scene', /^deleted ?(?:scenes?)?$/i],
  ['featurette', /^featurettes?$/i],
  ['short', /^shorts?$/i],
  ['theme', /^(?:backdrops?|theme-?(?:music|videos?))$/i],
  [
    'extra',
    /^(?:extras?|others?|bonus(?: (?:disc|features?|material))?|special features|bonusmaterial|suppl[eé]ments?|extra'?s|映像特典|特典映像|特典|menus?|cms?|pvs?|ncop|nced|nc|creditless|scans|sps?)$/i,
  ],
];
const SUFFIXES: readonly (readonly [kind: ExtraKind, pattern: RegExp])[] = [
  ['trailer', /(?:[-._]| - )trailer\d{0,2}$|^trailer\d{0,2}$/i],
  ['sample', /(?:[-._]| - )sample\d{0,2}$|^sample$|^[\w]{2,8}-sample$/i],
  ['scene', /-scene\d{0,2}$/i],
  ['clip', /-clip\d{0,2}$/i],
  ['interview', /-interview\d{0,2}$/i],
  ['behind-the-scenes', /-behindthescenes\d{0,2}$/i],
  ['deleted-scene', /-deleted(?:scene)?\d{0,2}$/i],
  ['featurette', /-featurette\d{0,2}$/i],
  ['short', /-short\d{0,2}$/i],
  ['extra', /-(?:extra|other)\d{0,2}$/i],
];
/** Marks of fan releases, between separators: creditless openings and endings, promotions, menus. */
const MARKS: readonly (readonly [kind: ExtraKind, pattern: RegExp])[] = [
  [
    'opening',
    /(?<![\p{L}\p{N}])(?:NC[ ._-]?OP|NCOP|OP(?=\d|[ ._]?\d{1,2}(?![\p{L}\p{N}])|[ ._]?[[(])|creditless[ ._]opening|opening[ ._]creditless|clean[ ._]opening)(?:[ ._]?\d{1,2}[a-z]?)?(?:v\d)?(?![\p{L}\p{N}])/gu,
  ],
  [
    'ending',
    /(?<![\p{L}\p{N}])(?:NC[ ._-]?ED|NCED|ED(?=\d|[ ._]?\d{1,2}(?![\p{L}\p{N}])|[ ._]?[[(])|creditless[ ._]ending|ending[ ._]creditless|clean[ ._]ending)(?:[ ._]?\d{1,2}[a-z]?)?(?:v\d)?(?![\p{L}\p{N}])/gu,
  ],
  ['promo', /(?<=^|[\s_[(])(?:PV|CM|Promo|SPOT|Teaser)(?:[ ._]?\d{1,2})?(?![\p{L}\p{N}])/gu],
  ['menu', /(?<=[[( _-])(?:Menu|MENU|menu)(?:[ ._]?\d{1,2})?(?=[\]) _-]|$)/gu],
  ['trailer', /(?<=[[(]|- |_-_)(?:Trailer|TRAILER)(?:[ ._]?\d{1,2})?(?=[\])_]|$)/gu],
];

export interface ExtraMark {
  kind: ExtraKind;
  /** As written. */
  written: string;
  /** Place in the name, -1 where a folder says it. */
  start: number;
  end: number;
}

/** The extra that a name (without extension) is by its own, null for none. */
export function extraOfName(text: string): ExtraMark | null {
  for (const [kind, pattern] of SUFFIXES) {
    const found = pattern.exec(text);
    if (found !== null)
      return { kind, written: found[0].replace(/^[-._ ]+/, ''), start: found.index, end: text.length };
  }
  for (const [kind, pattern] of MARKS)
    for (const found of text.matchAll(pattern))
      return { kind, written: found[0], start: found.index, end: found.index + found[0].length };
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
