/** A name as it was written and as the rules read it: both have the same length, so that a place in one is a place in the other. */
export interface NormalText {
  /** NFC of what was given, for titles. */
  raw: string;
  /** One letter for one letter: full-width forms, other digits, dashes and multiplication signs as ASCII. */
  text: string;
}

/** Zero of every decimal script that file names are seen in. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0x0ed0];
/** Each letter of a line reads as the letter that the line begins with. */
const ALIKE = [
  '-‐‑‒–—―−',
  '~〜～',
  'x×✕',
  "'’`´",
  '[【［',
  ']】］',
  '(（',
  ')）',
  '{｛',
  '}｝',
  ' \u00a0\u3000\u200b\ufeff',
];
const SAME_AS = new Map(ALIKE.flatMap(([plain = '', ...others]) => others.map((letter) => [letter, plain] as const)));
/** Nothing that a name is read by lies beyond this many UTF-16 units. */
const LONGEST = 1024;

/** Reads a name once for all rules. Longer names than 1,024 units are cut: what follows is not read. */
export function normalText(given: string): NormalText {
  const raw = spaced(given.normalize('NFC').slice(0, LONGEST)).replace(/ {2,}/g, ' ');
  if (/^[ -_a-~]*$/.test(raw)) return { raw, text: raw };
  let text = '';
  for (let at = 0; at < raw.length; at++) text += plain(raw.charAt(at));
  return { raw, text };
}

/** A name that came through an address has `+` or `%20` for spaces. */
function spaced(text: string): string {
  if (!/[+%]/.test(text)) return text;
  const words = text.replaceAll('%20', ' ');
  return /^[^\s_]*\+[^\s_]*\+[^\s_]*$/.test(words) && !/[.-].*[.-]/.test(words) ? words.replaceAll('+', ' ') : words;
}

function plain(letter: string): string {
  const same = SAME_AS.get(letter);
  if (same !== undefined) return same;
  const code = letter.charCodeAt(0);
  if (code < 0x80) return code < 0x20 || code === 0x7f ? ' ' : letter;
  for (const zero of ZEROS) if (code >= zero && code <= zero + 9) return String(code - zero);
  // A surrogate alone is left; a form that becomes longer would move every place behind it.
  const folded = letter.normalize('NFKC');
  return folded.length === 1 ? folded : letter;
}

/** A path apart: folders from the outside in, the name without its extension, the extension without its dot. */
export interface SplitPath {
  folders: string[];
  name: string;
  extension: string | null;
}

const EXTENSIONS = new Set(
  (
    'mkv mk3d avi mp4 m4v mov wmv mpg mpeg m2ts mts ts vob ogm ogv webm flv f4v rm rmvb divx xvid asf 3gp 3g2 iso img ' +
    'strm wtv dvr-ms bdmv ifo bup srt ass ssa sub idx sup vtt smi usf mks nfo txt jpg jpeg png webp bmp gif tbn torrent nzb ' +
    'mka mp3 ac3 eac3 dts aac flac ogg opus wav m4a m3u m3u8 xml sfv md5 par2 zip rar 7z qt swf nrg disc part url'
  ).split(' '),
);
const MOST_FOLDERS = 32;

/** Splits a name or a path. A slash between spaces parts two titles, not two folders. */
export function splitPath(input: string): SplitPath {
  const windows = /^[A-Za-z]:\\|^\\\\|^[^/]*\\[^/]*$/.test(input);
  const parts = input.split(windows ? /[\\/]/ : /(?<! )\/|\/(?! )/).filter((part) => part.trim() !== '');
  const last = parts.pop() ?? '';
  const folders = parts.slice(-MOST_FOLDERS).filter((part) => !/^(?:[A-Za-z]:|\.{1,2})$/.test(part));
  return { folders, ...splitName(last) };
}

/** The tag of a site in front, in brackets or with `www`, and what file managers write behind a copy. */
const SITE =
  /^\s*(?:[[({【]\s?(?:www\.)?[\w-]{2,40}(?:\.[\w-]{2,20})?\.(?:com|net|org|info|ru|ws|tv|bz|cc|me|re|to|li|se|eu|io|co|fr|es|it|pl|xyz|club|vip)\s?[\])}】]|www\.[\w-]{2,40}\.\w{2,5}(?=[\s_]))[\s_]*(?:-[\s_]+)?(?=\S)/i;
const COPY =
  /\s-\s(?:Copy|Kopie|Copie|Copia|Kopia|Kopio|Cópia|Kopi|Копия|副本|コピー)(?:\s\(\d{1,2}\))?$|\scopy(?:\s\d{1,2})?$/u;

/** The second file of one name, where another number is in it that can be the episode's. */
const SECOND = /(?<=\d{2}.*|\d\D+\d.*)\s\([12]\)$/u;

/** A name without what a site or a file manager added to it. */
export const withoutTags = (name: string): string => name.replace(SITE, '').replace(COPY, '').replace(SECOND, '');

/** Takes a known extension off; twice where a patch or a subtitle's language is before it. */
export function splitName(whole: string): { name: string; extension: string | null } {
  const found = /^(.*[^.\s])[._]([A-Za-z0-9-]{2,6})\s*$/su.exec(whole);
  const extension = found?.[2]?.toLowerCase();
  if (found?.[1] === undefined || extension === undefined || !EXTENSIONS.has(extension))
    return { name: whole, extension: null };
  // "Show.S01E01.ts" is a file, "movie.HDTC.ts" too; but "Show_01_mkv" was a file once and lost its dot.
  const name = found[1].replace(/\.(?:patch)$/i, '');
  return { name, extension };
}
