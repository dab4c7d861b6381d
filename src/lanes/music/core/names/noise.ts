/** Words around a name that say nothing about what the music is. */

const QUALITY =
  '(?:\\d{2,3}\\s?k(?:bps|bit|b)?(?:ps)?|vbr|cbr|v[0-2]|hq|hd|lq|flac|mp3|ogg|opus|m4a|aac|alac|wav|lossless|320|256|192|128|24bit|16bit|' +
  'web|cd ?rip|vinyl ?rip|eac|log|cue|sbd|aud|official|video|audio|lyrics?|explicit|free download|full album|album|retail|promo|dev|copy)';
const BRACKETED = new RegExp(`[\\[({]\\s*${QUALITY}(?:[\\s,._+-]+${QUALITY})*\\s*[\\])}]`, 'gi');
const TRAILING = new RegExp(
  `(?:[\\s_-]+${'(?:\\d{2,3}\\s?k(?:bps|bit|b)(?:ps)?|vbr|hq|official (?:video|audio))'})+[\\s_]*$`,
  'i',
);
const COPY = /(?:\s*-?\s*\bcop(?:y|ie|ia)\b(?:\s*\(?\d+\)?)?|\s*\((\d)\)|\s+-\s+kopie)$/i;

const GENERIC_WORD =
  '(?:audio ?track|track|trk|piste|pista|titel|titre|spur|faixa|traccia|song|sång|nummer|utwor|трек|дорожка|トラック|曲目|음원|untitled|unknown|audio|file|rec(?:ording)?|no ?name|ohne titel|sans titre)';
const GENERIC_TITLE = new RegExp(`^(?:${GENERIC_WORD})?[\\s_.#-]*(?:no|nr|n°|number)?[\\s_.#-]*\\d{0,7}$`, 'iu');

const GENERIC_FOLDER =
  /^(?:new folder|neuer ordner|nouveau dossier|nueva carpeta|upload(?:s|ed)?|download(?:s|ed)?|music|musik|musique|audio|files?|tmp|temp|incoming|desktop|untitled|unknown(?: (?:album|artist))?|various|misc|mp3s?|flacs?|media|share|drop|stuff|archive|songs?|albums?)(?:\s*\(?[\d\s:._-]*(?:am|pm)?\)?)?$/i;
const UNKNOWN_ALBUM = /^unknown album\b/i;
const FORMAT_FOLDER =
  /^(?:flac|mp3|ogg|opus|m4a|aac|alac|wav|aiff|wma|lossless|lossy|320|v0|v2|web|cd|vinyl)(?:[\s_-]*(?:320|v0|v2|256|192|128|24|16|44|48|96))*$/i;
const DISC_FOLDER =
  /^(?:cd|dis[ck]|dvd|lp|vinyl|platte|disque|disco)[\s_.-]*(?:no\.?\s*)?(\d{1,2}|[a-h]|one|two|three|four)\b/i;
const DISC_SUFFIX = /[\s_.-]*[[({]?\b(?:cd|dis[ck])[\s_.-]*(\d{1,2})\b[\])}]?\s*$/i;

const NUMBER_WORDS: Record<string, number> = { one: 1, two: 2, three: 3, four: 4 };

/** Removes format and quality marks from a name. */
export function stripNoise(text: string): string {
  const stripped = text
    .replace(BRACKETED, ' ')
    .replace(TRAILING, '')
    .replace(/\s{2,}/g, ' ')
    .trim();
  return stripped === '' ? text : stripped;
}

/** Takes a copy mark (`(1)`, ` - Copy`) off a name; `copy` is 0 without one. */
export function stripCopyMark(text: string): { text: string; copy: number } {
  const found = COPY.exec(text);
  if (!found || found.index === 0) return { text, copy: 0 };
  return { text: text.slice(0, found.index).trim(), copy: Number(found[1] ?? 1) };
}

/** `track01`, `Piste 01`, `AudioTrack 3`, `07`: no evidence of what the music is. */
export const isGenericTitle = (text: string): boolean =>
  GENERIC_TITLE.test(text.trim()) && !/^(?:19|20)\d\d$/.test(text.trim());

/** `New Folder`, `Unknown Album (date)`, `upload`: no evidence. */
export const isGenericFolder = (text: string): boolean =>
  GENERIC_FOLDER.test(text.trim()) || UNKNOWN_ALBUM.test(text.trim());

export const isFormatFolder = (text: string): boolean => FORMAT_FOLDER.test(text.trim());

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
