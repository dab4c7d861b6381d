/** Calibration: how features become a probability. Versioned, because stored decisions name the profile they rest on. */
export interface CalibrationProfile {
  version: string;
  /** Logistic coefficients by feature name; a feature without one does not count. */
  weights: Readonly<Record<string, number>>;
}

/** The shipped profile. Written by scripts/fit-profile.ts. */
export const SHIPPED_PROFILE: CalibrationProfile = {
  version: '2026-11-21.1',
  weights: {
    album: 0.659,
    albumMargin: 0.593,
    alone: -0.329,
    bias: -5.942,
    coverage: 0.759,
    duration: 1.157,
    meanTotal: 1.347,
    nearShare: 0.474,
    position: 0.41,
    shared: 0.007,
    size: 0.267,
    title: 0.682,
    trackMargin: 0.616,
    unitShare: 0.013,
    untimed: 0.059,
    untitled: 0.642,
    version: 0.797,
    veto_alone: -1.188,
    veto_artist: -0.026,
    veto_edition: -2.845,
    veto_length: -3.235,
    veto_lengths_alone: -3.05,
    veto_other_album: -0.388,
    veto_recording: -1.698,
    veto_rival: -0.492,
    veto_stray: -1.1,
    veto_title: -1.052,
    veto_twin: -0.222,
    veto_untimed: -0.276,
    veto_version: -0.201,
  },
};

/** Engines differ in the last bits of `exp` and `log`: what is decided and shown must not. */
const DIGITS = 1e9;

/** Probability 0..1 by the profile, to nine decimals. */
export function predict(profile: CalibrationProfile, features: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const [name, weight] of Object.entries(profile.weights)) sum += weight * (features[name] ?? 0);
  return Math.round(DIGITS / (1 + Math.exp(-sum))) / DIGITS;
}
