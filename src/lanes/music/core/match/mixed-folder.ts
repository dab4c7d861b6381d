/** MATCH-109: a folder of songs by many, called as nobody's album, is a pile whatever it is called. */
import type { FileEvidence } from '../evidence/evidence.ts';
import type { CatalogIndex } from '../index/catalog-index.ts';
import type { ParsedName } from '../names/names.ts';
import { editionsIn, versionsIn } from '../names/versions.ts';
import { textKey, textSimilarity } from '#core/text/similarity.ts';

interface Named {
  evidence: FileEvidence;
  name: ParsedName;
}

/** Files from which on a folder may be a pile. */
const LEAST = 3;
/** Likeness from which on a folder names an album of the catalog. */
const MEANT = 0.75;

/** The files as if they lay in no folder, where theirs is a pile; else the files themselves. */
export function outOfPile<T extends Named>(files: readonly T[], index: CatalogIndex): readonly T[] {
  const isIn = files.some(({ name }) => name.folders.length > 0);
  if (!isIn || !isMixed(files) || foldersOf(files).some((folder) => saysSomething(folder, index))) return files;
  return files.map((file) => ({ ...file, name: { ...file.name, folders: [] } }));
}

/** Songs of several artists, of whom none has half, without track numbers, and no two of one album by their tags. */
function isMixed(files: readonly Named[]): boolean {
  if (files.length < LEAST) return false;
  const albums = files.flatMap(({ evidence }) => evidence.tags.album ?? []).map((album) => textKey(album).compact);
  const numbered = files.filter(({ evidence, name }) => name.positions.length > 0 || evidence.tags.track !== undefined);
  if (new Set(albums).size < albums.length || numbered.length * 3 > files.length) return false;
  const artists = files.flatMap(({ evidence, name }) => {
    const said = evidence.tags.artist ?? (name.segments.length > 1 ? name.segments[0] : undefined);
    return said === undefined ? [] : [textKey(said).compact];
  });
  const most = Math.max(0, ...[...Map.groupBy(artists, (artist) => artist).values()].map(({ length }) => length));
  return artists.length >= files.length * 0.8 && most * 2 <= files.length;
}

const foldersOf = (files: readonly Named[]): string[] => [...new Set(files.flatMap(({ name }) => name.folders))];

/** It names an album of the catalog, or how the music was made (`Tribute to X`, `Live`). */
function saysSomething(folder: string, index: CatalogIndex): boolean {
  const key = textKey(folder);
  if (editionsIn(key.folded).length > 0 || versionsIn(key.folded).length > 0) return true;
  return index
    .albumsByText(key, 4)
    .some(({ id }) => textSimilarity(key, textKey(index.album(id)?.title ?? '')) >= MEANT);
}
