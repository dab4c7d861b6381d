import { fitAlbum, isPatterned, isTitled, pairsOf, type AlbumFit, type PairMemory } from './album-fit.ts';
import { findCandidates, type SearchNote } from './candidates.ts';
import { divideUnknown } from './group.ts';
import { readUnit, type FileReading } from '../names/reading.ts';
import type { Track } from '../catalog.ts';
import { textKey } from '#core/text/similarity.ts';
import { roughScore, SAME_TITLE, type PairScore } from './score.ts';
import type { CatalogIndex } from '../index/catalog-index.ts';

/** Files that belong together, with what every near album makes of them, best first. */
interface Division {
  files: FileReading[];
  fits: AlbumFit[];
  searches: SearchNote[];
  /** Files of the whole unit that the group was taken from. */
  unitFiles: number;
}

export interface UnitGroup extends Division {
  /** By file that the group's album does not explain: fits of it alone with albums that its title and length name. */
  otherAlbums: ReadonlyMap<FileReading, readonly AlbumFit[]>;
}

export interface UnitRules {
  /** All files that lie beside these, also those whose album a person chose. */
  unit: readonly FileReading[];
  wanted: string | null;
  /** Albums that a person ruled out for these files. */
  rejected: ReadonlySet<string>;
  /** Albums to compare in any case (AGENT-5). */
  lookAt: readonly string[];
}

/** An album must be likelier than chance by this (log) to be a group of its own. */
const LEAST_GROUP = 7;
/** The same for a single file whose title and length were found. */
const LEAST_ALONE = 5;

/**
 * MATCH-5: solves one unit. The album that explains the most is taken first; what it leaves is tried again, because a
 * drop may hold several albums. What no album explains stays with the album that took most of its folder; where it is
 * several albums by its tags, each is solved as a unit of its own (MATCH-47).
 */
export function matchUnit(files: readonly FileReading[], index: CatalogIndex, rules: UnitRules): UnitGroup[] {
  const found = findCandidates(files, index, rules.wanted, rules.lookAt);
  const { searches } = found;
  const usable = found.albums.filter((id) => !rules.rejected.has(id));
  const memory: UnitMemory = {
    index,
    wanted: rules.wanted,
    pairs: new Map(),
    artists: new Map(),
    rough: new Map(),
    named: found.named,
    hits: found.hits,
    hinted: found.hinted.filter((id) => !rules.rejected.has(id)),
    searches,
  };
  const groups: Division[] = [];
  let rest = [...files];
  const apart: UnitGroup[] = [];
  while (rest.length > 0) {
    const near = likeliest(rest, usable, memory);
    const fits = fitAll(rest, near, memory);
    // Chance finds some album for part of any folder: only one that the names do not contradict may divide it.
    const best = fits.find((fit) => fit.total >= LEAST_GROUP && isNamed(fit));
    const rows = (best?.given ?? []).map((column, row) =>
      column >= 0 && best && isClaimed(rest[row], row, best, fits) ? -1 : column,
    );
    const mine = rest.filter((_, row) => (rows[row] ?? -1) >= 0);
    if (!best || mine.length === 0) {
      const parts = divideUnknown(rest, rules.unit);
      // Each is looked for by itself: it was one of many names before.
      if (parts.length > 1) apart.push(...parts.flatMap((part) => matchUnit(part, index, rules)));
      else groups.push(...loose(rest, fits, rules, memory, files.length));
      break;
    }
    const nameless = rest.every((file) => file.titles.length === 0);
    if (mine.length === rest.length || nameless) {
      groups.push({ files: rest, fits, searches, unitFiles: files.length });
      break;
    }
    const left = rest.filter((_, row) => (rows[row] ?? -1) < 0);
    const first = groups.length === 0;
    if (first && left.length <= mine.length * 0.67 && keepsTogether(mine, left) && !isAlone(left, usable, memory)) {
      groups.push({ files: rest, fits, searches, unitFiles: files.length });
      break;
    }
    const joined = first ? fillers(left, mine, files.length, best, memory) : [];
    const together = rest.filter((file) => mine.includes(file) || joined.includes(file));
    groups.push({
      files: together,
      fits: fitAll(together, likeliest(mine, usable, memory), memory),
      searches,
      unitFiles: files.length,
    });
    rest = left.filter((file) => !joined.includes(file));
  }
  return [...groups.map((group) => ({ ...group, otherAlbums: namedOnOtherAlbums(group, memory, rules) })), ...apart];
}

/** Albums compared for one file that its group's album does not explain. */
const MOST_ELSEWHERE = 3;

/** The very title of a file, by one of its readings. */
function isTitle(file: FileReading, title: string): boolean {
  const { compact } = textKey(title);
  return file.titles.some(({ key }) => key.compact === compact);
}

/**
 * MATCH-19: what a file's title and length name is offered, also where its company is taken for another album. MATCH-92:
 * so are the tracks of its very title whose lengths are nearest, where no title has its length.
 */
function namedOnOtherAlbums(group: Division, memory: UnitMemory, rules: UnitRules): Map<FileReading, AlbumFit[]> {
  const found = new Map<FileReading, AlbumFit[]>();
  const [best] = group.fits;
  group.files.forEach((file, row) => {
    const pair = best?.pairs[row]?.[best.given[row] ?? -1];
    const length = file.evidence.duration_ms;
    const explained = pair !== undefined && (pair.similarity ?? 0) >= SAME_TITLE && Math.abs(pair.off ?? 0) <= 3;
    if (explained || length === null) return;
    const hits = [...(memory.hits.get(file) ?? NO_HITS)].sort((a, b) => b[1] - a[1]);
    const tracks = hits.flatMap(([id]) => memory.index.track(id) ?? []);
    const off = ({ duration_ms }: Track): number => Math.abs((duration_ms ?? Infinity) - length);
    const near = memory.named.has(file)
      ? tracks.filter((track) => off(track) <= 3000)
      : (pair?.similarity ?? 0) >= SAME_TITLE
        ? []
        : tracks.filter((track) => isTitle(file, track.title)).sort((a, b) => off(a) - off(b));
    const albums = [...new Set(near.map((track) => track.album_id))].filter((id) => !rules.rejected.has(id));
    const known = new Set(group.fits.slice(0, 6).map((fit) => fit.album.album.id));
    const others = albums.filter((id) => !known.has(id)).slice(0, MOST_ELSEWHERE);
    if (others.length > 0) found.set(file, fitAll([file], others, memory));
  });
  return found;
}

/** Two likenesses that differ by more than damage does. */
const CLEARLY = 0.1;

/**
 * MATCH-49: a file whose tag names another album, which has its title, fills no gap of this one: albums of a
 * series have titles that resemble each other. Nor does one that another album has by name and length (MATCH-73).
 */
function isClaimed(file: FileReading | undefined, row: number, best: AlbumFit, fits: readonly AlbumFit[]): boolean {
  const pair = best.pairs[row]?.[best.given[row] ?? -1];
  if (!file || !pair) return false;
  const here = pair.similarity ?? 0;
  if (here >= SAME_TITLE) return false;
  // Likely here by chance, and there by name, length and more.
  const isThere = (other: PairScore): boolean =>
    (other.similarity ?? 0) >= SAME_TITLE && Math.abs(other.off ?? 9) <= 3 && other.total >= pair.total + LEAST_ALONE;
  if (here < UNSURE && fits.some((fit) => fit !== best && (fit.pairs[row] ?? []).some(isThere))) return true;
  const tag = file.albums.find((reading) => reading.source === 'tag');
  if (!tag || best.album.title.folded === tag.key.folded) return false;
  return fits.some(
    (fit) =>
      fit.album.title.folded === tag.key.folded &&
      (fit.pairs[row] ?? []).some(({ similarity }) => (similarity ?? 0) >= Math.max(SAME_TITLE, here + CLEARLY)),
  );
}

/** Titles below this may be alike by chance. */
const UNSURE = 0.75;

/** True when the readable names among an album's files agree with it (or there are none), or its own title is said. */
function isNamed(fit: AlbumFit): boolean {
  if ((fit.albumSimilarity ?? 0) >= 0.75) return true;
  const named = pairsOf(fit).filter(({ similarity }) => similarity !== null);
  return named.filter(isTitled).length >= named.length * 0.5 || isPatterned(fit);
}

/**
 * MATCH-73: files that no album takes together. In a pile (nothing but their own names says what they are) each stands
 * for itself: it is read and looked for as if it had come alone, and is matched alone where a track of its own is
 * likely. What lies in one album's folder stays one question.
 */
function loose(
  rest: readonly FileReading[],
  fits: AlbumFit[],
  rules: UnitRules,
  memory: UnitMemory,
  unitFiles: number,
): Division[] {
  if (rest.length < 2 || !isPile(rest)) return [{ files: [...rest], fits, searches: memory.searches, unitFiles }];
  const groups: Division[] = [];
  const unknown: FileReading[] = [];
  for (const file of rest) {
    const [alone = file] = readUnit([file]);
    const found = findCandidates([alone], memory.index, rules.wanted);
    const albums = found.albums.filter((id) => !rules.rejected.has(id));
    const own = fitAll([alone], likeliest([alone], albums, { ...memory, hits: found.hits }), memory);
    if ((own[0]?.total ?? 0) >= LEAST_ALONE)
      groups.push({ files: [alone], fits: own, searches: found.searches, unitFiles });
    else unknown.push(file);
  }
  if (unknown.length > 0) {
    const near = fits.map((fit) => fit.album.album.id);
    groups.push({
      files: unknown,
      fits: unknown.length === rest.length ? fits : fitAll(unknown, near, memory),
      searches: memory.searches,
      unitFiles,
    });
  }
  return groups;
}

/** No folder names an album, and no two tags name the same one. */
function isPile(files: readonly FileReading[]): boolean {
  const tagged = files.flatMap(({ tagAlbum }) => tagAlbum ?? []);
  return files.every((file) => file.name.folders.length === 0) && new Set(tagged).size === tagged.length;
}

/**
 * MATCH-7: beside an album that takes most of a drop, a file that says nothing readable and whose length fits a track
 * nobody took is asked about as one of that album's.
 */
function fillers(
  left: readonly FileReading[],
  mine: readonly FileReading[],
  unitFiles: number,
  fit: AlbumFit,
  memory: UnitMemory,
): FileReading[] {
  if (mine.length < 3 || mine.length < unitFiles * 0.6) return [];
  const taken = new Set(fit.given);
  const free = fit.album.tracks.filter((_, column) => !taken.has(column));
  return left.filter((file) => {
    const length = file.evidence.duration_ms;
    if (length === null || file.tagAlbum !== null || memory.named.has(file)) return false;
    return free.some(({ track }) => track.duration_ms !== null && Math.abs(track.duration_ms - length) <= 3000);
  });
}

/** Leftovers leave their folder's album only for one that takes several of them and says so. */
function isAlone(left: readonly FileReading[], usable: readonly string[], memory: UnitMemory): boolean {
  const other = fitAll(left, likeliest(left, usable, memory), memory)[0];
  return other !== undefined && other.matched >= 2 && other.total >= LEAST_GROUP * 2 && other.albumEvidence >= 3;
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

/** Albums that are compared in full: the first look ranks them, and the wanted one is always among them. */
const MOST_FITS = 12;

/** What was already compared while a unit is being divided, and what holds for all of it. */
interface UnitMemory {
  index: CatalogIndex;
  wanted: string | null;
  pairs: PairMemory;
  artists: Map<string, boolean>;
  rough: Map<string, Map<FileReading, number>>;
  named: ReadonlySet<FileReading>;
  searches: SearchNote[];
  /** Tracks whose titles the search found for each file, with how near. */
  hits: ReadonlyMap<FileReading, ReadonlyMap<string, number>>;
  /** Compared in any case. */
  hinted: readonly string[];
}

const NO_HITS: ReadonlyMap<string, number> = new Map();

/** The albums to compare: the likeliest by a rough score, and on top of them those that were asked for. */
function likeliest(files: readonly FileReading[], albums: readonly string[], memory: UnitMemory): string[] {
  return [...new Set([...likeliestOf(files, albums, memory), ...memory.hinted])];
}

function likeliestOf(files: readonly FileReading[], albums: readonly string[], memory: UnitMemory): string[] {
  const { index, wanted } = memory;
  if (albums.length <= MOST_FITS) return [...albums];
  const scored = albums.flatMap((id) => {
    const album = index.indexedAlbum(id);
    if (!album) return [];
    let known = memory.rough.get(id);
    if (!known) memory.rough.set(id, (known = new Map()));
    let score = 0;
    for (const file of files) {
      let value = known.get(file);
      if (value === undefined) known.set(file, (value = roughScore(file, album, memory.hits.get(file) ?? NO_HITS)));
      score += value;
    }
    return [{ id, key: album.contentKey, score }];
  });
  scored.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1));
  const kept = scored.slice(0, MOST_FITS).map((entry) => entry.id);
  return wanted !== null && albums.includes(wanted) && !kept.includes(wanted) ? [...kept, wanted] : kept;
}

/** All fits, best first; equal ones by content, so that ids and order decide nothing. */
function fitAll(files: readonly FileReading[], albums: readonly string[], memory: UnitMemory): AlbumFit[] {
  const fits = albums.flatMap((id) => {
    const album = memory.index.indexedAlbum(id);
    return album ? [fitAlbum(files, album, memory.index, id === memory.wanted, memory)] : [];
  });
  return fits.sort((a, b) => b.total - a.total || (a.album.contentKey < b.album.contentKey ? -1 : 1));
}
