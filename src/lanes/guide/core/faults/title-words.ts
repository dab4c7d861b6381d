/** Titles that say nothing: told by the title alone, whatever its language. */
import { ownText } from './strings.ts';
import { foldWords, withoutAccents } from './words/fold.ts';
import { isNumberedOnly } from './words/numbered-words.ts';
import { NOTHING_KNOWN, SHORT_FOR_NOTHING } from './words/placeholder-words.ts';

/** Endings of files of pictures, sound, texts and streams. */
const ENDINGS =
  '3g2|3gp|aac|ac3|ape|asf|ass|avi|bmp|divx|dts|dv|eac3|f4v|flac|flv|gif|heic|heif|hevc|iso|jpeg|jpg|m1v|m2t|m2ts|m2v|m3u|m3u8|m4a|m4b|m4v|mka|mkv|mov|mp2|mp3|mp4|mpe|mpeg|mpg|mpv|mts|mxf|nfo|nuv|oga|ogg|ogm|ogv|opus|png|qt|rec|rm|rmvb|srt|ssa|strm|sub|svcd|tif|tiff|trp|ts|txt|vdr|vob|vro|wav|webm|webp|wma|wmv|wtv|xvid';
const FILE = new RegExp(`[^\\s.][^/\\\\]*\\.(?:${ENDINGS})$`, 'iu');
/** What names of releases carry, where dots or strokes stand for blanks. */
const RELEASE =
  /(?:^|[._-])(?:480[ip]|576[ip]|720p|1080[ip]|2160p|4k|uhd|x26[45]|h\.?26[45]|hevc|av1|xvid|divx|web-?dl|web-?rip|blu-?ray|bd-?rip|br-?rip|dvd-?rip|hd-?tv|hd-?rip|remux|dsr|pdtv)(?=$|[._-])/iu;
/** What cameras call their files: `IMG_2041`, `DSC00123`, `VID_20240102_101112`. */
const CAMERA = /^(?:img|vid|dsc[nf]?|mvi|pxl|mov|gopr|gx|gh|cimg|sam|dji|wp|pict|imag)[_-]?\d{3,}(?:[_-]\w+)*$/iu;

/** A name that a camera gave, which says nothing. */
export const isCameraName = (name: string): boolean => CAMERA.test(name);

/** A file's name in place of a title. */
export function isFileName(title: string): boolean {
  const trimmed = title.trim();
  return FILE.test(trimmed) || CAMERA.test(trimmed) || (!/\s/.test(trimmed) && RELEASE.test(trimmed));
}

/** What titles were read as: they come again and again, on all days and channels. */
const MOST_KEPT = 20_000;
const kept = new Map<string, boolean>();

/** True where a title, not blank, is none: words that nothing is known, a number alone, marks, a file's name. */
export function isPlaceholder(title: string): boolean {
  let known = kept.get(title);
  if (known === undefined) {
    known = readTitle(title);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(ownText(title), known);
  }
  return known;
}

function readTitle(title: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(title)) return true;
  if (isFileName(title)) return true;
  if (title.length > 120) return false;
  const plain = withoutAccents(title).trim();
  return SHORT_FOR_NOTHING.test(plain) || NOTHING_KNOWN.has(foldWords(title)) || isNumberedOnly(title);
}
