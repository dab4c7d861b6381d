import type { AlbumFit } from './album-fit.ts';
import type { Reason } from '#core/job/reason.ts';
import type { AlbumPair, PairEvidence } from './match.types.ts';
import type { PairScore } from './score.ts';
import type { IndexedTrack } from '../index/catalog-index.ts';
import type { FileReading } from '../names/reading.ts';

/** A person said which album it is: inside that, evidence still has to place the file (MATCH-2). */
export const ALBUM_CHOSEN: Readonly<Reason> = { kind: 'chosen', label: 'album chosen by you', tone: 'good' };

/** Whether a person has said which track this file is, now or earlier; not only which album. */
export function isTrackChosen({ reasons }: { reasons: readonly Reason[] }): boolean {
  return reasons.some(({ kind, label }) => kind === ALBUM_CHOSEN.kind && label !== ALBUM_CHOSEN.label);
}

/** Two decimals, and no negative zero. */
export const toHundredths = (value: number): number => Math.round(value * 100) / 100 + 0;

/** `+0.4 s`, `-12 s`. */
export function signedSeconds(seconds: number): string {
  const size = Math.abs(seconds);
  return `${seconds < 0 ? '-' : '+'}${size < 10 ? size.toFixed(1) : size.toFixed(0)} s`;
}

/** A pair's comparison as chips. */
export function pairReasons(file: FileReading, track: IndexedTrack, pair: PairScore, speed: number): Reason[] {
  const reasons: Reason[] = [];
  if (pair.similarity !== null) {
    const tone = pair.similarity >= 0.85 ? 'good' : pair.similarity >= 0.6 ? 'neutral' : 'bad';
    reasons.push({
      kind: 'title',
      label: `title ${pair.similarity.toFixed(2)}`,
      tone,
      value: toHundredths(pair.similarity),
      weight: toHundredths(pair.title),
    });
  }
  if (pair.off !== null) {
    const tone = Math.abs(pair.off) <= 2 ? 'good' : Math.abs(pair.off) <= 3 ? 'neutral' : 'bad';
    reasons.push({
      kind: 'duration',
      label: `duration ${signedSeconds(pair.off)}`,
      tone,
      value: toHundredths(pair.off),
      weight: toHundredths(pair.duration),
    });
  }
  if (speed !== 1)
    reasons.push({
      kind: 'speed',
      label: `speed ${(100 / speed).toFixed(1)} %`,
      tone: 'neutral',
      value: toHundredths(1 / speed),
    });
  const number = file.positions[0]?.position;
  if (pair.positionAgrees !== null && number !== undefined) {
    const label = pair.positionAgrees
      ? `track ${track.track.position} = ${track.track.position}`
      : `track ${number}, here ${track.track.position}`;
    reasons.push({
      kind: 'position',
      label,
      tone: pair.positionAgrees ? 'good' : 'neutral',
      value: track.track.position,
      weight: toHundredths(pair.position),
    });
  }
  if (pair.artistSimilarity !== null && (pair.artistSimilarity >= 0.65 || pair.artistConflict)) {
    reasons.push({
      kind: 'artist',
      label: `artist ${pair.artistSimilarity.toFixed(2)}`,
      tone: pair.artistConflict ? 'bad' : 'good',
      value: toHundredths(pair.artistSimilarity),
      weight: toHundredths(pair.artist),
    });
  }
  for (const word of pair.versionExtra)
    reasons.push({ kind: 'version', label: `says ${word}`, tone: 'bad', weight: -2.5 });
  for (const word of pair.versionMissing)
    reasons.push({ kind: 'version', label: `is ${word}`, tone: 'bad', weight: -1.5 });
  return reasons;
}

/** What an album makes of its group, as chips. */
export function albumReasons(fit: AlbumFit, files: number, wanted: boolean): Reason[] {
  const reasons: Reason[] = [
    {
      kind: 'coverage',
      label: `tracks ${new Set(fit.given.filter((column) => column >= 0)).size}/${fit.album.tracks.length}`,
      tone: fit.coverage === 1 ? 'good' : 'neutral',
      value: toHundredths(fit.coverage),
    },
    {
      kind: 'duration',
      label: `lengths ${Math.round(fit.durationShare * 100)} %`,
      tone: fit.durationShare >= 0.8 ? 'good' : 'neutral',
      value: toHundredths(fit.durationShare),
    },
  ];
  if (fit.matched < files)
    reasons.push({
      kind: 'files',
      label: `files ${fit.matched}/${files}`,
      tone: 'neutral',
      value: toHundredths(fit.matched / Math.max(1, files)),
    });
  if (fit.albumSimilarity !== null && fit.albumSimilarity >= 0.5) {
    reasons.push({
      kind: 'album',
      label: `album ${fit.albumSimilarity.toFixed(2)}`,
      tone: fit.albumSimilarity >= 0.8 ? 'good' : 'neutral',
      value: toHundredths(fit.albumSimilarity),
      weight: toHundredths(fit.albumEvidence),
    });
  }
  if (wanted) reasons.push({ kind: 'request', label: 'requested', tone: 'good', weight: 4 });
  return reasons;
}

/** A veto as a chip. */
export function vetoReason(veto: { label: string }): Reason {
  return { kind: 'veto', label: `veto: ${veto.label}`, tone: 'bad' };
}

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
