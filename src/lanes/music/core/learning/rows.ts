import type { CalibrationState, CalibrationSample } from '../calibration/local-profile.ts';
import type { Track } from '../catalog.ts';

/** A track as it was decided about: under its id there may be another by now. */
export type TrackFacts = Pick<Track, 'album_id' | 'title' | 'duration_ms'>;

export interface Remembered {
  sha256: string;
  /** Milliseconds, when it was decided first. */
  at: number;
  kind: 'track' | 'none' | 'keep';
  /** `none`: null. */
  track_id: string | null;
  /** `none`: the options that were turned down (`track:<id>`, `album:<id>`). */
  refused: string[];
  /** Catalog that it was decided in (null: it had no id). Absent in rows of the first form, which are asked once more. */
  catalog_id?: string | null;
  /** What `track_id` named then; `none`: null. Absent as above. */
  track?: TrackFacts | null;
}

/**
 * What music keeps beside its jobs, in the same transactions: what people decided about contents, and what their answers
 * say of the matcher.
 */
export interface MusicRows {
  /** Of these contents (SHA-256) what is remembered. */
  remembered(contents: readonly string[]): Promise<Remembered[]>;
  remember(row: Remembered): Promise<void>;
  forget(content: string): Promise<void>;
  /** Deletes the oldest beyond so many. It counts them all. */
  trimRemembered(most: number): Promise<void>;
  /** Answers how many there were. */
  forgetAll(): Promise<number>;
  sample(jobId: string): Promise<CalibrationSample | undefined>;
  putSample(sample: CalibrationSample): Promise<void>;
  deleteSamples(jobIds: readonly string[]): Promise<void>;
  /** Answered after this time; milliseconds. */
  samplesAfter(at: number): Promise<CalibrationSample[]>;
  /** Deletes samples up to this time. */
  deleteSamplesUntil(at: number): Promise<void>;
  /** Deletes the oldest of a kind beyond so many. */
  trimSamples(kind: CalibrationSample['kind'], most: number): Promise<void>;
  calibration(): Promise<CalibrationState>;
  putCalibration(state: CalibrationState): Promise<void>;
}
