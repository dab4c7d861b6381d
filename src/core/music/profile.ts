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
    album: 0.234,
    albumMargin: 0.257,
    alone: -0.293,
    bias: -6.065,
    coverage: 1.16,
    duration: 1.093,
    meanTotal: 1.546,
    nearShare: 0.442,
    position: 0.422,
    shared: 0.008,
    size: 0.415,
    title: 0.781,
    trackMargin: 0.733,
    unitShare: 0.38,
    untimed: -0.046,
    untitled: 0.619,
    version: 0.843,
    veto_alone: -1.155,
    veto_artist: -0.005,
    veto_edition: -2.998,
    veto_length: -3.204,
    veto_lengths_alone: -3.581,
    veto_other_album: -0.509,
    veto_recording: -1.591,
    veto_rival: -0.469,
    veto_stray: -1.065,
    veto_title: -1.238,
    veto_untimed: -0.212,
    veto_version: -0.189,
  },
};

/** Probability 0..1 by the profile. */
export function predict(profile: CalibrationProfile, features: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const [name, weight] of Object.entries(profile.weights)) sum += weight * (features[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
