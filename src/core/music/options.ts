import type { AlbumFit } from './album-fit.ts';
import type { TrackOption } from './match.types.ts';
import { pairReasons } from './reasons.ts';
import type { FileReading } from './reading.ts';
import type { PairScore } from './score.ts';
import type { IndexedTrack } from './search.ts';

/** How many options a question shows at most. */
export const MOST_OPTIONS = 5;

export function trackOption(
  file: FileReading,
  fit: AlbumFit,
  track: IndexedTrack,
  pair: PairScore,
  confidence: number,
): TrackOption {
  const { album } = fit.album;
  return {
    track_id: track.track.id,
    album_id: album.id,
    title: track.track.title,
    artist: track.track.artist,
    album: album.title,
    disc: track.track.disc,
    position: track.track.position,
    duration_ms: track.track.duration_ms,
    confidence,
    reasons: pairReasons(file, track, pair, fit.speed),
  };
}

/**
 * Options of one file, best first: the assigned track, then the likeliest others of this and the next albums. A track
 * whose length fits is offered even when its name does not, because names get swapped.
 */
export function optionsFor(
  file: FileReading,
  row: number,
  fits: readonly AlbumFit[],
  assigned: number,
  confidence: number,
): TrackOption[] {
  const found: { rank: number; key: string; option: TrackOption }[] = [];
  fits.slice(0, 6).forEach((fit, place) => {
    const taken = new Set(fit.given.filter((_, other) => other !== row));
    const behind = (fits[0]?.total ?? 0) - fit.total;
    fit.album.tracks.forEach((track, column) => {
      const pair = fit.pairs[row]?.[column];
      // Tracks of the likeliest album are all worth offering; others only when something speaks for them.
      if (!pair || (place > 0 && pair.total < 0.5)) return;
      const mine = place === 0 && column === assigned;
      const given = (fit.given[row] ?? -1) === column ? 1.5 : 0;
      // A track that another file took is offered after one that is free.
      const rank = mine ? Infinity : pair.total + given - (taken.has(column) ? 3 : 0) - Math.min(12, behind * 0.4);
      const share = mine ? confidence : Math.min(0.6, (1 - confidence) * 0.9) / (1 + Math.exp(-(pair.total - 6) / 3));
      found.push({
        rank,
        key: fit.album.contentKey + track.absolute,
        option: trackOption(file, fit, track, pair, Math.round(share * 1000) / 1000),
      });
    });
  });
  found.sort((a, b) => b.rank - a.rank || (a.key < b.key ? -1 : 1));
  return found.slice(0, MOST_OPTIONS).map((entry) => entry.option);
}
