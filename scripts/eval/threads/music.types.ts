import type { CalibrationProfile } from '#lanes/music/core/calibration/profile.ts';
import type { FileMatch } from '#lanes/music/core/match/match.types.ts';
import type { Sample } from '../fit.ts';

/** What is counted of a decision. */
export interface Decided extends Pick<FileMatch, 'file_id' | 'track_id' | 'confidence'> {
  options: { track_id: string }[];
  /** Kinds, each once. */
  vetoes: string[];
  raw: number;
  albumInDoubt: boolean;
}

/** One case, decided by each profile; `samples`: what a fit learns from it is wanted too. */
export interface CaseTask {
  number: number;
  profiles: CalibrationProfile[];
  samples: boolean;
}

export interface CaseAnswer {
  /** By profile. */
  decided: Decided[][];
  samples: Sample[];
  /** Milliseconds of a processor that matching took, the first profile alone. */
  cpu: number;
}

export interface FitTask {
  fit: Sample[];
}

export type MusicTask = CaseTask | FitTask;
/** To a case, or the weights of a fit. */
export type MusicAnswer = CaseAnswer | { weights: Record<string, number> };
