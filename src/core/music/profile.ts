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
    album: 0.24,
    albumMargin: 0.246,
    alone: -0.285,
    bias: -5.951,
    coverage: 1.185,
    duration: 1.092,
    meanTotal: 1.572,
    nearShare: 0.436,
    position: 0.412,
    shared: 0.007,
    size: 0.427,
    title: 0.753,
    trackMargin: 0.662,
    unitShare: 0.382,
    untimed: 0.072,
    untitled: 0.571,
    version: 0.792,
    veto_alone: -1.129,
    veto_artist: -0.023,
    veto_edition: -2.899,
    veto_length: -3.279,
    veto_lengths_alone: -3.609,
    veto_other_album: -0.503,
    veto_recording: -1.572,
    veto_rival: -0.498,
    veto_stray: -0.974,
    veto_title: -1.133,
    veto_twin: -0.026,
    veto_untimed: -0.297,
    veto_version: -0.206,
  },
};

/** Probability 0..1 by the profile. */
export function predict(profile: CalibrationProfile, features: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const [name, weight] of Object.entries(profile.weights)) sum += weight * (features[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
