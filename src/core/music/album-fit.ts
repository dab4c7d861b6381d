import { assign } from './assign.ts';
import type { FileReading } from './reading.ts';
import { atSpeed, scorePair } from './score.ts';
import type { PairContext, PairScore } from './score.ts';
import type { CatalogIndex, IndexedAlbum, IndexedTrack } from './search.ts';
import { textSimilarity } from './similarity.ts';
import { editionsIn, versionsIn } from './versions.ts';

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
}

/** What may be kept between fits of the same files. */
export interface FitMemory {
  pairs: PairMemory;
  named: ReadonlySet<FileReading>;
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
    artists: new Map(),
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
  const given = assign(
    pairs.map((row) => row.map((pair) => pair.total)),
    FLOOR,
  );
  const shared = shareTracks(files, pairs, given);
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
  const complete = coverage === 1 ? 2 : 0;
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

/** Version classes said by the album's title or by most of its tracks: they set no track apart. */
function explainedVersions(album: IndexedAlbum): string[] {
  const explained = new Set(album.versions);
  const counts = new Map<string, number>();
  for (const track of album.tracks) for (const name of track.versions) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [name, count] of counts) if (count >= album.tracks.length * 0.6) explained.add(name);
  return [...explained];
}

/** MATCH-8: one factor that brings the lengths of well-named pairs together, or 1. */
function speedFactor(files: readonly FileReading[], pairs: readonly PairScore[][], album: IndexedAlbum): number {
  const ratios: number[] = [];
  files.forEach((file, row) => {
    const seen = file.evidence.duration_ms;
    if (seen === null || seen < 60_000) return;
    let best = -1;
    album.tracks.forEach((_, column) => {
      const value = pairs[row]?.[column]?.similarity ?? 0;
      if (value >= 0.75 && (best < 0 || value > (pairs[row]?.[best]?.similarity ?? 0))) best = column;
    });
    const length = album.tracks[best]?.track.duration_ms ?? null;
    if (length !== null && length > 0) ratios.push(length / seen);
  });
  if (ratios.length < 3) return 1;
  ratios.sort((a, b) => a - b);
  const middle = ratios[Math.floor(ratios.length / 2)] ?? 1;
  // Half a per cent is within what encoders and rounding do to long tracks; more than 6 % is another recording.
  if (Math.abs(middle - 1) < 0.005 || Math.abs(middle - 1) > 0.06) return 1;
  const agreeing = ratios.filter((ratio) => Math.abs(ratio - middle) < 0.006).length;
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

/** MATCH-6: a leftover file that is another format of an assigned one shares its track. */
function shareTracks(files: readonly FileReading[], pairs: readonly PairScore[][], given: number[]): boolean[] {
  const shared = files.map(() => false);
  const owner = new Map<number, number>();
  given.forEach((column, row) => {
    if (column >= 0) owner.set(column, row);
  });
  files.forEach((file, row) => {
    const current = given[row] ?? -1;
    const scores = pairs[row] ?? [];
    let best = -1;
    scores.forEach((pair, column) => {
      if (pair.total > (scores[best]?.total ?? FLOOR)) best = column;
    });
    if (best < 0 || best === current) return;
    const other = owner.get(best);
    const holder = other === undefined ? undefined : files[other];
    if (!holder || other === row) return;
    const gain = (scores[best]?.total ?? 0) - (current >= 0 ? (scores[current]?.total ?? 0) : 0);
    if (gain < 3 || !sameRecording(file, holder)) return;
    given[row] = best;
    shared[row] = true;
  });
  return shared;
}

/** Two files that say they are the same piece: equal lengths, equal names, another format or a copy mark. */
function sameRecording(a: FileReading, b: FileReading): boolean {
  const lengths = a.evidence.duration_ms !== null && b.evidence.duration_ms !== null;
  if (lengths && Math.abs((a.evidence.duration_ms ?? 0) - (b.evidence.duration_ms ?? 0)) > 3000) return false;
  if (a.name.extension === b.name.extension && a.name.copy === b.name.copy && a.name.base !== b.name.base) return false;
  const titles =
    a.titles[0] && b.titles[0]
      ? Math.max(...a.titles.map((x) => Math.max(...b.titles.map((y) => textSimilarity(x.key, y.key)))))
      : lengths
        ? 1
        : 0;
  return titles >= 0.8;
}

function durationShare(pairs: readonly PairScore[][], files: readonly FileReading[], given: readonly number[]): number {
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

interface AlbumEvidence {
  weight: number;
  similarity: number | null;
  totalAgrees: boolean | null;
  editionConflict: readonly string[];
  namesAnother: boolean;
}

/** How well the files' album texts, totals and years fit the album. */
function albumEvidence(files: readonly FileReading[], album: IndexedAlbum): AlbumEvidence {
  const tally = { tagged: 0, agreeing: 0, years: 0, yearsAgree: 0, totals: 0, totalsAgree: 0, foldered: 0 };
  let best: number | null = null;
  let nearest = '';
  const said = new Set<string>();
  const discs = new Map<number, number>();
  for (const { track } of album.tracks) discs.set(track.disc, (discs.get(track.disc) ?? 0) + 1);
  const discTotals = new Set(discs.values());
  const seen = new Map<string, number>();
  for (const file of files) {
    if (file.albums.some((text) => text.source === 'folder')) tally.foldered++;
    for (const text of file.albums) {
      let value = seen.get(text.key.compact);
      if (value === undefined) {
        seen.set(text.key.compact, (value = albumSimilarity(text.key, album)));
        if (text.source !== 'name') for (const edition of editionsIn(text.key.folded)) said.add(edition);
      }
      if (best === null || value > best) {
        best = value;
        nearest = text.key.folded;
      }
      if (text.source === 'tag') {
        tally.tagged++;
        if (value >= 0.75) tally.agreeing++;
      }
    }
    const { year, tracktotal } = file.evidence.tags;
    if (year !== undefined && album.album.year !== null) {
      tally.years++;
      if (year === album.album.year) tally.yearsAgree++;
    }
    if (tracktotal !== undefined && tracktotal > 0) {
      tally.totals++;
      if (tracktotal === album.tracks.length || discTotals.has(tracktotal)) tally.totalsAgree++;
    }
  }
  let weight = 0;
  if (best !== null) weight += best >= 0.97 ? 5 : best >= 0.85 ? 4 : best >= 0.7 ? 2.5 : best >= 0.55 ? 0.8 : 0;
  if (tally.tagged > 0 && tally.agreeing < tally.tagged * 0.3) weight -= 2;
  if (tally.years > 0) weight += tally.yearsAgree >= tally.years * 0.6 ? 0.8 : -0.3;
  const totalAgrees = tally.totals === 0 ? null : tally.totalsAgree >= tally.totals * 0.6;
  if (totalAgrees !== null) weight += totalAgrees ? 1.5 : -1;
  const known = editionsIn(album.title.folded);
  for (const edition of editionsIn(nearest)) said.add(edition);
  // Only a text that means this album says which edition of it the files are.
  const means = best !== null && best >= 0.55;
  const editionConflict = means
    ? [...known.filter((name) => !said.has(name)), ...[...said].filter((name) => !known.includes(name))]
    : [];
  const named = tally.foldered >= files.length * 0.5 || tally.tagged >= files.length * 0.5;
  return { weight, similarity: best, totalAgrees, editionConflict, namesAnother: named && (best ?? 0) < 0.6 };
}

/** Album titles with their edition words count fully; without them a little less. */
export function albumSimilarity(
  seen: { compact: string } & Parameters<typeof textSimilarity>[0],
  album: IndexedAlbum,
): number {
  const plain = textSimilarity(seen, album.title);
  if (plain >= 0.97) return plain;
  // `Artist - Album`, `Artist Album`: the artist's name is taken off.
  const word = album.artist.compact;
  let rest = plain;
  if (word.length >= 3 && seen.compact.includes(word) && seen.compact.length > word.length) {
    const left = seen.compact.replace(word, '');
    rest = left === album.title.compact ? 0.99 : 0;
  }
  if (album.title.compact.length >= 6 && seen.compact.includes(album.title.compact)) rest = Math.max(rest, 0.9);
  const versions = versionsIn(seen.folded);
  const penalty =
    versions.includes('remaster') !== album.versions.includes('remaster') ||
    versions.includes('live') !== album.versions.includes('live')
      ? 0.12
      : 0;
  // Another volume or part is another album.
  const volume =
    seen.numbers !== '' && album.title.numbers !== '' && !shares(seen.numbers, album.title.numbers) ? 0.3 : 0;
  return Math.max(plain, rest) - penalty - volume;
}

const shares = (a: string, b: string): boolean => b.split(' ').every((number) => a.split(' ').includes(number));
