/** Folders that hold one season, and those that say nothing of a show. */
import { normalText, splitPath } from './normal-text.ts';
import { SEASON_WORDS, NUMBER_WORD, numberOf, ORDINAL_WORD, ROMAN_NUMBER, SIGN_NUMBER } from './number-words.ts';

const WORD = [...SEASON_WORDS, 'series', 'book', 'volume', 'vol'].join('|');
const NUMBER = `\\d{1,4}|${NUMBER_WORD}|${SIGN_NUMBER}|${ROMAN_NUMBER}`;
/** What may follow the number: a year, a title behind a dash, release words in brackets. */
const TAIL = '(?:\\s*[([{-].*|\\s+(?:complete|s\\d{1,2}).*)?$';
const WORD_FIRST = new RegExp(`^(?:${WORD})[\\s._:#№-]*(${NUMBER})${TAIL}`, 'iu');
const NUMBER_FIRST = new RegExp(
  `^(?:(\\d{1,4})(?:st|nd|rd|th|ª|º|°|a|o|e|ème|-?[йяе]|-?(?:ой|ый|ий))?[\\s._]{0,2}|(${ORDINAL_WORD})[\\s._])(?:${SEASON_WORDS.join('|')})${TAIL}`,
  'iu',
);
const SHORT = /^s(?:0{0,3})(\d{1,4})(?!\p{N}|[\s._-]*e\d)(?:$|[\s._([-].*)$/iu;
const SIGNS = new RegExp(`^第?\\s?(\\d{1,3}|${SIGN_NUMBER})\\s?(?:季|期|シーズン|시즌|기)`, 'u');
const SPECIALS =
  /^(?:specials?|spéciaux|especiales?|extras?|spezial|speciale?|season[\s._]?0{1,2}|спецвыпуски|特典|特別篇|sp|sps|ovas?|oads?|onas?)$/iu;
/** "S02 Show": the folder of a season that names its show. */
const TITLE_BEHIND = /^s\d{1,2}[\s._-]+(\p{L}.*\p{L}.*)$/iu;
/** "Show Season 2" or "Show.S02.1080p" below a folder of the same show. */
const BEHIND_TITLE = new RegExp(
  `^(.+?)[\\s._-]+(?:(?:${SEASON_WORDS.join('|')})[\\s._]?|s)(\\d{1,4})(?![\\p{L}\\p{N}]|[\\s._-]*e\\d)(.*)$`,
  'iu',
);

/**
 * The season that a folder's name says: 0 for specials, null for a folder that is none (`Show Season 2` is one only
 * within `Show`). `parent` is the folder around it, by name or path; inside a `mixed` library (films beside shows) a
 * bare number is no season.
 */
export function readSeasonFolder(
  folder: string,
  options: { parent?: string | null; mixed?: boolean } = {},
): number | null {
  const name = lastOf(folder);
  const parent = options.parent === undefined || options.parent === null ? '' : lastOf(options.parent);
  if (name === '') return null;
  if (SPECIALS.test(name)) return 0;
  const said = WORD_FIRST.exec(name) ?? NUMBER_FIRST.exec(name) ?? SIGNS.exec(name) ?? SHORT.exec(name);
  if (said !== null) return limited(numberOf(said[1] ?? said[2] ?? ''));
  const number = /^(\d{1,4})$/.exec(name);
  if (number !== null) return options.mixed === true || parent === '' ? null : limited(Number(number[1]));
  if (parent === '') return null;
  const behind = BEHIND_TITLE.exec(name);
  if (behind === null || plainTitle(behind[1] ?? '') !== plainTitle(parent)) return null;
  return limited(Number(behind[2]));
}

/** The show that a season's folder names behind its number: "S02 Show"; null where it names none. */
export const titleOfSeasonFolder = (folder: string): string | null => TITLE_BEHIND.exec(folder.trim())?.[1] ?? null;

/** A number that a season can have. */
function limited(number: number | null): number | null {
  if (number === null) return null;
  return number < 1000 || (number > 1900 && number < 2101) ? number : null;
}

function lastOf(folder: string): string {
  const { folders, name, extension } = splitPath(folder);
  const whole = extension === null ? name : `${name}.${extension}`;
  return normalText(whole === '' ? (folders.at(-1) ?? '') : whole).text.trim();
}

/** A title without case, separators, marks and a year at its end: two spellings of one show become the same. */
export function plainTitle(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/['’`]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/ (?:19|20)\d\d$/, '');
}

const GENERIC = new Set(
  (
    'tv,tv shows,tvshows,tv series,series,shows,serie,serien,seriale,séries,сериалы,movies,movie,films,film,filme,videos,video,media,medien,downloads,download,downloads finished,complete,' +
    'incomplete,home,mnt,volumes,drive,nas,data,server,public,users,user,library,anime,animes,animation,cartoons,documentaries,kids,temp,tmp,torrents,torrent,utorrent,share,shares,var,medias,av,unsorted,' +
    'incoming,new folder,video ts,bdmv,stream,disc 1,disc 2,cd1,cd2,dvd1,dvd2,disk,storage,archive,extern,usb,folder,marathon episodes,some dummy directory,subs,subtitles,sub,untertitel,hdd,plex,jellyfin,kodi,emby,nosubstvshows'
  ).split(','),
);

/** A folder that sorts or stores, and is called after no show. */
export function isGenericFolder(folder: string): boolean {
  const plain = plainTitle(folder.replace(/_/g, ' '));
  return plain === '' || GENERIC.has(plain) || /^(?:data|disk|hdd|nas|drive|dvd|cd|disc)[ -]?\d{1,3}$/.test(plain);
}
