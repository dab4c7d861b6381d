import { splitCamel } from '#core/text/fold.ts';
import { numberAlone } from './nameless.ts';
import { repairText } from './repair.ts';
import { versionsIn } from './versions.ts';

/** Words around a name that say nothing about what the music is. */
const QUALITY =
  '(?:\\d{2,3}\\s?k(?:bps|bit|b)?(?:ps)?|vbr|cbr|v[0-2]|hq|hd|lq|flac|mp3|ogg|opus|m4a|aac|alac|wav|lossless|320|256|192|128|24bit|16bit|' +
  'web|cd ?rip|vinyl ?rip|eac|log|cue|sbd|aud|official|video|audio|lyrics?|explicit|free download|full album|album|retail|promo|dev|copy)';
const BRACKETED = new RegExp(`[\\[({]\\s*${QUALITY}(?:[\\s,._+-]+${QUALITY})*\\s*[\\])}]`, 'gi');
const TRAILING = new RegExp(
  `(?:[\\s_-]+${'(?:\\d{2,3}\\s?k(?:bps|bit|b)(?:ps)?|vbr|hq|official (?:video|audio))'})+[\\s_]*$`,
  'i',
);
/** Such words behind a blank or a dash at the end, in brackets or not. */
const QUALITY_END = new RegExp(`(?:[\\s_]+[-–—]?\\s*${QUALITY})+$`, 'i');
/** What release groups put behind a name: `-WEB-2009-GRP`. */
const RELEASE = /(?<=.{3})-(?:(?:web|cd|cdr|cds|ep|vinyl|promo)-)?(?:19|20)\d\d-[a-z0-9]{2,8}$/i;
/** A release group's mark without a year: `-oNe`, ` [MTD]`; capitals behind the first letter make it one. */
const GROUP_MARK = /(?<=.{3})(?:-([A-Za-z\d]{2,8})| \[([A-Za-z\d]{2,8})\])$/;
const COPY = /(?:\s*-?\s*\bcop(?:y|ie|ia)\b(?:\s*\(?\d+\)?)?|\s*\((\d)\)|\s+-\s+kopie)$/i;

const GENERIC_WORD =
  '(?:audio ?track|track|trk|piste|pista|titel|titre|spur|faixa|traccia|song|sång|nummer|utwor|трек|дорожка|トラック|曲目|음원|untitled|unknown|audio|file|rec(?:ording)?|no ?name|ohne titel|sans titre)';
const GENERIC_TITLE = new RegExp(`^(?:${GENERIC_WORD})?[\\s_.#-]*(?:no|nr|n°|number)?[\\s_.#-]*\\d{0,7}$`, 'iu');

const GENERIC_FOLDER =
  /^(?:new folder|neuer ordner|nouveau dossier|nueva carpeta|upload(?:s|ed)?|download(?:s|ed)?|music|musik|musique|audio|files?|tmp|temp|incoming|desktop|untitled|unknown(?: (?:album|artist))?|various|misc|mp3s?|flacs?|media|share|drop|stuff|archive|songs?|albums?)(?:\s*\(?[\d\s:._-]*(?:am|pm)?\)?)?$/i;
/** Words of folders that people keep anything in: places, programs, genres, times, occasions. */
const KEPT_IN = new Set(
  (
    'my new old neu alt all misc various mixed mix other others more best favourite favourites favorites fav favs top to ' +
    'sort sorted unsorted from the and of for with music musik musique musica muziek songs song tracks track titles files ' +
    'file albums singles single audio sound sounds media collection library lib itunes spotify winamp napster limewire ' +
    'soulseek torrent torrents downloads download downloaded upload uploads incoming complete temp tmp backup bak copy ' +
    'archive share shared public usb stick drive disk hdd sd card phone handy mobile ipod mp3player player car auto party ' +
    'workout gym running work home desktop documents folder ordner dossier carpeta stuff things random unknown untitled ' +
    'mp3 mp3s flac flacs ogg wav m4a rip rips ripped rock pop jazz blues classical klassik electronic electronica techno ' +
    'house trance metal punk indie folk country soul funk rap hiphop hip hop reggae latin world ambient alternative ' +
    'soundtracks oldies hits charts 50s 60s 70s 80s 90s 00s 10s 20s january february march april may june july august ' +
    'september october november december'
  ).split(' '),
);
const isKeptIn = (text: string): boolean => {
  if (/^[a-z]\s*-\s*[a-z]$/i.test(text.trim())) return true;
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length > 0 && words.every((word) => KEPT_IN.has(word) || /^(?:\d{1,2}|(?:19|20)\d\d)$/.test(word));
};
const UNKNOWN_ALBUM = /^unknown album\b/i;
const FORMAT_FOLDER =
  /^(?:flac|mp3|ogg|opus|m4a|aac|alac|wav|aiff|wma|lossless|lossy|320|v0|v2|web|cd|vinyl)(?:[\s_-]*(?:320|v0|v2|256|192|128|24|16|44|48|96))*$/i;
const DISC_FOLDER =
  /^(?:cd|dis[ck]|dvd|lp|vinyl|platte|disque|disco)[\s_.-]*(?:no\.?\s*)?(\d{1,2}|[a-h]|one|two|three|four)\b/i;
const DISC_SUFFIX = /[\s_.-]*[[({]?\b(?:cd|dis[ck])[\s_.-]*(\d{1,2})\b[\])}]?\s*$/i;

const NUMBER_WORDS: Record<string, number> = { one: 1, two: 2, three: 3, four: 4 };

/** What programs that save videos put behind a name: a hyphen or a bracket, and eleven characters. */
const VIDEO_ID = /(?<=.{3})(?:-| \[)([\w-]{11})\]?$/;

/** MATCH-101: without a video's id. A word of eleven letters is none: an id changes between cases and digits. */
function withoutVideoId(name: string): string {
  const id = VIDEO_ID.exec(name)?.[1] ?? '';
  const changes = id.match(/(?<=[a-z])[A-Z0-9]|(?<=[A-Z])[a-z0-9]|(?<=[0-9])[A-Za-z]/g)?.length ?? 0;
  return changes >= 3 && !/_-|-_/.test(id) && !/^[A-Z][a-z]+(?:[A-Z][a-z]+)*\d*$/.test(id)
    ? name.replace(VIDEO_ID, '')
    : name;
}

/** What a name ends with if that may be a release group's mark (`-oNe`), and says nothing of the recording; else null. */
export function groupMark(base: string): string | null {
  const found = GROUP_MARK.exec(base);
  const word = found?.[1] ?? found?.[2] ?? '';
  if (!/^.+[A-Z]/.test(word) || versionsIn(word.toLowerCase()).length > 0) return null;
  return found?.[0] ?? null;
}

/** Removes format and quality marks from a name. */
function stripNoise(text: string): string {
  const stripped = text
    .replace(BRACKETED, ' ')
    .replace(TRAILING, '')
    .replace(/\s{2,}/g, ' ')
    .trim();
  return stripped === '' ? text : stripped;
}

/** Takes a copy mark (`(1)`, ` - Copy`) off a name; `copy` is 0 without one. */
function stripCopyMark(text: string): { text: string; copy: number } {
  const found = COPY.exec(text);
  if (!found || found.index === 0) return { text, copy: 0 };
  return { text: text.slice(0, found.index).trim(), copy: Number(found[1] ?? 1) };
}

/** `track01`, `Piste 01`, `AudioTrack 3`, `07`: no evidence of what the music is. */
export const isGenericTitle = (text: string): boolean =>
  (GENERIC_TITLE.test(text.trim()) && !/^(?:19|20)\d\d$/.test(text.trim())) || numberAlone(text) !== null;

/** `New Folder`, `Unknown Album (date)`, `upload`, `USB stick`, `80s` (MATCH-77): no evidence. */
export const isGenericFolder = (text: string): boolean =>
  GENERIC_FOLDER.test(text.trim()) || UNKNOWN_ALBUM.test(text.trim()) || isKeptIn(text);

const isFormatFolder = (text: string): boolean => FORMAT_FOLDER.test(text.trim());

/** The disc that a folder's name tells: `CD 1`, `Disc two`, `Album [Disc 2]`; `rest` is the name without it. */
export function discOfFolder(text: string): { disc: number | null; rest: string } {
  const whole = DISC_FOLDER.exec(text.trim());
  if (whole?.[1] !== undefined) return { disc: discNumber(whole[1]), rest: '' };
  const suffix = DISC_SUFFIX.exec(text);
  if (suffix?.[1] !== undefined && suffix.index > 0)
    return { disc: Number(suffix[1]), rest: text.slice(0, suffix.index).trim() };
  return { disc: null, rest: text };
}

function discNumber(text: string): number | null {
  const word = NUMBER_WORDS[text.toLowerCase()];
  if (word !== undefined) return word;
  if (/^\d+$/.test(text)) return Number(text);
  return text.toLowerCase().charCodeAt(0) - 96;
}

/** One way to read which position on the album a file has. */
export interface PositionReading {
  /** From 1; null when only a number was seen. */
  disc: number | null;
  /** From 1. */
  position: number;
  /** Side of a record (`A` is 1) when the number counts within a side. */
  side?: number;
}

/** What one path says by itself. */
export interface ParsedName {
  /** Folder names, outermost first, without disc, format and meaningless folders. */
  folders: string[];
  /** Where the file is without disc and format folders: files of one album share it. */
  home: string;
  /** From the folder; null when it names none. */
  disc: number | null;
  extension: string;
  /** The repaired name without extension, copy mark and noise. */
  base: string;
  /** The name without extension as it was, where repairing changed it; else null. */
  unrepaired: string | null;
  /** Number of the copy mark (`(2)`), 0 without one. */
  copy: number;
  /** Cut to eight characters, as old drives do (`TIGERE~1.MP3`). */
  cut: boolean;
  positions: PositionReading[];
  /** What may be the title, most likely first; empty for a generic name. */
  titles: string[];
  /** Parts of the name between strong delimiters, numbers left out. */
  segments: string[];
  generic: boolean;
}

const LEADING_WORD =
  /^(?:track|trk|piste|pista|titel|titre|faixa|spur|audiotrack)[\s_.#-]*(?:no|nr)?[\s_.#-]*(\d{1,4})(?=[\s_.)\]-]|$)/i;
const LEADING_DISC = /^[[(]?(?:cd|dis[ck])?[\s_]*(\d{1,2})[-.x](?:t)?(\d{1,2})(?=[\s_.)\]-]|$)[\s_.)\]-]*/i;
const LEADING_SIDE = /^[[(]?([a-h])(\d{1,2})(?=[\s_.)\]-]|$)[\s_.)\]-]*/i;
const LEADING_NUMBER = /^[[(]?0*(\d{1,3})(?:[\s_.)\]-]+|(?=\p{L})|$)/u;
const INNER_NUMBER = /(?:^|[\s_.[(-])0*(\d{2,3})(?=[\s_.)\]-]|\p{Lu}|$)[\s_.)\]-]*/gu;
/** Up to eight characters without a blank, the last two of them counting equal beginnings. */
const SHORT_NAME = /^([^\s~]{1,8})~\d{1,2}$/;
const STRONG = /\s+[-–—~|]\s+|_-_|\s*\/\/\s*|\s[-–—]_|_[-–—]\s|_{2,}/;

/** Reads one path (folders with `/`, archive name first). Never throws; hostile text only yields poor readings. */
export function parseName(path: string): ParsedName {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const file = parts.pop() ?? '';
  const dot = file.lastIndexOf('.');
  const extension = dot > 0 && file.length - dot <= 6 ? file.slice(dot + 1).toLowerCase() : '';
  const stem = extension === '' ? file : file.slice(0, dot);
  const folders: string[] = [];
  const home: string[] = [];
  let disc: number | null = null;
  for (const part of parts) {
    const folder = repairText(part.replace(/\.(?:zip|rar|7z|tar|tgz)$/i, ''));
    if (isFormatFolder(folder) && home.length > 0) continue;
    const of = discOfFolder(folder);
    disc = of.disc ?? disc;
    if (of.rest === '') continue;
    home.push(of.disc === null ? part : of.rest);
    if (!isGenericFolder(of.rest)) folders.push(stripNoise(of.rest));
  }
  const short = SHORT_NAME.exec(stem);
  const repaired = repairText(short?.[1] ?? stem);
  const copied = stripCopyMark(stripNoise(repaired));
  const base = withoutVideoId(stripNoise(copied.text).replace(RELEASE, ''));
  const alone = numberAlone(base);
  const read = alone === null ? readNumbers(base) : { positions: [alone], rest: '' };
  const positions = read.positions.map((entry) => ({ ...entry, disc: entry.disc ?? disc }));
  const titles = alone === null ? titlesOf(base, read.rest) : [];
  return {
    folders,
    home: home.join('/'),
    disc,
    extension,
    base,
    unrepaired: short === null && repaired !== stem.normalize('NFKC').trim() ? stem : null,
    copy: copied.copy,
    cut: short !== null,
    positions,
    titles,
    segments: alone === null ? [...segmentsOf(base), ...hyphened(base)].filter((part) => !/^\d+$/.test(part)) : [],
    generic: titles.length === 0,
  };
}

/** Track numbers in the usual forms; `rest` is the name behind the number. */
export function readNumbers(base: string): { positions: PositionReading[]; rest: string } {
  const word = LEADING_WORD.exec(base);
  if (word?.[1] !== undefined) return { positions: positionsOf(Number(word[1])), rest: base.slice(word[0].length) };
  const pair = LEADING_DISC.exec(base);
  if (pair?.[1] !== undefined && pair[2] !== undefined && Number(pair[1]) > 0 && Number(pair[1]) <= 20) {
    // `1-05 Title` counts discs; `05-06 ...` may as well be a number before a title that begins with one.
    const positions: PositionReading[] = [{ disc: Number(pair[1]), position: Number(pair[2]) }];
    if (pair[1].length === 2) positions.push({ disc: null, position: Number(pair[1]) });
    return { positions, rest: base.slice(pair[0].length) };
  }
  const side = LEADING_SIDE.exec(base);
  if (side?.[1] !== undefined && side[2] !== undefined) {
    const letter = side[1].toLowerCase().charCodeAt(0) - 96;
    return { positions: [{ disc: null, position: Number(side[2]), side: letter }], rest: base.slice(side[0].length) };
  }
  const leading = LEADING_NUMBER.exec(base);
  if (leading?.[1] !== undefined)
    return { positions: positionsOf(Number(leading[1])), rest: base.slice(leading[0].length) };
  return { positions: [], rest: base };
}

/** A bare number; `203` may be disc 2, track 3. */
export function positionsOf(number: number): PositionReading[] {
  if (number <= 0 || number > 999) return [];
  const track = number % 100;
  const bare: PositionReading = { disc: null, position: number };
  return number > 100 && track > 0 && track <= 60
    ? [{ disc: Math.floor(number / 100), position: track }, bare]
    : [bare];
}

/** Numbers further inside a name, with the text behind each: `Artist - Album - 04 - Title`, `WM067-04Gorowski...`. */
export function innerNumbers(base: string): { value: number; rest: string }[] {
  const found: { value: number; rest: string }[] = [];
  for (const match of base.matchAll(INNER_NUMBER)) {
    const value = Number(match[1]);
    if (value > 0 && value < 400) found.push({ value, rest: base.slice(match.index + match[0].length) });
    if (found.length >= 4) break;
  }
  return found;
}

/** Parts between strong delimiters; where there are none, between `_` or `-`. */
export function segmentsOf(text: string): string[] {
  let parts = text.split(STRONG);
  if (parts.length === 1 && !text.includes(' '))
    parts = text.split(text.includes('_') && !text.includes('-') ? /_/ : /-/);
  else if (parts.length === 1 && text.includes('_')) parts = text.split('_');
  return parts.map(tidy).filter((part) => part !== '');
}

/** MATCH-78: `Some Artist-A Title`: both sides of the one hyphen of a name that has no stronger sign; else nothing. */
function hyphened(text: string): string[] {
  const parts = STRONG.test(text) || !text.includes(' ') ? [] : text.split('-').map(tidy);
  return parts.length === 2 && parts.every((part) => part.length > 1) ? parts : [];
}

/** Words as a person would write them: `_` and `.` between words are blanks, camel case is split. */
export function tidy(text: string): string {
  let words = text.replace(/_/g, ' ');
  if (!/\s/.test(words.trim())) {
    words = words.replace(/\.(?=\S)/g, ' ');
    words = splitCamel(words);
  }
  return words.replace(/\s+/g, ' ').replace(/^[\s.,_-]+|[\s,_-]+$/g, '');
}

/** MATCH-106: a name whose end is words of files (`Artist - Title - MP3`), without them and with them, the likelier first. */
function bothWays(text: string): string[] {
  const cut = text.replace(QUALITY_END, '');
  if (cut === text || !/\p{L}/u.test(cut)) return [text];
  return segmentsOf(cut).length > 1 || segmentsOf(text).length === 1 ? [cut, text] : [text, cut];
}

/** What may be the title in a name, most likely first. */
export function titlesOf(base: string, rest: string): string[] {
  const titles: string[] = [];
  const add = (text: string | undefined): void => {
    const clean = text === undefined ? '' : tidy(stripNoise(text));
    if (clean === '' || isGenericTitle(clean) || titles.length >= 10) return;
    if (!titles.includes(clean)) titles.push(clean);
  };
  const behind = [rest, ...innerNumbers(rest === '' ? base : rest).map((entry) => entry.rest)].flatMap(bothWays);
  for (const text of behind) {
    const parts = segmentsOf(text);
    add(text);
    if (parts.length > 1) {
      add(parts.at(-1));
      add(parts.slice(1).join(' - '));
      add(parts[0]);
      add(parts.slice(0, -1).join(' - '));
    } else if (/[-_]/.test(text) && !/\s/.test(text)) {
      // `Stay-Ali_Ideophobia` and `herr_doktor-miami_call`: either sign may be the strong one.
      for (const sign of ['_', '-']) {
        if (!text.includes(sign)) continue;
        const pieces = text.split(sign);
        add(pieces.at(-1));
        add(pieces.slice(1).join(' '));
        add(pieces[0]);
      }
    }
    const sides = hyphened(text);
    add(sides[1]);
    add(sides[0]);
    const by = /^(.+)\s+by\s+(.+)$/i.exec(tidy(text));
    if (by) add(by[1]);
  }
  if (titles.length > 0 || !isGenericTitle(tidy(base))) add(base);
  return titles;
}
