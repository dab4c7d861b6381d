import type { ParsedName } from './names.ts';

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
  const named = new Map<string, T[]>();
  for (const file of files) {
    const key = (file.tagAlbum ?? '').toLowerCase();
    const known = named.get(key);
    if (known === undefined) named.set(key, [file]);
    else known.push(file);
  }
  const own = [...named].filter(([key, members]) => key !== '' && members.length >= LEAST_OF_ONE);
  if (files.length <= LARGE || own.length <= MANY_ALBUMS) return [[...files]];
  const taken = new Set(own.map(([key]) => key));
  const rest = files.filter((file) => !taken.has((file.tagAlbum ?? '').toLowerCase()));
  const parts = own.map(([, members]) => members);
  return rest.length > 0 ? [...parts, rest] : parts;
}
