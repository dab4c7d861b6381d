/** What a person does with several rows of a question at once, and with two: words for each. Pure. */
import type { Track } from '#lanes/music/core/catalog.ts';
import type { MusicReview } from '#lanes/music/core/types.ts';
import { textKey } from '#core/text/similarity.ts';
import { inPlaces } from '../compare/align.ts';
import type { RowPick } from './row-words.ts';

type File = MusicReview['files'][number];

/** Milliseconds between a file and a track that are taken for the same length. */
const NEAR_MS = 5000;

/**
 * Tracks of an album for files: each its own place where the track of that place is as long, then the nearest length
 * within five seconds, then in order. A file for which none is left has none.
 */
export function assignInOrder(files: readonly File[], tracks: readonly Track[]): Map<string, Track> {
  const free = new Set(tracks);
  const given = new Map<string, Track>();
  const give = (file: File, track: Track | undefined): void => {
    if (track === undefined) return;
    free.delete(track);
    given.set(file.job_id, track);
  };
  const off = (file: File, track: Track): number =>
    file.duration_ms === null || track.duration_ms === null ? Infinity : Math.abs(file.duration_ms - track.duration_ms);
  for (const file of files)
    give(
      file,
      [...free].find(
        (track) => file.position === track.position && (file.disc ?? 1) === track.disc && off(file, track) <= NEAR_MS,
      ),
    );
  for (const file of files) {
    if (given.has(file.job_id)) continue;
    const [best] = [...free].sort((a, b) => off(file, a) - off(file, b));
    if (best !== undefined && off(file, best) <= NEAR_MS) give(file, best);
  }
  for (const file of inPlaces(files)) if (!given.has(file.job_id)) give(file, [...free][0]);
  return given;
}

/**
 * Tracks that files fit: by the same title, else by the nearest length within five seconds. Each track once; a file that
 * fits none has none.
 */
export function fittingTracks(files: readonly File[], tracks: readonly Track[]): Map<string, Track> {
  const free = new Set(tracks);
  const found = new Map<string, Track>();
  const take = (file: File, track: Track | undefined): void => {
    if (track === undefined) return;
    free.delete(track);
    found.set(file.job_id, track);
  };
  const folded = (text: string | null): string => textKey(text ?? '').folded;
  for (const file of files) {
    const title = folded(file.title);
    if (title !== '')
      take(
        file,
        [...free].find((track) => folded(track.title) === title),
      );
  }
  const off = (file: File, track: Track): number =>
    file.duration_ms === null || track.duration_ms === null ? Infinity : Math.abs(file.duration_ms - track.duration_ms);
  for (const file of files) {
    if (found.has(file.job_id)) continue;
    const [best] = [...free].sort((a, b) => off(file, a) - off(file, b));
    if (best !== undefined && off(file, best) <= NEAR_MS) take(file, best);
  }
  return found;
}

/** A row as it is shown now: its file, and the track that it would be; null: none. */
export interface ShownRow {
  job_id: string;
  track: Pick<Track, 'id' | 'album_id'> | null;
}

/** The picks after two rows have each other's track; null where neither has one. */
export function exchanged(from: ShownRow, to: ShownRow): Map<string, RowPick> | null {
  if (from.job_id === to.job_id || (from.track === null && to.track === null)) return null;
  const pick = (track: ShownRow['track']): RowPick =>
    track === null ? { word: 'ask', album_id: null } : { word: `track:${track.id}`, album_id: track.album_id };
  return new Map([
    [from.job_id, pick(to.track)],
    [to.job_id, pick(from.track)],
  ]);
}

/** Jobs from one row to another, both with them, in the order in which they are shown. */
export function rowsBetween(shown: readonly string[], from: string, to: string): string[] {
  const [a, b] = [shown.indexOf(from), shown.indexOf(to)].sort((x, y) => x - y);
  return a === undefined || b === undefined || a < 0 ? [] : shown.slice(a, b + 1);
}
