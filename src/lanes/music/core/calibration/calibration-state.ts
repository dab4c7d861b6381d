import * as v from 'valibot';
import { AS_SHIPPED, localProfile } from './local-profile.ts';
import { SHIPPED_PROFILE, type CalibrationProfile } from './profile.ts';

/** Meta row in which the fit is kept. */
export const CALIBRATION_ROW = 'calibration';

const CalibrationSchema = v.object({
  /** Version of the shipped profile that the fit stands on. */
  base: v.string(),
  /** Counts the fits of this browser, never back: no two profiles share a version. */
  n: v.number(),
  slope: v.number(),
  shift: v.number(),
  answers: v.number(),
  dropped: v.number(),
  /** Milliseconds; samples from before are set aside. 0: never reset. */
  reset_at: v.number(),
  /** Answers came in since the fit. */
  stale: v.boolean(),
});
export type CalibrationState = v.InferOutput<typeof CalibrationSchema>;

/** The stored state; what is damaged or absent counts as nothing learned. */
export function parseCalibration(value: unknown): CalibrationState {
  const outcome = v.safeParse(CalibrationSchema, value);
  return outcome.success
    ? outcome.output
    : { base: SHIPPED_PROFILE.version, n: 0, ...AS_SHIPPED, reset_at: 0, stale: false };
}

/** MATCH-31: what the pipeline matches with: the fit over the shipped profile it stands on, or the shipped one alone. */
export function profileOf(
  state: Pick<CalibrationState, 'base' | 'n' | 'slope' | 'shift' | 'answers'>,
  shipped: CalibrationProfile = SHIPPED_PROFILE,
): CalibrationProfile {
  return state.base === shipped.version && state.answers > 0 ? localProfile(shipped, state, state.n) : shipped;
}
