import { Best, withinLimit } from './text-index.ts';

/** A file as the pattern search sees it. */
export interface TimedFile {
  duration_ms: number;
  /** Track numbers the file may have; empty when unknown. */
  positions: readonly number[];
}

/** Lengths within this are found (milliseconds). */
const REACH = 2500;

/** All lengths of a catalog in order, so that those near a given one are one run; by rows of albums. */
export interface LengthArrays {
  /** Milliseconds, rising. */
  lengths: Uint32Array;
  albums: Uint32Array;
  positions: Uint16Array;
  /** Tracks with a length, by album. */
  sizes: Uint16Array;
}

export interface LengthIndex {
  albums(files: readonly TimedFile[], limit: number): { row: number; score: number }[];
  density(milliseconds: number): number;
}

/** Lengths beside others in one search. */
export interface LengthSource {
  arrays: LengthArrays;
  /** 1: this entry is passed over. */
  gone: Uint8Array | null;
}

/** What a length that is off by so many milliseconds tells, where lengths near it are so common. */
function votesByOff(common: number): Float64Array {
  const votes = new Float64Array(REACH + 1);
  for (let off = 0; off <= REACH; off++) votes[off] = Math.log((0.8 * Math.exp(-off / 700)) / common + 0.05);
  return votes;
}

export function openLengthIndex(arrays: LengthArrays): LengthIndex {
  const density = (milliseconds: number): number => {
    const [from, to] = windowOf(milliseconds);
    return densityOf(countBetween(arrays, from, to), arrays.lengths.length, milliseconds);
  };
  const sources = [{ arrays, gone: null }];
  return { density, albums: (files, limit) => albumsByLengths(sources, arrays.sizes, density, files, limit) };
}

/** The first entry of at least this length. */
export function lowerBound(lengths: Uint32Array, value: number): number {
  let low = 0;
  let high = lengths.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lengths[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const countBetween = ({ lengths }: Pick<LengthArrays, 'lengths'>, from: number, to: number): number =>
  lowerBound(lengths, to) - lowerBound(lengths, from);

/** The lengths that count as near, more widely for long ones: `from <= length < to`. */
export function windowOf(milliseconds: number): readonly [from: number, to: number] {
  const half = Math.max(2000, milliseconds * 0.02);
  return [milliseconds - half, milliseconds + half];
}

/** Density per second where so many of a catalog's lengths are near; never zero. */
export function densityOf(near: number, total: number, milliseconds: number): number {
  const [from, to] = windowOf(milliseconds);
  return (near + 1) / ((total + 10) * ((to - from) / 1000));
}

/**
 * Adds up, per album, how much each file's nearest length tells; a length serves one file at a time only roughly.
 * `sizes`: tracks with a length, by row of the search. Equals of the last are kept up to four times the limit.
 */
export function albumsByLengths(
  sources: readonly LengthSource[],
  sizes: Uint16Array,
  density: (milliseconds: number) => number,
  files: readonly TimedFile[],
  limit: number,
): { row: number; score: number }[] {
  const totals = new Float64Array(sizes.length);
  const bests = new Float64Array(sizes.length);
  const counts = new Uint16Array(sizes.length);
  const touchedRows = new Uint32Array(sizes.length);
  for (const file of files) {
    let touched = 0;
    const seen = Math.round(file.duration_ms);
    const votes = votesByOff(density(seen));
    const first = seen - REACH;
    const last = seen + REACH;
    const { positions: wanted } = file;
    for (const { arrays, gone } of sources) {
      const { lengths, positions, albums } = arrays;
      const end = lowerBound(lengths, last + 1);
      for (let i = lowerBound(lengths, first); i < end; i++) {
        let vote = votes[Math.abs((lengths[i] as number) - seen)] as number;
        if (wanted.length > 0 && wanted.includes(positions[i] as number)) vote += 1.5;
        if (vote <= 0 || (gone !== null && gone[i] === 1)) continue;
        const album = albums[i] as number;
        const best = bests[album] as number;
        if (best === 0) touchedRows[touched++] = album;
        if (vote > best) bests[album] = vote;
      }
    }
    for (let i = 0; i < touched; i++) {
      const album = touchedRows[i] as number;
      totals[album] = (totals[album] as number) + (bests[album] as number);
      counts[album] = (counts[album] as number) + 1;
      bests[album] = 0;
    }
  }
  // Equals of the last are kept up to four times the limit; rows come in order, so that the first of equals stays.
  const hits = new Best<{ row: number; score: number }>(limit * 4, (a, b) => a.score > b.score);
  const least = files.length >= 3 ? 2 : 1;
  const chances: number[] = [];
  for (let row = 0; row < counts.length; row++) {
    if ((counts[row] as number) < least) continue;
    // Long albums fit by chance: what more tracks than files explain away is taken off.
    const more = Math.max(0, (sizes[row] as number) - files.length);
    const score = (totals[row] as number) - (chances[more] ??= 0.25 * more ** 0.7);
    if (hits.last === undefined || score > hits.last.score) hits.show({ row, score });
  }
  return withinLimit([...hits.all], limit);
}
