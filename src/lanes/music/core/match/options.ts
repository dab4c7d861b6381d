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
 * Tracks that one file could be, best first: the assigned one, then the likeliest others of
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
  return found;
}

/** Those of a file's ranked tracks that are offered (MATCH-63). */
export function relatedTracks(ranked: readonly RankedTrack[]): RankedTrack[] {
  const named = ranked.some(({ pair }) => (pair.similarity ?? 0) >= NAMED);
  return ranked.filter((entry) => entry.mine || isRelated(entry, named));
}

/** The specification's tolerance of lengths, seconds. */
const TOLERANCE = 5;
/** Titles that are alike although they are damaged, and such as have nothing in common but chance. */
const NAMED = 0.6;
const UNLIKE = 0.45;
/** Files that an album takes before their names can have been swapped. */
const SWAPPED = 3;

/**
 * MATCH-63: a track is an option where its name speaks for it, else only where its length is within the tolerance. One
 * whose name is another is none beside a track whose name is like, but on an album that takes several files: there
 * names get swapped.
 *
 * @param named a track with a name like the file's is among those that are compared
 */
function isRelated({ pair, fit }: RankedTrack, named: boolean): boolean {
  // A name that is nothing but a number speaks, too.
  if (pair.similarity === null ? pair.positionAgrees === true : pair.similarity >= NAMED) return true;
  const near = pair.off === null ? pair.positionAgrees === true : Math.abs(pair.off) <= TOLERANCE;
  const other = pair.similarity !== null && pair.similarity < UNLIKE && pair.positionAgrees !== true;
  return near && !(named && other && fit.matched < SWAPPED);
}

/** What "none of these" weighs beside the options (log). */
const NONE = 4;

/** What the assigned track is worth at most by its evidence alone: a veto, or what was calibrated, says that it is not sure. */
const MOST_BY_EVIDENCE = 0.6;

/**
 * The first of the ranked tracks as options, the likeliest first. Each is worth what its own evidence says beside the others and "none";
 * the assigned one at least what was calibrated.
 *
 * @param confidence of the assigned track, 0..1
 */
export function optionsFor(file: FileReading, tracks: readonly RankedTrack[], confidence: number): TrackOption[] {
  const ranked = tracks.slice(0, MOST_OPTIONS);
  const weight = ({ rank }: RankedTrack): number => Math.exp(Math.min(rank, 20) / 2);
  const all = ranked.reduce((sum, entry) => sum + weight(entry), Math.exp(NONE));
  const mine = ranked.find((entry) => entry.mine);
  const share = mine === undefined ? 0 : weight(mine) / all;
  const shown = mine === undefined ? 0 : Math.max(confidence, Math.min(share, MOST_BY_EVIDENCE));
  return ranked
    .map((entry) => {
      const worth = entry.mine ? shown : ((1 - shown) * weight(entry)) / (all * (1 - share));
      return trackOption(file, entry.fit, entry.track, entry.pair, Math.round(worth * 1000) / 1000);
    })
    .sort((a, b) => b.confidence - a.confidence);
}
