import { albumEvidence } from './album-evidence.ts';
import { artistMemory } from './artists.ts';
import { assign, shareTracks } from './assign.ts';
import type { FileReading } from '../names/reading.ts';
import { atSpeed, scorePair, type PairContext, type PairScore } from './score.ts';
import type { CatalogIndex, IndexedAlbum, IndexedTrack } from '../index/catalog-index.ts';
import { versionsIn } from '../names/versions.ts';

/** A pair must be likelier than chance by this (log) to be made at all. */
const FLOOR = 2.5;

/** What one album makes of one set of files. */
export interface AlbumFit {
  album: IndexedAlbum;
  speed: number;
  /** `pairs[file][track]`. */
  pairs: PairScore[][];
  /** For each file the track's place in `album.tracks`, or -1. */
  given: number[];
  /** Files that share a track with a better file (another format of it). */
  shared: boolean[];
  /** Sum over assigned pairs plus what speaks for the album as a whole. */
  total: number;
  /** What the album's own texts, number of tracks and year add. */
  albumEvidence: number;
  albumSimilarity: number | null;
  matched: number;
  /** Share 0..1 of the album's tracks that found a file. */
  coverage: number;
  /** Share 0..1 of the files with a length that fits a track of its own. */
  durationShare: number;
  /** Tagged or named totals agree with the album's. */
  totalAgrees: boolean | null;
  /** Editions (`remaster`, `extended`, `live`, ...) that only the files or only the album names. */
  editionConflict: readonly string[];
  /** The files' folder or tags name an album, and it is not this one. */
  namesAnother: boolean;
  /** The pending request wants this album. */
  requested: boolean;
}

/** The pairs that were made. */
export function pairsOf(fit: AlbumFit): PairScore[] {
  return fit.given.flatMap((column, row) => fit.pairs[row]?.[column] ?? []);
}

/** A title that agrees at least by its sound or remains; where the length is the very one a faint likeness does. */
export function isTitled({ similarity, off }: PairScore): boolean {
  return (similarity ?? 0) >= 0.55 || ((similarity ?? 0) >= 0.4 && off !== null && Math.abs(off) <= VERY_LENGTH);
}

/** Seconds within which a length is the very one. */
const VERY_LENGTH = 1.5;
/** Files whose lengths and numbers agree with an album in no other way than by being it. */
const LEAST_PATTERN = 6;

/** MATCH-79: so many lengths and numbers that all agree are the album, in whatever language its titles were written. */
export function isPatterned(fit: AlbumFit): boolean {
  const pairs = pairsOf(fit);
  if (pairs.length < LEAST_PATTERN || fit.speed !== 1) return false;
  const agreeing = pairs.filter(
    ({ off, positionAgrees }) => off !== null && Math.abs(off) <= VERY_LENGTH && positionAgrees === true,
  );
  return agreeing.length >= pairs.length * 0.9;
}

/** What may be kept between fits of the same files. */
export interface FitMemory {
  pairs: PairMemory;
  named: ReadonlySet<FileReading>;
  /** By name in one piece: whether the catalog has an artist called so. */
  artists: Map<string, boolean>;
}

const NOBODY: ReadonlySet<FileReading> = new Set();

/** Compares every file with every track of the album and assigns them as one problem. */
export function fitAlbum(
  files: readonly FileReading[],
  album: IndexedAlbum,
  index: CatalogIndex,
  requested: boolean,
  memory?: FitMemory,
): AlbumFit {
  const plain: PairContext = {
    index,
    album,
    speed: 1,
    explained: explainedVersions(album),
    artists: artistMemory(index, memory?.artists ?? new Map()),
    named: memory?.named ?? NOBODY,
  };
  let pairs = files.map((file) => rowOf(file, plain, memory?.pairs));
  const speed = speedFactor(files, pairs, album);
  if (speed !== 1) {
    const context = { ...plain, speed };
    pairs = pairs.map((row, r) =>
      row.map((pair, c) => atSpeed(pair, files[r] as FileReading, album.tracks[c] as IndexedTrack, context)),
    );
  }
  addSides(files, album, pairs);
  const assigned = (): number[] =>
    assign(
      pairs.map((row) => row.map((pair) => pair.total)),
      FLOOR,
    );
  let given = assigned();
  if (!numbersHold(files, pairs, given)) {
    pairs = withoutNumbers(files, pairs);
    given = assigned();
  }
  const shared = shareTracks(files, pairs, given, FLOOR);
  const taken = new Set(given.filter((column) => column >= 0));
  const matched = given.filter((column) => column >= 0).length;
  const coverage = album.tracks.length === 0 ? 0 : taken.size / album.tracks.length;
  let sum = 0;
  given.forEach((column, row) => {
    const pair = pairs[row]?.[column];
    if (pair) sum += shared[row] === true ? pair.total * 0.5 : pair.total;
  });
  // A nameless file finds some fitting length on any long album: it counts for less there.
  const nameless = files.filter((file, row) => file.titles.length === 0 && (given[row] ?? -1) >= 0).length;
  sum -= nameless * Math.max(0, Math.log(album.tracks.length / Math.max(8, files.length)));
  const named = albumEvidence(files, album);
  const complete = coverage === 1 ? 2 + Math.min(1.5, (album.tracks.length - 1) / 4) : 0;
  const evidence = named.weight + 1.5 * coverage + complete + (requested ? 4 : 0) + orderBonus(files, given, album);
  return {
    album,
    speed,
    pairs,
    given,
    shared,
    total: sum + (matched > 0 ? evidence : 0),
    albumEvidence: evidence,
    albumSimilarity: named.similarity,
    matched,
    coverage,
    durationShare: durationShare(pairs, files, given),
    totalAgrees: named.totalAgrees,
    editionConflict: named.editionConflict,
    namesAnother: named.namesAnother,
    requested,
  };
}

/** Rows of pairs already scored, by album and file: a unit is fitted more than once while it is being divided. */
export type PairMemory = Map<string, Map<FileReading, readonly PairScore[]>>;

function rowOf(file: FileReading, context: PairContext, memory: PairMemory | undefined): PairScore[] {
  const { id } = context.album.album;
  let rows = memory?.get(id);
  if (memory && !rows) memory.set(id, (rows = new Map()));
  let row = rows?.get(file);
  if (!row) {
    row = context.album.tracks.map((track) => scorePair(file, track, context));
    rows?.set(file, row);
  }
  return [...row];
}

/** Version classes said by the album's title or artist, or by most of its tracks: they set no track apart. */
function explainedVersions(album: IndexedAlbum): string[] {
  // A band may be called Live or Mono.
  const explained = new Set([...album.versions, ...versionsIn(album.artist.folded)]);
  const counts = new Map<string, number>();
  for (const track of album.tracks) for (const name of track.versions) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, count] of counts) if (count >= album.tracks.length * 0.6) explained.add(name);
  return [...explained];
}

/** MATCH-8: one factor that brings the lengths of well-named pairs together, or 1. */
function speedFactor(files: readonly FileReading[], pairs: readonly PairScore[][], album: IndexedAlbum): number {
  const ratios: { ratio: number; seen: number }[] = [];
  files.forEach((file, row) => {
    const seen = file.evidence.duration_ms;
    if (seen === null || seen < 60_000) return;
    let best = -1;
    album.tracks.forEach((_, column) => {
      const value = pairs[row]?.[column]?.similarity ?? 0;
      if (value >= 0.75 && (best < 0 || value > (pairs[row]?.[best]?.similarity ?? 0))) best = column;
    });
    const length = album.tracks[best]?.track.duration_ms ?? null;
    if (length !== null && length > 0) ratios.push({ ratio: length / seen, seen });
  });
  if (ratios.length < 3) return 1;
  ratios.sort((a, b) => a.ratio - b.ratio);
  const middle = ratios[Math.floor(ratios.length / 2)]?.ratio ?? 1;
  // Half a per cent is within what encoders and rounding do to long tracks; more than 6 % is another recording.
  if (Math.abs(middle - 1) < 0.005 || Math.abs(middle - 1) > 0.06) return 1;
  // Lengths are rounded: on a short track that is more than a share of it.
  const agreeing = ratios.filter(({ ratio, seen }) => Math.abs(ratio - middle) < Math.max(0.006, 1500 / seen)).length;
  return agreeing >= Math.max(3, ratios.length * 0.75) ? middle : 1;
}

/** Record sides count on: the place of `B2` follows from how many files side A has. */
function addSides(files: readonly FileReading[], album: IndexedAlbum, pairs: PairScore[][]): void {
  const sided = files.map((file) => file.positions.find((reading) => reading.side !== undefined));
  if (sided.every((reading) => reading === undefined)) return;
  const sides = new Map<number, number>();
  for (const reading of sided)
    if (reading?.side !== undefined) sides.set(reading.side, Math.max(sides.get(reading.side) ?? 0, reading.position));
  sided.forEach((reading, row) => {
    if (reading?.side === undefined) return;
    let before = 0;
    for (const [side, count] of sides) if (side < reading.side) before += count;
    album.tracks.forEach((track, column) => {
      const pair = pairs[row]?.[column];
      if (!pair) return;
      const agrees = track.absolute === before + reading.position;
      const position = agrees ? 2 : -0.5;
      (pairs[row] as PairScore[])[column] = {
        ...pair,
        total: pair.total + position - pair.position,
        position,
        positionAgrees: agrees,
      };
    });
  });
}

/** Share of the numbers of nameless files that must agree with an album for any of them to speak for it. */
const NUMBERS_AGREE = 0.6;

/**
 * MATCH-18: numbers of nameless files are one numbering. An album that agrees with a few of them agrees by chance, as
 * every album has a first track.
 */
function numbersHold(files: readonly FileReading[], pairs: readonly PairScore[][], given: readonly number[]): boolean {
  const numbered = files.flatMap((file, row) => {
    const pair = pairs[row]?.[given[row] ?? -1];
    return file.titles.length === 0 && pair && pair.positionAgrees !== null ? [pair.positionAgrees] : [];
  });
  const agreeing = numbered.filter((agrees) => agrees).length;
  return numbered.length < 2 || agreeing === 0 || agreeing >= numbered.length * NUMBERS_AGREE;
}

/** The pairs of nameless files without what an agreeing number adds. */
function withoutNumbers(files: readonly FileReading[], pairs: readonly PairScore[][]): PairScore[][] {
  return pairs.map((row, r) =>
    row.map((pair) =>
      files[r]?.titles.length === 0 && pair.position > 0
        ? { ...pair, total: pair.total - pair.position, position: 0 }
        : pair,
    ),
  );
}

/** Share 0..1 of the files with a length whose track is within 3 s. */
export function durationShare(
  pairs: readonly PairScore[][],
  files: readonly FileReading[],
  given: readonly number[],
): number {
  const timed = files.map((file, row) => ({ file, row })).filter(({ file }) => file.evidence.duration_ms !== null);
  if (timed.length === 0) return 0;
  const near = timed.filter(({ row }) => {
    const pair = pairs[row]?.[given[row] ?? -1];
    return pair !== undefined && pair.off !== null && Math.abs(pair.off) <= 3;
  });
  return near.length / timed.length;
}

/** Files in the order of their names that run in the album's order speak for it when nothing else numbers them. */
function orderBonus(files: readonly FileReading[], given: readonly number[], album: IndexedAlbum): number {
  if (files.length < 3 || album.tracks.length < 3) return 0;
  const placed = files
    .map((file, row) => ({ number: file.positions[0]?.position ?? null, at: given[row] ?? -1 }))
    .filter((entry) => entry.at >= 0 && entry.number !== null);
  if (placed.length < 3) return 0;
  placed.sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
  let rising = 0;
  for (let i = 1; i < placed.length; i++) if ((placed[i]?.at ?? 0) > (placed[i - 1]?.at ?? 0)) rising++;
  return rising === placed.length - 1 ? 1 : 0;
}
