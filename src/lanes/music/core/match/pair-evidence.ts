import type { AlbumFit } from './album-fit.ts';
import type { AlbumPair, PairEvidence } from './match.types.ts';
import type { FileReading } from '../names/reading.ts';
import type { PairScore } from './score.ts';

/** Three decimals, and no negative zero. */
const toThousandths = (value: number): number => Math.round(value * 1000) / 1000 + 0;
const thousandthsOrNull = (value: number | null): number | null => (value === null ? null : toThousandths(value));

/** A compared pair as it is stored; similarities and seconds with three decimals. */
export function pairEvidence(pair: PairScore): PairEvidence {
  return {
    title_similarity: thousandthsOrNull(pair.similarity),
    off: thousandthsOrNull(pair.off),
    position_agrees: pair.positionAgrees,
    artist_similarity: thousandthsOrNull(pair.artistSimilarity),
    artist_conflict: pair.artistConflict,
    version_extra: [...pair.versionExtra],
    version_missing: [...pair.versionMissing],
    weights: {
      title: toThousandths(pair.title),
      duration: toThousandths(pair.duration),
      position: toThousandths(pair.position),
      artist: toThousandths(pair.artist),
      version: toThousandths(pair.version),
      total: toThousandths(pair.total),
    },
  };
}

/** MATCH-22: which track of an album each file of its group would be, a line a file in the group's order. */
export function albumPairs(files: readonly FileReading[], fit: AlbumFit): AlbumPair[] {
  return files.map((file, row) => {
    const column = fit.given[row] ?? -1;
    const pair = fit.pairs[row]?.[column];
    return {
      file_id: file.evidence.file_id,
      track_id: fit.album.tracks[column]?.track.id ?? null,
      title_similarity: thousandthsOrNull(pair?.similarity ?? null),
      off: thousandthsOrNull(pair?.off ?? null),
      position_agrees: pair?.positionAgrees ?? null,
    };
  });
}

/** How many tracks of the album no file was given. */
export function missingTracks(fit: AlbumFit): number {
  return fit.album.tracks.length - new Set(fit.given.filter((column) => column >= 0)).size;
}
