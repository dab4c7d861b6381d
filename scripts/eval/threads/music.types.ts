import type { CalibrationProfile } from '#lanes/music/core/calibration/profile.ts';
import type { Decided } from '../decided.ts';
import type { Sample } from '../fit.ts';

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
