import { editionBase } from './edition-base.ts';
import type { ParsedName } from './names.ts';
import { discOfFolder } from './noise.ts';

/** Files that were dropped side by side: where they stand when disc and format folders are left out. */
export interface Unit<T> {
  home: string;
  files: T[];
}

/**
 * MATCH-17: files of one folder (its disc and format folders included) are looked at together; whether they are one
 * album or several is decided by the catalog (see match-unit.ts), not by the folder.
 */
export function groupByHome<T extends { name: ParsedName }>(files: readonly T[]): Unit<T>[] {
  const units = new Map<string, T[]>();
  for (const file of files) {
    const home = file.name.home.toLowerCase();
    const unit = units.get(home);
    if (unit) unit.push(file);
    else units.set(home, [file]);
  }
  return [...units].map(([home, members]) => ({ home, files: members }));
}

/** More files than an album has, and more albums than are compared in full with all of them. */
const LARGE = 64;
const MANY_ALBUMS = 12;
/** Files that are looked at together because their tags name one album. */
const LEAST_OF_ONE = 4;

/**
 * MATCH-46: a large drop without folders whose tags name many albums is looked at album by album, for only so many are
 * compared with all of its files; what names none, or one that few name, stays together.
 */
export function divideByTag<T extends { tagAlbum: string | null }>(files: readonly T[]): T[][] {
  const own = namedAlbums(files, LEAST_OF_ONE, (tag) => tag.toLowerCase());
  if (files.length <= LARGE || own.length <= MANY_ALBUMS) return [[...files]];
  return withRest(own, files);
}

/** Files whose tags name one album in these words are no accident. */
const LEAST_UNKNOWN = 2;

/**
 * MATCH-47: files that no album takes are as many albums as their tags name, where most of them stand
 * beside others of their album; what is alone or names none stays together. Words of an edition or of a disc make no
 * other album.
 */
export function divideUnknown<T extends { tagAlbum: string | null }>(files: readonly T[]): T[][] {
  const albums = namedAlbums(files, 1, (tag) => editionBase(discOfFolder(tag).rest || tag));
  const own = albums.filter((members) => members.length >= LEAST_UNKNOWN);
  if (albums.length < 2 || own.flat().length * 2 < files.length) return [[...files]];
  return withRest(own, files);
}

/** Files by the album that their tags name, of albums that so many name. */
function namedAlbums<T extends { tagAlbum: string | null }>(
  files: readonly T[],
  least: number,
  keyOf: (tag: string) => string,
): T[][] {
  const named = new Map<string, T[]>();
  for (const file of files) {
    if (file.tagAlbum === null) continue;
    const key = keyOf(file.tagAlbum);
    const known = named.get(key);
    if (known === undefined) named.set(key, [file]);
    else known.push(file);
  }
  return [...named.values()].filter((members) => members.length >= least);
}

function withRest<T>(parts: T[][], files: readonly T[]): T[][] {
  const taken = new Set(parts.flat());
  const rest = files.filter((file) => !taken.has(file));
  return rest.length > 0 ? [...parts, rest] : parts;
}
