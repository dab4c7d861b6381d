import { editionBase } from '../names/versions.ts';
import { type ParsedName, discOfFolder } from '../names/names.ts';

/** Files that were dropped side by side: where they are when disc and format folders are left out. */
export interface Unit<T> {
  home: string;
  files: T[];
}

/**
 * MATCH-17: files of one folder (its disc and format folders included) are matched together; whether they are one
 * album or several is decided by the catalog (see match-unit.ts), not by the folder.
 */
export function groupByHome<T extends { name: ParsedName }>(files: readonly T[]): Unit<T>[] {
  return [...Map.groupBy(files, (file) => file.name.home.toLowerCase())].map(([home, members]) => ({
    home,
    files: members,
  }));
}

/** More files than an album has, and more albums than are compared in full with all of them. */
const LARGE = 64;
const MANY_ALBUMS = 12;
/** Files that are matched together because their tags name one album. */
const LEAST_OF_ONE = 4;

/**
 * MATCH-46: a large drop without folders whose tags name many albums is matched album by album, for only so many are
 * compared with all of its files; what names none, or one that few name, stays together.
 */
export function divideByTag<T extends { tagAlbum: string | null }>(files: readonly T[]): T[][] {
  const own = namedAlbums(files, LEAST_OF_ONE, (tag) => tag.toLowerCase());
  if (files.length <= LARGE || own.length <= MANY_ALBUMS) return [[...files]];
  return withRest(own, files);
}

/** Files whose tags name one album in these words are no accident. */
const LEAST_UNKNOWN = 2;

/** What a tag calls an album, without the words of an edition or of a disc. */
export function albumKey(tag: string): string {
  return editionBase(discOfFolder(tag).rest || tag);
}

/**
 * MATCH-47: files that no album takes are as many albums as their tags name, where at least half of the whole unit
 * is beside others of its album; what is alone or names none stays together. Measured on the unit, because what is
 * left changes with each answer, and the others' questions must not.
 */
export function divideUnknown<T extends { tagAlbum: string | null }>(files: readonly T[], unit: readonly T[]): T[][] {
  const albums = namedAlbums(unit, 1, albumKey);
  const several = albums.filter((members) => members.length >= LEAST_UNKNOWN);
  if (albums.length < 2 || several.flat().length * 2 < unit.length) return [[...files]];
  const left = new Set(files);
  const parts = several.map((members) => members.filter((file) => left.has(file)));
  return withRest(
    parts.filter((part) => part.length > 0),
    files,
  );
}

/** Files by the album that their tags name, of albums that so many name. */
function namedAlbums<T extends { tagAlbum: string | null }>(
  files: readonly T[],
  least: number,
  keyOf: (tag: string) => string,
): T[][] {
  const named = Map.groupBy(files, ({ tagAlbum }) => (tagAlbum === null ? null : keyOf(tagAlbum)));
  named.delete(null);
  return [...named.values()].filter((members) => members.length >= least);
}

function withRest<T>(parts: T[][], files: readonly T[]): T[][] {
  const taken = new Set(parts.flat());
  const rest = files.filter((file) => !taken.has(file));
  return rest.length > 0 ? [...parts, rest] : parts;
}
