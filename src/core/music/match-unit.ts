import { fitAlbum } from './album-fit.ts';
import type { AlbumFit } from './album-fit.ts';
import { findCandidates } from './candidates.ts';
import type { SearchNote } from './candidates.ts';
import type { FileReading } from './reading.ts';
import type { CatalogIndex } from './search.ts';

/** Files that belong together, with what every near album makes of them, best first. */
export interface UnitGroup {
  files: FileReading[];
  fits: AlbumFit[];
  searches: SearchNote[];
}

export interface UnitRules {
  wanted: string | null;
  /** Albums that a person ruled out for these files. */
  rejected: ReadonlySet<string>;
}

/** An album must be likelier than chance by this (log) to be a group of its own. */
const LEAST_GROUP = 7;

/**
 * MATCH-5: solves one unit. The album that explains the most is taken first; what it leaves is tried again, because a
 * drop may hold several albums. What no album explains stays with the album that took most of its folder.
 */
export function matchUnit(files: readonly FileReading[], index: CatalogIndex, rules: UnitRules): UnitGroup[] {
  const { albums, searches } = findCandidates(files, index, rules.wanted);
  const usable = albums.filter((id) => !rules.rejected.has(id));
  const groups: UnitGroup[] = [];
  let rest = [...files];
  let candidates = usable;
  while (rest.length > 0) {
    const fits = fitAll(rest, candidates, index, rules.wanted);
    const best = fits[0];
    if (!best || best.matched === 0 || best.total < LEAST_GROUP) break;
    const mine = rest.filter((_, row) => (best.given[row] ?? -1) >= 0);
    if (mine.length === rest.length) {
      groups.push({ files: rest, fits: fits.slice(0, 12), searches });
      rest = [];
      break;
    }
    rest = rest.filter((_, row) => (best.given[row] ?? -1) < 0);
    const near = fits.slice(0, 14).map((fit) => fit.album.album.id);
    groups.push({ files: mine, fits: fitAll(mine, near, index, rules.wanted).slice(0, 12), searches });
    candidates = groups.length > 40 ? [] : usable;
    if (groups.length === 1 && rest.length <= mine.length * 0.67 && keepsTogether(mine, rest)) {
      // The folder is this album: leftovers leave it only for an album that takes several of them.
      const others = fitAll(rest, usable, index, rules.wanted)[0];
      if (!others || others.matched < 2 || others.total < LEAST_GROUP * 2 || others.albumEvidence < 3) {
        const main = groups[0] as UnitGroup;
        main.files = [...main.files, ...rest];
        main.fits = fitAll(main.files, near, index, rules.wanted).slice(0, 12);
        rest = [];
      }
    }
  }
  if (rest.length > 0)
    groups.push({ files: rest, fits: fitAll(rest, candidates, index, rules.wanted).slice(0, 12), searches });
  return groups;
}

/** Files in a folder, or numbered without a gap between, or with the same album tag, are one album's. */
function keepsTogether(mine: readonly FileReading[], rest: readonly FileReading[]): boolean {
  if (mine.length < 2) return false;
  const named = (file: FileReading): boolean => file.positions.length > 0;
  const tags = new Set(mine.map((file) => file.tagAlbum).filter((album) => album !== null));
  const foreign = rest.filter((file) => file.tagAlbum !== null && tags.size > 0 && !tags.has(file.tagAlbum));
  if (foreign.length > 0) return false;
  const inFolder = mine.some((file) => file.name.folders.length > 0);
  return inFolder || (mine.every(named) && rest.every(named));
}

/** All fits, best first; equal ones by content, so that ids and order decide nothing. */
export function fitAll(
  files: readonly FileReading[],
  albums: readonly string[],
  index: CatalogIndex,
  wanted: string | null,
): AlbumFit[] {
  const fits = albums.flatMap((id) => {
    const album = index.indexedAlbum(id);
    return album ? [fitAlbum(files, album, index, id === wanted)] : [];
  });
  return fits.sort((a, b) => b.total - a.total || (a.album.contentKey < b.album.contentKey ? -1 : 1));
}
