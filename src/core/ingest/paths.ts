import { type LegacyDecoder, guessEncoding } from './legacy-encoding.ts';

/**
 * Names from outside. A path inside a batch has `/` between its parts, no empty part, no `.` or `..`,
 * no control or direction characters, and is in Unicode NFC. Content never lies under such a path in
 * the blob store; it is a label, and evidence for matching.
 */

/** Characters of one path, and of one part of it. */
export const MAX_PATH_LENGTH = 1024;
export const MAX_PART_LENGTH = 255;

export type SafePath =
  | {
      ok: true;
      path: string;
      /** What was changed, for the trace: `backslashes`, `drive letter`, ... */ repairs: string[];
    }
  | { ok: false; reason: string };

const WINDOWS_DEVICES = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;
/**
 * C0, DEL, C1, the marks that turn the direction of text, and the byte order mark: a name must read as
 * it is stored.
 */
const HIDDEN: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
  [0xfeff, 0xfeff],
];

function withoutHidden(text: string): string {
  const shown = (character: string): boolean => {
    const code = character.codePointAt(0) ?? 0;
    return !HIDDEN.some(([from, to]) => code >= from && code <= to);
  };
  return [...text].filter(shown).join('');
}

/** The last part: `a/b.mp3` -> `b.mp3`. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Lower-case ending without the dot, `''` without one: `.nfo` and `README` have none. */
export function extensionOf(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/** Endings of archives whose files lie in a folder of the archive's name. `.gz` holds one file, which loses the ending. */
const ARCHIVE_ENDING = /(?<=[^/])\.(zip|7z|rar|tar|tar\.gz|tgz|gz)$/i;

/** `album/x.zip` -> `album/x`, `x.tar.gz` -> `x`, `song.wav.gz` -> `song.wav`; other endings stay. */
export function withoutArchive(path: string): string {
  return path.replace(ARCHIVE_ENDING, '');
}

/** What a gzip holds, by its own path: `x.tgz` -> `x.tar`, `song.wav.gz` -> `song.wav`. */
export function insideGzip(path: string): string {
  return withoutArchive(path) + (/\.(tgz|tar\.gz)$/i.test(path) ? '.tar' : '');
}

/**
 * Gives archives paths whose content can lie beside everything else of a drop (or of an archive): `album.zip`
 * becomes `album (2).zip` where something is called `album` already. Same order, same answers.
 */
export function archivePlaces(others: readonly string[]): (path: string) => string {
  const taken = new Set(others.flatMap((path) => [path, ...foldersOf(path)]).map(pathKey));
  return (path) => {
    const ending = path.slice(withoutArchive(path).length);
    const single = /^\.gz$/i.test(ending);
    const [folder, name] = splitPath(path.slice(0, path.length - ending.length));
    const dot = single ? name.lastIndexOf('.') : -1;
    const [stem, kept] = dot <= 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
    let candidate = path;
    const wants = (): string[] => [withoutArchive(candidate), insideGzip(candidate)].map(pathKey);
    for (let n = 2; wants().some((key) => taken.has(key)); n++) candidate = `${folder}${stem} (${n})${kept}${ending}`;
    for (const key of wants()) taken.add(key);
    return candidate;
  };
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}

function splitPath(path: string): [folder: string, name: string] {
  const name = baseName(path);
  return [path.slice(0, path.length - name.length), name];
}

/**
 * Makes a name from outside a path inside the batch: repaired where that loses nothing, refused where
 * it points out of its place (`..`) or is too long.
 */
export function safePath(raw: string): SafePath {
  const repairs: string[] = [];
  const change = (before: string, after: string, what: string): string => {
    if (after !== before) repairs.push(what);
    return after;
  };
  let path = change(raw, raw.toWellFormed(), 'broken characters');
  path = change(path, withoutHidden(path), 'control characters');
  path = change(path, path.replaceAll('\\', '/'), 'backslashes');
  path = path.normalize('NFC');
  // Again as long as something changes: what is taken away may uncover the next one (` /C:`, `./C:/`).
  for (let before: string | null = null; before !== path;) {
    before = path;
    path = change(path, path.replace(/^(\/\/[?.]\/)?[a-z]:\/*/i, ''), 'drive letter');
    path = change(path, path.replace(/^\/+/, ''), 'absolute path');
    path = path.replace(/^(\s+|\.)\//, '');
  }
  const parts = path.split('/').filter((part) => part.trim() !== '' && part !== '.');
  if (parts.some((part) => part.trim() === '..'))
    return { ok: false, reason: 'its name points out of the archive ("..")' };
  if (parts.length === 0) return { ok: false, reason: 'its name is empty' };
  if (parts.some((part) => part.length > MAX_PART_LENGTH))
    return { ok: false, reason: `a part of its name is longer than ${MAX_PART_LENGTH} characters` };
  const named = parts
    // Windows drops dots and blanks at the end of a name: two names would be one there.
    .map((part) => change(part, part.replace(/(?<=[^. ])[. ]+$/, ''), 'trailing dots or blanks'))
    .map((part) => change(part, WINDOWS_DEVICES.test(part) ? `_${part}` : part, 'reserved name'))
    .join('/');
  if (named.length > MAX_PATH_LENGTH)
    return { ok: false, reason: `its name is longer than ${MAX_PATH_LENGTH} characters` };
  return { ok: true, path: named, repairs: [...new Set(repairs)] };
}

/** A short label for a name that was refused: the same words, in one harmless part. */
export function labelOfUnsafe(raw: string): string {
  const parts = withoutHidden(raw.toWellFormed())
    .split(/[\\/]+/)
    .filter((part) => part.trim() !== '' && part.trim() !== '..' && part.trim() !== '.');
  return (parts.at(-1) ?? 'unnamed').slice(0, MAX_PART_LENGTH);
}

/** Equal for paths that many file systems take for one: case and Unicode form aside. */
export function pathKey(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/**
 * Gives each path of a batch its own: a second `x.mp3` becomes `x (2).mp3`, and so does `X.MP3` or the same name in
 * other Unicode forms, which many file systems take for one. Same order, same answers.
 */
export function uniquePaths(): (path: string) => string {
  const taken = new Set<string>();
  /** Where to go on counting for a name: ten thousand times the same one must not take for ever. */
  const next = new Map<string, number>();
  return (path) => {
    let candidate = path;
    const [folder, name] = splitPath(path);
    const dot = name.lastIndexOf('.');
    const [stem, ending] = dot <= 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
    let n = next.get(pathKey(path)) ?? 2;
    for (; taken.has(pathKey(candidate)); n++) candidate = `${folder}${stem} (${n})${ending}`;
    next.set(pathKey(path), n);
    taken.add(pathKey(candidate));
    return candidate;
  };
}

export interface RawEntryName {
  raw: Uint8Array;
  /** It is UTF-8: by its flag, by a valid Unicode path field, or because its bytes are well-formed UTF-8. */
  unicode: boolean;
  /** As the format reads it: Unicode where it is that, CP437 otherwise. */
  fallback: string;
}

/**
 * Names of one archive that were written without saying how. The encoding is settled for the archive
 * as a whole, since one maker wrote all its names: UTF-8 where it fits, one of the East's where all such names
 * read as one of its languages, otherwise CP437, which is what the format says.
 */
export function decodeEntryNames(names: readonly RawEntryName[], decode: LegacyDecoder): string[] {
  const legacy = names.filter((name) => !name.unicode && name.raw.some((byte) => byte > 0x7f));
  const encoding = guessEncoding(
    legacy.map(({ raw }) => raw),
    decode,
  );
  if (encoding === null) return names.map((name) => name.fallback);
  const decoded = new Map(legacy.map((name) => [name, decode(name.raw, encoding) ?? name.fallback]));
  return names.map((name) => decoded.get(name) ?? name.fallback);
}

/** A file on its way in: `file` is whatever carries its content. */
export interface Planned<F> {
  /** Path inside the batch, its own. */
  path: string;
  file: F;
}

/**
 * Gives every file that came together a path of its own. A ZIP's entries will lie in a folder of its name, so a ZIP
 * beside a folder of that name (or another such archive) becomes `album (2).zip`.
 */
export function planPaths<F>(files: readonly Planned<F>[]): Planned<F>[] {
  const unique = uniquePaths();
  const safe = files.map(({ path, file }) => {
    const made = safePath(path);
    return { path: made.ok ? made.path : labelOfUnsafe(path), file };
  });
  const isArchive = (path: string): boolean => withoutArchive(path) !== path;
  const loose = safe.map(({ path }) => (isArchive(path) ? null : unique(path)));
  const place = archivePlaces(loose.filter((path) => path !== null));
  return safe.map(({ path, file }, i) => ({ path: loose[i] ?? place(path), file }));
}

/** What the batch is called: the archive or file, the folder, or how many files. */
export function planLabel(files: readonly { path: string }[]): string {
  const [first] = files;
  if (first === undefined) return 'nothing';
  if (files.length === 1) return withoutArchive(baseName(first.path));
  const top = first.path.split('/')[0] ?? '';
  const common = first.path.includes('/') && files.every((file) => file.path.startsWith(`${top}/`));
  return common ? top : `${files.length} files`;
}
