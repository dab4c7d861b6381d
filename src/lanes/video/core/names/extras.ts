/** Bonus material: it carries numbers and titles of episodes, and is none. */
import { normalText } from './normal-text.ts';

/** What bonus material is called, in folders, at the end of names and within them. */
type ExtraWords = readonly [kind: string, pattern: RegExp];

/** Whole names of folders, as media servers and fan releases have them. */
const FOLDERS: readonly ExtraWords[] = [
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
/** Endings of names, as media servers have them. */
const SUFFIXES: readonly ExtraWords[] = [
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
/** Creditless openings and endings, and what looks inside an episode: never an episode, whatever is beside it. */
const SURE_MARKS: readonly ExtraWords[] = [
  [
    'opening',
    /(?<![\p{L}\p{N}])(?:NC[ ._-]?OP|(?:creditless|clean|textless)[ ._](?:opening|OP))(?:[ ._]?\d{1,2}[a-z]?)?(?:v\d)?(?![\p{L}\p{N}])/iu,
  ],
  [
    'ending',
    /(?<![\p{L}\p{N}])(?:NC[ ._-]?ED|(?:creditless|clean|textless)[ ._](?:ending|ED))(?:[ ._]?\d{1,2}[a-z]?)?(?:v\d)?(?![\p{L}\p{N}])/iu,
  ],
  ['featurette', /(?<![\p{L}\p{N}])inside[ ._](?:the[ ._])?episode(?![\p{L}])/iu],
  // The first extra of season 3: "s03-x01".
  ['extra', /(?<=(?<![\p{L}\p{N}])s\d{1,2}[ ._]?-[ ._]?)x\d{1,3}(?![\p{L}\p{N}])/iu],
];
/** Marks of fan releases, between separators: openings and endings, promotions, menus. */
const MARKS: readonly ExtraWords[] = [
  // Of a whole season: "S02 Trailer 1".
  [
    'extra',
    /(?<=(?<!\p{L})(?:s|season[\s._])\d{1,2}[\s._-]{1,3})(?:trailer|teaser|promo|preview|extras|bonus|bloopers?|outtakes|interviews?|featurettes?|recap|deleted[\s._]scenes?|gag[\s._]reel|making[\s._]of)(?=[\s._-]|$)/iu,
  ],
  ['trailer', /(?:次回)?予告(?:編)?|[预預]告片?|예고편?/u],
  [
    'music-video',
    /[[(]official[\s._](?:(?:music|lyrics?|hd|4k)[\s._])?(?:video|audio|clip|visuali[sz]er)[^\])]*[\])]/iu,
  ],
  // A bonus by its number between dashes: "Film-x09-Title".
  ['extra', /(?<=\p{L}-)x\d{2}(?=-\p{L})/iu],
  [
    'opening',
    /(?<![\p{L}\p{N}])OP(?=\d|[ ._]?\d{1,2}(?![\p{L}\p{N}])|[ ._]?[[(])(?:[ ._]?\d{1,2}[a-z]?)?(?:v\d)?(?![\p{L}\p{N}])/u,
  ],
  [
    'ending',
    /(?<![\p{L}\p{N}])ED(?=\d|[ ._]?\d{1,2}(?![\p{L}\p{N}])|[ ._]?[[(])(?:[ ._]?\d{1,2}[a-z]?)?(?:v\d)?(?![\p{L}\p{N}])/u,
  ],
  ['promo', /(?<=^|[\s_[(])(?:PV|CM|Promo|SPOT|Teaser)(?:[ ._]?\d{1,2})?(?![\p{L}\p{N}])/u],
  ['menu', /(?<=[[( _-])menu(?:[ ._]?\d{1,2})?(?=[\]) _-]|$)/iu],
  ['trailer', /(?<=[[(]|- |_-_)trailer(?:[ ._]?\d{1,2})?(?=[\])_]|$)/iu],
];
const WORDS: readonly (readonly [kind: string, words: string])[] = [
  ['trailer', 'trailer|teaser(?: trailer)?|(?:web )?previews?|next time|予告|次回予告'],
  ['behind-the-scenes', 'behind the scenes|making of|the making of'],
  ['deleted-scene', 'deleted scenes?|extended scenes?'],
  ['featurette', 'featurettes?|gag reels?|bloopers?|outtakes|recaps?'],
  ['interview', 'interviews?'],
  ['opening', 'openings?'],
  ['ending', 'endings?'],
  ['extra', '(?:audio )?commentary|特典|映像特典|bonus(?: disc| features?)?'],
];
/**
 * The whole of what follows a dash, but for a number: "Show - Behind the Scenes 2". Behind an episode's number
 * it is that episode's title.
 */
const WORDED: readonly ExtraWords[] = WORDS.map(([kind, words]) => [
  kind,
  new RegExp(
    `(?<=[\\s_]-[\\s_])(?:${words.replaceAll(' ', '[ ._]')})(?:[\\s_._#-]{0,3}\\d{1,2})?(?=[\\s_]*(?:$|[[(]))`,
    'iu',
  ),
]);

export interface ExtraMark {
  kind: string;
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
export function extraOfFolder(folder: string): string | null {
  const name = normalText(folder).text.replace(/[_.]/g, ' ').trim();
  return FOLDERS.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}
