/** Calibration: how features become a probability. Versioned, because stored decisions name the profile they rest on. */
export interface CalibrationProfile {
  version: string;
  /** Logistic coefficients by feature name; a feature without one does not count. */
  weights: Readonly<Record<string, number>>;
}

/** The shipped profile. Written by scripts/fit-profile.ts. */
export const SHIPPED_PROFILE: CalibrationProfile = {
  version: '2026-11-21.0',
  weights: {
    bias: -5,
    title: 1,
    duration: 1.2,
    position: 0.5,
    artist: 0.8,
    version: 0.8,
    trackMargin: 0.8,
    albumMargin: 0.6,
    meanTotal: 0.8,
    matchedShare: 1.2,
    nearShare: 1.5,
    size: 0.4,
    coverage: 0.6,
    album: 0.4,
  },
};

/** Probability 0..1 by the profile. */
export function predict(profile: CalibrationProfile, features: Readonly<Record<string, number>>): number {
  let sum = 0;
  for (const [name, weight] of Object.entries(profile.weights)) sum += weight * (features[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
