import * as v from 'valibot';
import type { CalibrationState, CalibrationSample } from '../calibration/local-profile.ts';

/** A track as it was decided about: under its id there may be another by now. */
const TrackFactsSchema = v.object({ album_id: v.string(), title: v.string(), duration_ms: v.nullable(v.number()) });
export type TrackFacts = v.InferOutput<typeof TrackFactsSchema>;

export const RememberedSchema = v.object({
  sha256: v.string(),
  /** Milliseconds, when it was decided first. */
  at: v.number(),
  kind: v.picklist(['track', 'none', 'keep']),
  /** `none`: null. */
  track_id: v.nullable(v.string()),
  /** `none`: the options that were turned down (`track:<id>`, `album:<id>`). */
  refused: v.array(v.string()),
  /** Catalog that it was decided in (null: it had no id). Absent in rows of the first form, which are asked once more. */
  catalog_id: v.exactOptional(v.nullable(v.string())),
  /** What `track_id` named then; `none`: null. Absent as above. */
  track: v.exactOptional(v.nullable(TrackFactsSchema)),
});
export type Remembered = v.InferOutput<typeof RememberedSchema>;

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
