/** VIDEO-31: what the folders above a file say of it: a season, specials, extras, a disc, movies. */
import { isExtrasFolder } from '../names/extras-folders.ts';
import { numberOf } from '../names/number-words.ts';

export interface FolderRole {
  /** 0 for a folder of specials; null where none says a season. */
  season: number | null;
  specials: boolean;
  /** Nothing below is an episode. */
  extras: boolean;
  movies: boolean;
  /** Of a disc, volume, part or cour that the season was cut into. */
  disc: number | null;
  /** Subtitles, fonts, audio tracks: the folder's name says nothing of the show. */
  aside: boolean;
}

const NUMBER = String.raw`(\d{1,4}|[ivx]{1,4}|[零〇一二三四五六七八九十百两兩壱弐参]{1,4})`;
/** The word for a season, before or behind its number, in the languages that names are seen in. */
const SEASON_WORDS =
  'season|seasons|series|staffel|saison|temporada|temporadas|temp|stagione|serie|seizoen|sezon|sezóna|sezona|série|évad|sæson|säsong|sesong|kausi|сезон|сезона|sezonul|musim|mùa|phần|فصل|الموسم|עונה|ซีซั่น|시즌|シーズン|book';
const BEFORE = new RegExp(String.raw`(?:^|[\s._\-([])(?:${SEASON_WORDS})[\s._-]*${NUMBER}(?![\p{L}\p{N}])`, 'iu');
const BEHIND = new RegExp(
  String.raw`(?:^|[\s._\-([])(\d{1,2})[\s._-]*(?:st|nd|rd|th|\.|-?(?:й|я|ой|ый)|ª|º|a|e|ème|eme|er|ère)?[\s._-]*(?:${SEASON_WORDS})(?![\p{L}])`,
  'iu',
);
const EAST = new RegExp(
  String.raw`(?:第|全)?${NUMBER}\s*(?:季|期|シーズン|시즌|기|부)|(?:シーズン|시즌)\s*${NUMBER}`,
  'u',
);
const SHORT = /(?:^|[\s._\-([])s(\d{1,4})(?:$|[\s._\-)\]])/i;
const BARE = /^0?(\d{1,2})$/;
const YEAR = /^(?:19|20)\d{2}$/;

const SPECIALS =
  /^(?:season[\s._-]*0+|s0+|(?:the[\s._-]*)?specials?|sp|sps|ovas?|oads?|onas?|specjalne|spéciaux|speciaux|especiales|especiais|speciali|sonderfolgen|спешлы?|спецвыпуски|番外篇?|特别篇|特別篇|特別編|特番|スペシャル|스페셜|외전)$/iu;
const MOVIES =
  /^(?:movies?|films?|the[\s._-]*movies?|filme|películas?|film[ie]|фильмы?|剧场版|劇場版|电影版?|映画|극장판)$/iu;
const ASIDE =
  /^(?:subs?|subtitles?|srt|ass|字幕|титры|субтитры|napisy|untertitel|sous-?titres?|audio|sound|звук|озвучка|fonts?|nfo|metadata|\.actors|extrafanart|extrathumbs)$/iu;
const DISC =
  /(?:^|[\s._\-([])(?:disc|disk|dvd|cd|bd|vol|volume|part|cour|диск|том|часть|卷)[\s._-]*(\d{1,2})(?![\p{L}\p{N}])|第\s*(\d)\s*クール|(\d)(?:st|nd|rd|th)[\s._-]cour/iu;

/** @param folders from the outside in */
export function folderRole(folders: readonly string[]): FolderRole {
  const role: FolderRole = { season: null, specials: false, extras: false, movies: false, disc: null, aside: false };
  for (const folder of folders) {
    const name = folder.normalize('NFC').trim();
    const season = seasonOfFolder(name);
    if (season !== null) role.season = season;
    const plain = name.replace(/^[[(【]+|[\])】]+$/gu, '').replace(/^\d{1,2}[\s._-]+(?=\p{L}{3})/u, '');
    if (SPECIALS.test(plain)) role.specials = true;
    if (isExtrasFolder(plain) || bothExtras(plain)) role.extras = true;
    if (MOVIES.test(plain)) role.movies = true;
    if (ASIDE.test(plain)) role.aside = true;
    role.disc = pieceOf(name) ?? role.disc;
  }
  if (role.season === 0) role.specials = true;
  return role;
}

/** `Specials & Extras`, `OP+ED`, `Trailers and Clips`: each of its words is one of extras. */
function bothExtras(name: string): boolean {
  const parts = name.split(/\s*(?:[&+,，、/]|\band\b|\bund\b|\bet\b|\by\b|\bи\b)\s*/iu).filter((part) => part !== '');
  return parts.length > 1 && parts.every(isExtrasFolder);
}

/** The disc, part or cour that a folder or a title says: what a season was cut into. */
export function pieceOf(name: string): number | null {
  const found = DISC.exec(name);
  return found === null ? null : Number(found[1] ?? found[2] ?? found[3]);
}

/** The season that one folder's name says; null where none. */
export function seasonOfFolder(name: string): number | null {
  const word = BEFORE.exec(name)?.[1] ?? BEHIND.exec(name)?.[1];
  if (word !== undefined) return numberOf(word);
  const east = EAST.exec(name);
  const eastern = east?.[1] ?? east?.[2];
  if (eastern !== undefined) return numberOf(eastern);
  const short = SHORT.exec(name)?.[1];
  if (short !== undefined) return Number(short);
  if (YEAR.test(name)) return Number(name);
  const bare = BARE.exec(name)?.[1];
  return bare === undefined ? null : Number(bare);
}
