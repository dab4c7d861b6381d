import type { Track } from './catalog.ts';

/** A file as the pattern search sees it. */
export interface TimedFile {
  duration_ms: number;
  /** Track numbers the file may have; empty when unknown. */
  positions: readonly number[];
}

/** Lengths within this are looked at (milliseconds). */
const REACH = 2500;

export interface DurationIndex {
  albums(files: readonly TimedFile[], limit: number): { id: string; score: number }[];
  density(milliseconds: number): number;
}

/** All lengths of a catalog in order, so that those near a given one are one run. */
export function buildDurationIndex(tracks: readonly Track[]): DurationIndex {
  const timed = tracks.filter((track) => track.duration_ms !== null && track.duration_ms > 0);
  timed.sort((a, b) => (a.duration_ms ?? 0) - (b.duration_ms ?? 0));
  const lengths = Float64Array.from(timed, (track) => track.duration_ms ?? 0);
  const albumIds = [...new Set(timed.map((track) => track.album_id))];
  const numberOf = new Map(albumIds.map((id, i) => [id, i]));
  const albumOf = Uint32Array.from(timed, (track) => numberOf.get(track.album_id) ?? 0);
  const positionOf = Uint16Array.from(timed, (track) => track.position);
  const sizes = new Uint16Array(albumIds.length);
  for (const album of albumOf) sizes[album] = (sizes[album] ?? 0) + 1;

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
  function albums(files: readonly TimedFile[], limit: number): { id: string; score: number }[] {
    const totals = new Float64Array(albumIds.length);
    const bests = new Float64Array(albumIds.length);
    const counts = new Uint16Array(albumIds.length);
    for (const file of files) {
      const touched: number[] = [];
      const common = density(file.duration_ms);
      for (
        let i = lowerBound(file.duration_ms - REACH);
        i < lengths.length && (lengths[i] ?? 0) <= file.duration_ms + REACH;
        i++
      ) {
        const off = Math.abs((lengths[i] ?? 0) - file.duration_ms) / 1000;
        let vote = Math.log((0.8 * Math.exp(-off / 0.7)) / common + 0.05);
        if (file.positions.includes(positionOf[i] ?? 0)) vote += 1.5;
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
    const hits: { id: string; score: number }[] = [];
    const least = files.length >= 3 ? 2 : 1;
    totals.forEach((total, album) => {
      const count = counts[album] ?? 0;
      // Long albums fit by chance: what more tracks than files explain away is taken off.
      if (count >= least)
        hits.push({
          id: albumIds[album] ?? '',
          score: total - 0.25 * Math.max(0, (sizes[album] ?? 0) - files.length) ** 0.7,
        });
    });
    hits.sort((a, b) => b.score - a.score);
    return hits.slice(0, limit);
  }
  return { albums, density };
}
