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

/** Adds chips to a list; value and weight to two decimals, where they are known. */
function chipsInto(reasons: Reason[]) {
  return (kind: string, label: string, tone: Reason['tone'], value?: number, weight?: number): void => {
    const numbers = {
      ...(value === undefined ? {} : { value: toHundredths(value) }),
      ...(weight === undefined ? {} : { weight: toHundredths(weight) }),
    };
    reasons.push({ kind, label, tone, ...numbers });
  };
}

/** `good` from here on, `neutral` from there on, else `bad`. */
export const toneFrom = (value: number, good: number, neutral: number): Reason['tone'] =>
  value >= good ? 'good' : value >= neutral ? 'neutral' : 'bad';

/** A pair's comparison as chips. */
export function pairReasons(file: FileReading, track: IndexedTrack, pair: PairScore, speed: number): Reason[] {
  const reasons: Reason[] = [];
  const add = chipsInto(reasons);
  const { similarity, off, positionAgrees, artistSimilarity } = pair;
  const { position } = track.track;
  if (similarity !== null)
    add('title', `title ${similarity.toFixed(2)}`, toneFrom(similarity, 0.85, 0.6), similarity, pair.title);
  if (off !== null)
    add('duration', `duration ${signedSeconds(off)}`, toneFrom(-Math.abs(off), -2, -3), off, pair.duration);
  if (speed !== 1) add('speed', `speed ${(100 / speed).toFixed(1)} %`, 'neutral', 1 / speed);
  const number = file.positions[0]?.position;
  if (positionAgrees !== null && number !== undefined) {
    const label = positionAgrees ? `track ${position} = ${position}` : `track ${number}, here ${position}`;
    add('position', label, positionAgrees ? 'good' : 'neutral', position, pair.position);
  }
  if (artistSimilarity !== null && (artistSimilarity >= 0.65 || pair.artistConflict)) {
    const tone = pair.artistConflict ? 'bad' : 'good';
    add('artist', `artist ${artistSimilarity.toFixed(2)}`, tone, artistSimilarity, pair.artist);
  }
  for (const word of pair.versionExtra) add('version', `says ${word}`, 'bad', undefined, -2.5);
  for (const word of pair.versionMissing) add('version', `is ${word}`, 'bad', undefined, -1.5);
  return reasons;
}

/** What an album makes of its group, as chips. */
export function albumReasons(fit: AlbumFit, files: number, wanted: boolean): Reason[] {
  const reasons: Reason[] = [];
  const add = chipsInto(reasons);
  const { coverage, durationShare, matched, albumSimilarity: similarity } = fit;
  const tracks = fit.album.tracks.length;
  add('coverage', `tracks ${tracks - missingTracks(fit)}/${tracks}`, coverage === 1 ? 'good' : 'neutral', coverage);
  const lengths = `lengths ${Math.round(durationShare * 100)} %`;
  add('duration', lengths, durationShare >= 0.8 ? 'good' : 'neutral', durationShare);
  if (matched < files) add('files', `files ${matched}/${files}`, 'neutral', matched / Math.max(1, files));
  if (similarity !== null && similarity >= 0.5) {
    const tone = similarity >= 0.8 ? 'good' : 'neutral';
    add('album', `album ${similarity.toFixed(2)}`, tone, similarity, fit.albumEvidence);
  }
  if (wanted) add('request', 'requested', 'good', undefined, 4);
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
