/** Bonus material: it carries numbers and titles of episodes, and is none. */
import { isExtrasFolder } from './extras-folders.ts';
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
    /^(?:extras?|others?|bonus(?: (?:disc(?: \d{1,2})?|features?|material))?|special features|bonusmaterial|suppl[eé]ments?|extra'?s|映像特典|特典映像|特典|menus?|cms?|pvs?|ncop|nced|nc|creditless|scans|sps?)$/i,
  ],
];
/** What media servers glue to a name, an episode's too. */
const GLUED: readonly ExtraWords[] = [
  ['trailer', /(?<=\S)-trailer\d{0,2}$/i],
  ['interview', /(?<=\S)-interview\d{0,2}$/i],
  ['behind-the-scenes', /(?<=\S)-behindthescenes\d{0,2}$/i],
  ['deleted-scene', /(?<=\S)-deleted(?:scene)?\d{0,2}$/i],
  ['featurette', /(?<=\S)-featurette\d{0,2}$/i],
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
  // A trailer of an episode: "3. Bölüm Fragmanı".
  [
    'trailer',
    /(?<=(?:b[öo]l[üu]m|第\p{N}+[話话集回]|\p{N}회)[\s._-]+(?:\d\.[\s._]?)?)(?:fragman[ıi]?|予告(?:編)?|[预預]告片?|예고편?)(?!\p{L})/iu,
  ],
  // Of a whole season: "S02 Trailer 1", "S01.Extras.Deleted.Scenes.Episode.3".
  [
    'extra',
    /(?<=(?<!\p{L})(?:s|(?:season|staffel|saison|temporada|stagione|sezon|сезон)[\s._])\d{1,2}[\s._-]{1,3})(?:(?:official|final|main|new)[\s._])?(?:trailer|tr[áa]iler|трейлер|bande[ -]annonce|teaser|promo|preview|extras|bonus|bloopers?|outtakes|interviews?|featurettes?|deleted[\s._]scenes?|gag[\s._]reel|making[\s._]of)(?=[\s._-]|$)/iu,
  ],
  [
    'trailer',
    /(?<![\p{L}\p{N}])(?:official|teaser|theatrical|international)[\s._](?:teaser[\s._])?trailer(?:[\s._]*#?\d{1,2})?(?![\p{L}\p{N}])/iu,
  ],
  // What release groups put before a sample.
  ...GLUED,
  ['sample', /^sample-(?=\S)/i],
  // The first extra of season 3: "s03-x01".
  ['extra', /(?<=(?<![\p{L}\p{N}])s\d{1,2}[ ._]?-[ ._]?)x\d{1,3}(?![\p{L}\p{N}])/iu],
];
/** Marks of fan releases, between separators: openings and endings, promotions, menus. */
const MARKS: readonly ExtraWords[] = [
  ['featurette', /(?<=(?<!\p{L})(?:s|season[\s._])\d{1,2}[\s._-]{1,3})recap(?=[\s._-]|$)/iu],
  ['trailer', /(?:次回)?予告(?:編)?|[预預]告片?|예고편?/u],
  ['behind-the-scenes', /メイキング|메이킹|(?:幕[后後])?花絮/u],
  ['extra', /映像特典|特典映像/u],
  ['trailer', /(?<=[[(])(?:web )?previews?(?:[ ._]?\d{1,2})?(?=[\])])/iu],
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
  [
    'trailer',
    'trailer|teaser(?: trailer)?|(?:(?:web|next episode) )?previews?|next time|(?:jikai )?yokoku|予告|次回予告|tv spots?|promos?|sneak peek|bandes?(?: |-)annonces?|tr[áa]iler|avance|zwiastun|трейлер|тизер',
  ],
  [
    'behind-the-scenes',
    'behind the scenes|making(?: of)?|the making of|hinter den kulissen|(?:les )?coulisses|detr[áa]s de las c[áa]maras|dietro le quinte|za kulisami|bakom kulisserna|bag kulisserne|achter de schermen|фильм о фильме',
  ],
  [
    'deleted-scene',
    'deleted scenes?|extended scenes?|alternate endings?|(?:entfallene|entfernte) szenen?|sc[èe]nes? coup[ée]es?|escenas? eliminadas?|cenas? deletadas?|scene tagliate|usunięte sceny|удал[её]нные сцены',
  ],
  [
    'featurette',
    'featurettes?|gag reels?|blooper(?:s| reel)?|outtakes|recaps?|b[êe]tisier|tomas falsas|erros de grava[çc][ãa]o|pannen|неудачные дубли|end ?cards?|eye ?catch(?:es)?',
  ],
  ['interview', '(?:cast )?interviews?'],
  ['opening', '(?:non-?(?:credit|telop)(?:ed)? )?openings?(?: theme)?|oped'],
  ['ending', '(?:non-?(?:credit|telop)(?:ed)? )?endings?(?: theme)?'],
  ['extra', '(?:audio )?commentary(?: episode)?|特典|映像特典|(?:bonus|special)(?: disc| features?)|bonus|tokuten'],
];
/**
 * The whole of what follows a dash, but for a number: "Show - Behind the Scenes 2". Behind an episode's number
 * it is that episode's title.
 */
const WORDED: readonly ExtraWords[] = WORDS.map(([kind, words]) => [
  kind,
  new RegExp(
    `(?<=[\\s_]-[\\s_])(?:${words.replaceAll(' ', '[ ._]')})(?:[\\s_.](?:of[\\s_.])?(?:episode|ep|folge|season|staffel))?(?:[\\s_._#-]{0,3}\\d{1,2})?(?:[\\s_]?\\(eps?[\\s.]?[\\d-]+\\))?(?=[\\s_]*(?:$|[[(]))`,
    'iu',
  ),
]);

/** Words that say in a folder of bonus material that a file is some, whatever season and episode it is about. */
const ABOUT_AN_EPISODE =
  /(?<!\p{L})(?:deleted|extended|behind[ ._]the[ ._]scenes?|commentary|making[ ._]of|featurettes?|interviews?|bloopers?|outtakes|gag[ ._]reel|trailer|teaser|promo|preview|sneak[ ._]peek)(?!\p{L})/iu;
export const isAboutAnEpisode = (name: string): boolean => ABOUT_AN_EPISODE.test(name);

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

/** Folders that hold bonus material beside episodes, and films or music elsewhere. */
const ALSO_OTHERS = /^(?:features?|misc|cds?|ost|soundtracks?|openings?|endings?)$/i;

/** The extra that a folder's name makes of all it holds, null for none. */
export function extraOfFolder(folder: string): string | null {
  const name = normalText(folder).text.replace(/[_.]/g, ' ').trim();
  const kind = FOLDERS.find(([, pattern]) => pattern.test(name))?.[0];
  return kind ?? (isExtrasFolder(name) && !ALSO_OTHERS.test(name) ? 'extra' : null);
}
