import type { AlbumFit } from './album-fit.ts';
import type { TrackOption } from './match.types.ts';
import { pairEvidence, pairReasons } from './reasons.ts';
import type { FileReading } from '../names/reading.ts';
import type { PairScore } from './score.ts';
import type { IndexedTrack } from '../index/catalog-index.ts';

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
    pair: pairEvidence(pair),
  };
}

/** One track that a file could be, with its place among the others. */
export interface RankedTrack {
  /** The assigned one. */
  mine: boolean;
  /** Another file of the group was given it. */
  taken: boolean;
  rank: number;
  key: string;
  fit: AlbumFit;
  track: IndexedTrack;
  pair: PairScore;
}

/**
 * Tracks that one file could be, best first, at most `MOST_OPTIONS`: the assigned one, then the likeliest others of
 * this and the next albums. A track whose length fits is among them even when its name does not, because names get
 * swapped.
 */
export function rankTracks(
  row: number,
  fits: readonly AlbumFit[],
  assigned: number,
  otherAlbums: readonly AlbumFit[] = [],
): RankedTrack[] {
  const found: RankedTrack[] = [];
  fits.slice(0, 6).forEach((fit, place) => {
    const others = new Set(fit.given.filter((_, other) => other !== row));
    const behind = Math.min(12, ((fits[0]?.total ?? 0) - fit.total) * 0.4);
    fit.album.tracks.forEach((track, column) => {
      const pair = fit.pairs[row]?.[column];
      // Tracks of the likeliest album are all worth offering; others only when something speaks for them.
      if (!pair || (place > 0 && pair.total < 0.5)) return;
      const given = (fit.given[row] ?? -1) === column ? 1.5 : 0;
      // A track that another file took is offered after one that is free.
      const taken = others.has(column);
      const rank = pair.total + given - (taken ? 3 : 0) - behind;
      const mine = place === 0 && column === assigned;
      found.push({ mine, taken, rank, key: fit.album.contentKey + track.absolute, fit, track, pair });
    });
  });
  for (const fit of otherAlbums) {
    const column = fit.given[0] ?? -1;
    const track = fit.album.tracks[column];
    const pair = fit.pairs[0]?.[column];
    if (!track || !pair) continue;
    const key = fit.album.contentKey + track.absolute;
    found.push({ mine: false, taken: false, rank: pair.total + 1.5, key, fit, track, pair });
  }
  found.sort((a, b) => Number(b.mine) - Number(a.mine) || b.rank - a.rank || (a.key < b.key ? -1 : 1));
  return found.slice(0, MOST_OPTIONS);
}

/** What "none of these" weighs beside the options (log). */
const NONE = 1;

/** Ranked tracks as options: what the assigned one leaves of certainty is divided among the others and "none". */
export function optionsFor(file: FileReading, ranked: readonly RankedTrack[], confidence: number): TrackOption[] {
  const weight = (rank: number): number => Math.exp(Math.min(rank, 20) / 2);
  const others = ranked.filter((entry) => !entry.mine).reduce((sum, entry) => sum + weight(entry.rank), Math.exp(NONE));
  return ranked.map((entry) => {
    const share = entry.mine ? confidence : ((1 - confidence) * weight(entry.rank)) / others;
    return trackOption(file, entry.fit, entry.track, entry.pair, Math.round(share * 1000) / 1000);
  });
}
