/**
 * The path of a track's audio under the media directory: `Artist/Album (Year)/D-NN Title.ogg`. Names come from
 * the catalog, which takes them from anybody: each part becomes one harmless name on every file system.
 */

export interface PathSource {
  artist: string;
  album: string;
  year: number | null;
  disc: number;
  position: number;
  title: string;
}

/** Bytes of UTF-8 a name may have. File systems take 255; this leaves room for a suffix and a temporary ending. */
const MAX_BYTES = 180;

/** Separators, what Windows refuses, controls, and characters that reorder or hide text. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029<>:"/\\|?*]/gu;
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

/** The path, `/` separated. @param suffix tells files apart that would have the same name */
export function catalogPath(source: PathSource, suffix: string | null = null): string {
  const album = source.year === null ? source.album : `${shorten(source.album, MAX_BYTES - 8)} (${source.year})`;
  const number = `${source.disc}-${String(source.position).padStart(2, '0')}`;
  const end = `${suffix === null ? '' : ` [${safeName(suffix)}]`}.ogg`;
  const room = MAX_BYTES - number.length - 1 - Buffer.byteLength(end);
  const file = `${number} ${shorten(safeName(source.title), room)}`.trimEnd();
  return `${safeName(source.artist)}/${safeName(album)}/${file}${end}`;
}

/** One name without separators, that no file system takes for something else. Never empty. */
export function safeName(text: string): string {
  const plain = text.normalize('NFC').replace(UNSAFE, '_').replace(/\s+/g, ' ');
  // Dots at the front hide a file or lead upwards; dots and blanks at the end are cut by Windows.
  const trimmed = plain
    .trim()
    .replace(/^\.+/, '_')
    .replace(/[. ]+$/, '');
  const name = shorten(trimmed, MAX_BYTES).replace(/[. ]+$/, '');
  if (name === '') return '_';
  return RESERVED.test(name) ? `_${name}` : name;
}

/** Cut to so many bytes of UTF-8, between characters. */
function shorten(text: string, bytes: number): string {
  let used = 0;
  let out = '';
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    out += character;
  }
  return out;
}
