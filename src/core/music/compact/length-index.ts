/** A file as the pattern search sees it. */
export interface TimedFile {
  duration_ms: number;
  /** Track numbers the file may have; empty when unknown. */
  positions: readonly number[];
}

/** Lengths within this are looked at (milliseconds). */
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

export function openLengthIndex({ lengths, albums: albumOf, positions, sizes }: LengthArrays): LengthIndex {
  function lowerBound(value: number): number {
    let low = 0;
    let high = lengths.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((lengths[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Density per second, over a window that grows with the length; never zero. */
  function density(milliseconds: number): number {
    const half = Math.max(2000, milliseconds * 0.02);
    const count = lowerBound(milliseconds + half) - lowerBound(milliseconds - half);
    return (count + 1) / ((lengths.length + 10) * ((2 * half) / 1000));
  }

  /** Adds up, per album, how much each file's nearest length tells; a length serves one file at a time only roughly. */
  function albums(files: readonly TimedFile[], limit: number): { row: number; score: number }[] {
    const totals = new Float64Array(sizes.length);
    const bests = new Float64Array(sizes.length);
    const counts = new Uint16Array(sizes.length);
    for (const file of files) {
      const touched: number[] = [];
      const common = density(file.duration_ms);
      const last = file.duration_ms + REACH;
      for (let i = lowerBound(file.duration_ms - REACH); i < lengths.length && (lengths[i] ?? 0) <= last; i++) {
        const off = Math.abs((lengths[i] ?? 0) - file.duration_ms) / 1000;
        let vote = Math.log((0.8 * Math.exp(-off / 0.7)) / common + 0.05);
        if (file.positions.includes(positions[i] ?? 0)) vote += 1.5;
        if (vote <= 0) continue;
        const album = albumOf[i] ?? 0;
        if (bests[album] === 0) touched.push(album);
        if (vote > (bests[album] ?? 0)) bests[album] = vote;
      }
      for (const album of touched) {
        totals[album] = (totals[album] ?? 0) + (bests[album] ?? 0);
        counts[album] = (counts[album] ?? 0) + 1;
        bests[album] = 0;
      }
    }
    const hits: { row: number; score: number }[] = [];
    const least = files.length >= 3 ? 2 : 1;
    totals.forEach((total, row) => {
      // Long albums fit by chance: what more tracks than files explain away is taken off.
      if ((counts[row] ?? 0) >= least)
        hits.push({ row, score: total - 0.25 * Math.max(0, (sizes[row] ?? 0) - files.length) ** 0.7 });
    });
    hits.sort((a, b) => b.score - a.score || a.row - b.row);
    return hits.slice(0, limit);
  }
  return { albums, density };
}
